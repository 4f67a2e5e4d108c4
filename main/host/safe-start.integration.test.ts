// A safe start: no servers, no MCP Apps, default looks. The profile itself is as it was.
import { expect, it } from 'vitest'
import { makeTestHost } from './host.testing.ts'

const servers = JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['notes.js'] } } })

it('knows no server and opens no app; looks and keys are the defaults, how chats ask is not', async () => {
  const before = makeTestHost({ servers })
  await before.host.request('settings.set', { theme: 'dark', textSize: 300, startAtLogin: true, consentMode: 'ask-all' })
  await before.host.dispose()
  const { host, remove } = makeTestHost({ dataDir: before.dataDir, safe: true, startServers: false })
  const { servers: listed, settings, notices } = host.snapshot()
  expect([listed, notices[0]?.kind]).toEqual([[], 'safe-start'])
  expect([settings.theme, settings.textSize, settings.startAtLogin, settings.consentMode]).toEqual(['system', 100, false, 'ask-all'])
  const refused = await host.request('mcpApp.open', { conversationId: 'c', callId: 'x' }).catch((error: { code: string }) => error.code)
  // What is set in it counts, and is kept.
  await host.request('settings.set', { textSize: 110 })
  const inIt = host.snapshot().settings
  await host.dispose()
  const after = makeTestHost({ dataDir: before.dataDir })
  const { theme, textSize, startAtLogin } = after.host.snapshot().settings
  expect([refused, inIt.theme, inIt.textSize, { theme, textSize, startAtLogin }, after.host.snapshot().servers.length]).toEqual([
    'view.refused',
    'system',
    110,
    { theme: 'dark', textSize: 110, startAtLogin: true },
    1,
  ])
  await after.remove()
  await remove()
})
