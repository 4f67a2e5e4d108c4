// A profile that the version of commit 0398f21 wrote (`fixtures/profile-0398f21.db.gz`): its stored hashes mean the same today.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { toolFingerprint } from '#main/servers/client/catalogue/catalogue-entries.ts'
import { launchTargetOf, launchValues } from '#main/servers/lifecycle/launch-target.ts'
import { createTestPlatform, makeTestHost, type TestHost } from './host.testing.ts'

/** What the keyring held beside it. */
const secrets = {
  'launch-key': 'hvn+7IiS13E8COV6/60S1mJI7jUCz/u9nIIYFfi1qn8=',
  'record-seal': '6 e64d03b154527639098db2b4e7d869333f12a7c90e1a3979b017b973ab0e1fc8',
}
const definition: StdioDefinition = {
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: '/bin/sh',
  args: ['-c', 'true'],
  env: { MODE: 'safe', NOTES_TOKEN: 'abc123456' },
  cwd: '/',
}
const described = {
  name: 'move_file',
  title: 'Move a file',
  description: 'Moves a file.\n',
  inputSchema: { type: 'object', properties: { to: { type: 'string', default: null }, from: { type: 'string' } }, required: ['from'] },
  annotations: { readOnlyHint: false, openWorldHint: false, title: 'Move' },
}
const tool: ToolEntry = { ...described, modelName: 'notes__move_file', tokens: 10, enabled: true, fingerprint: toolFingerprint(described) }

let opened: TestHost | undefined
afterEach(async () => await opened?.remove())

test('a profile of an earlier version asks for nothing again, and its audit log is whole', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-earlier-'))
  writeFileSync(join(dataDir, 'assent.db'), gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures/profile-0398f21.db.gz'))))
  writeFileSync(join(dataDir, 'servers.json'), '{ "mcpServers": {} }')
  const platform = createTestPlatform()
  for (const [name, value] of Object.entries(secrets)) await platform.secrets.set(name, value)
  opened = makeTestHost({ dataDir, platform, startServers: false })
  const { broker, store } = opened.host.context
  const before = [...store.audit.all()].length
  expect([before, store.audit.verify(), broker.rules().length]).toEqual([6, undefined, 1])

  const { signal } = new AbortController()
  const target = launchTargetOf(definition, '/') as LaunchTarget
  const launch = await broker.launch({ server: 'notes', target, folderAsShown: true, values: launchValues(definition), signal })
  broker.toolsListed('notes', [tool])
  const call = await broker.toolCall({
    server: 'notes',
    callId: 'c1',
    tool,
    trusted: false,
    local: true,
    arguments: { from: '/a' },
    signal,
  })
  expect([launch.kind, call.kind, broker.open()]).toEqual(['allowed', 'allowed', []])
  expect(store.audit.verify()).toBeUndefined()
})
