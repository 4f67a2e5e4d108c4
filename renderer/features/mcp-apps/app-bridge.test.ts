// What a view is told when it asks for what is not given: words of the extension that it can read, never silence.
import { afterEach, expect, it, vi } from 'vitest'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { type McpAppBridge, openMcpAppBridge } from './app-bridge.ts'

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
afterEach(async () => {
  await bridge?.close()
})

/** A frame of an origin of its own, that has said hello. */
async function openView() {
  const told: Said[] = []
  const hostConnection = createFakeConnection({ answers: { 'mcpApp.call': () => ({ result: { content: [] } }) } })
  const contentWindow = { postMessage: (message: Said) => void told.push(message) }
  const onMode = vi.fn(() => 'inline' as const)
  bridge = await openMcpAppBridge({
    frame: { contentWindow } as unknown as HTMLIFrameElement, // Only its window is used.
    view,
    hostConnection,
    version: '1',
    context: {},
    onHeight: () => undefined,
    onMessage: () => Promise.resolve(false),
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

it('offers no downloads, and answers one that is asked for with no', async () => {
  const { hello, ask } = await openView()
  expect(Object.keys((hello.result?.['hostCapabilities'] ?? {}) as object)).not.toContain('downloadFile')
  const contents = [{ type: 'resource', resource: { uri: 'file:///route.txt', text: 'Left, then right.' } }]
  expect((await ask('ui/download-file', { contents })).result).toEqual({ isError: true })
})

it('answers a wish for a window of its own with the mode that it is in', async () => {
  const { ask, onMode } = await openView()
  expect((await ask('ui/request-display-mode', { mode: 'pip' })).result).toEqual({ mode: 'inline' })
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
