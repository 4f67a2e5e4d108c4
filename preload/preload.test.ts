import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { channels, type ShellCommand } from '#app/contract/channels.ts'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import { requestNames } from '#app/contract/requests.ts'
import { ipcRenderer, resetElectron } from '../e2e/electron-fake/electron.ts'
import { exposed } from '../e2e/electron-fake/ipc.ts'

vi.mock('electron', () => import('../e2e/electron-fake/electron.ts'))

let bridge: Required<PreloadBridge>
beforeAll(async () => {
  await import('./preload.ts')
  bridge = exposed['assent'] as Required<PreloadBridge>
})
beforeEach(resetElectron)

test('the page gets these functions and nothing else', () => {
  expect(Object.keys(exposed)).toEqual(['assent'])
  expect(Object.entries(bridge).map(([key, value]) => `${key}: ${typeof value}`)).toEqual([
    'request: function',
    'onEvent: function',
    'onCommand: function',
  ])
})

test.each(requestNames)('the request %s of the contract passes', async (name) => {
  expect(await bridge.request(name, {})).toEqual({ result: 'answered' })
  expect(ipcRenderer.invoked).toEqual([{ channel: channels.request, args: [name, {}] }])
})

test.each([
  '',
  'app',
  'app.snapshot ',
  'toString',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'shell.openExternal',
  7,
  null,
  undefined,
  {},
])('no other does: %s', async (name) => {
  expect(await bridge.request(name as string, {})).toMatchObject({ error: { code: 'contract.unknown-request' } })
  expect(ipcRenderer.invoked).toEqual([])
})

test('a request goes to the host as it is, and so does its answer', async () => {
  expect(await bridge.request('app.openUrl', { url: 'https://example.org' })).toEqual({ result: 'answered' })
  expect(ipcRenderer.invoked).toEqual([{ channel: channels.request, args: ['app.openUrl', { url: 'https://example.org' }] }])
})

test('a listener hears the value without the IPC event, until it is undone', () => {
  const heard: unknown[][] = []
  const stop = bridge.onCommand((...args: ShellCommand[]) => heard.push(args))
  ipcRenderer.fire(channels.command, { sender: 'secret' }, { kind: 'go', hash: '#/chat' })
  stop()
  ipcRenderer.fire(channels.command, { sender: 'secret' }, { kind: 'commands' })
  expect([heard, ipcRenderer.listenerCount(channels.command)]).toEqual([[[{ kind: 'go', hash: '#/chat' }]], 0])
})
