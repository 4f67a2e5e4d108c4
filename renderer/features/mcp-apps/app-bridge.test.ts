// What a view is told when it asks for what is not given: words of the extension that it can read, never silence.
import { afterEach, expect, it, vi } from 'vitest'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { filesOf, type McpAppBridge, openMcpAppBridge, type ViewFile } from './app-bridge.ts'

const view: Extract<OpenedMcpApp, { kind: 'ready' }> = {
  kind: 'ready',
  server: 'maps',
  uri: 'ui://maps/route',
  domains: { connect: [], resource: [], baseUri: [] },
  refused: [],
  refusedPermissions: [],
  id: 'v'.repeat(32),
  tool: { name: 'route', inputSchema: {} },
  arguments: { to: 'Oslo' },
  border: true,
}
interface Said {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number }
}
let bridge: McpAppBridge | undefined
const offered: (readonly ViewFile[])[] = []
afterEach(async () => {
  offered.length = 0
  await bridge?.close()
})

/** A frame of an origin of its own, that has said hello. */
async function openView() {
  const told: Said[] = []
  const hostConnection = createFakeConnection({ answers: { 'mcpApp.call': () => ({ result: { content: [] } }) } })
  const contentWindow = { postMessage: (message: Said) => void told.push(message) }
  const onMode = vi.fn((mode: string) => mode as 'inline')
  bridge = await openMcpAppBridge({
    frame: { contentWindow } as unknown as HTMLIFrameElement, // Only its window is used.
    view,
    hostConnection,
    version: '1',
    context: {},
    onHeight: () => undefined,
    onMessage: () => Promise.resolve(false),
    onFiles: (files) => Promise.resolve(offered.push(files) === 1),
    onContext: () => Promise.resolve(),
    onMode,
    onCall: () => undefined,
    onEnd: () => undefined,
  })
  const say = (message: object): void => {
    const event = new MessageEvent('message', { data: { jsonrpc: '2.0', ...message }, origin: 'null' })
    Object.defineProperty(event, 'source', { value: contentWindow })
    dispatchEvent(event)
  }
  let id = 0
  const ask = async (method: string, params: object): Promise<Said> => {
    id += 1
    const mine = id
    say({ id, method, params })
    return vi.waitUntil(() => told.find((one) => one.id === mine && one.method === undefined))
  }
  const hello = await ask('ui/initialize', {
    appInfo: { name: 'map', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
    protocolVersion: '2026-01-26',
  })
  say({ method: 'ui/notifications/initialized', params: {} })
  await vi.waitUntil(() => told.some(({ method }) => method === 'ui/notifications/tool-input'))
  return { hello, ask, told, onMode, hostConnection }
}

it('puts a file that a view offers to the person, and says whether it was saved', async () => {
  const { hello, ask } = await openView()
  expect(Object.keys((hello.result?.['hostCapabilities'] ?? {}) as object)).toContain('downloadFile')
  const contents = [{ type: 'resource', resource: { uri: 'file:///a/../../route.txt?x', text: 'Left, then right.' } }]
  expect((await ask('ui/download-file', { contents })).result).toEqual({})
  expect((await ask('ui/download-file', { contents })).result).toEqual({ isError: true })
  expect(offered).toEqual([1, 2].map(() => [{ name: 'route.txt', text: 'Left, then right.' }]))
})

it.each<[string, Parameters<typeof filesOf>[0], unknown]>([
  ['a link is not fetched', [{ type: 'resource_link', uri: 'https://evil.example/x', name: 'x' }], undefined],
  ['nothing is no file', [], undefined],
  ['a part that is no file leaves out all', [{ type: 'resource', resource: { uri: 'a.txt', text: '' } }, { type: 'text' }], undefined],
  ['more than ten are too many', Array.from({ length: 11 }, () => ({ type: 'resource', resource: { uri: 'a.txt', text: '' } })), undefined],
  ['bytes', [{ type: 'resource', resource: { uri: 'x/%2e%2e%2fa.png', blob: 'AA==' } }], [{ name: 'a.png', text: 'AA==', base64: true }]],
  ['a name that hides its end', [{ type: 'resource', resource: { uri: 'a\u202Etxt.exe', text: '' } }], [{ name: 'atxt.exe', text: '' }]],
  ['no name', [{ type: 'resource', resource: { uri: '/..', text: '' } }], [{ name: 'file', text: '' }]],
])('of what a view offers to save, %s', (_, contents, files) => {
  expect(filesOf(contents)).toEqual(files)
})

it('answers a wish for a window of its own with the mode that it gets', async () => {
  const { ask, onMode } = await openView()
  expect((await ask('ui/request-display-mode', { mode: 'pip' })).result).toEqual({ mode: 'pip' })
  expect(onMode.mock.calls).toEqual([['pip']])
})

it('has no model to give', async () => {
  const { ask } = await openView()
  const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }]
  expect((await ask('sampling/createMessage', { messages, maxTokens: 9 })).error?.code).toBe(-32601)
})

it('tells a view its input whole and once: it is drawn only when the call was allowed, and then nothing of it is partial', async () => {
  const { told } = await openView()
  expect(told.flatMap(({ method, params }) => (method?.includes('tool-input') ? [[method, params]] : []))).toEqual([
    ['ui/notifications/tool-input', { arguments: { to: 'Oslo' } }],
  ])
})

it('passes on each argument of a call, also one that is named like a member of every object', async () => {
  const { ask, hostConnection } = await openView()
  const args = '{"__proto__":{"all":true},"constructor":1,"wrapped":{"a":2}}'
  await ask('tools/call', { name: 'route', arguments: JSON.parse(args) })
  await ask('tools/call', { name: 'route' })
  const sent = hostConnection.asked.flatMap(({ name, params }) => (name === 'mcpApp.call' ? [JSON.stringify(params)] : []))
  expect(sent).toEqual([args, '{}'].map((one) => `{"id":"${view.id}","tool":"route","arguments":${one}}`))
})
