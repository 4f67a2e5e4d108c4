// The views of tools (MCP Apps) through the whole host, with a server of each era: what a page is told, what a shell serves,
// and what a view may ask for.
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ToolCall } from '#app/chat/message.ts'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { unconnected } from '#main/chat/mcp-apps/mcp-apps.ts'
import { raw } from '#main/servers/lifecycle/servers.testing.ts'
import { openDatabase } from '#main/store/database/database.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

type Person = (request: ConsentRequest) => ConsentAnswer
const yes: Person = () => ({ kind: 'allow', scope: 'once' })

interface Stage {
  readonly test: TestHost
  readonly asked: ConsentRequest[]
  person: Person
  /** Has the model call that tool; the call as it then stands. */
  call(
    tool: string,
  ): Promise<{ readonly of: { readonly conversationId: string; readonly callId: string }; readonly call: ToolCall | undefined }>
  /** Has it call that tool, and opens what that shows. */
  open(tool: string): Promise<Extract<OpenedMcpApp, { kind: 'ready' }>>
}

function stage(era: 'modern' | 'legacy'): Stage {
  const { command, args } = raw('views', era)
  const asked: ConsentRequest[] = []
  const made = { person: yes }
  const test = makeTestHost({
    servers: JSON.stringify({ mcpServers: { views: { command, args } } }),
    policy(request) {
      asked.push(request)
      return made.person(request)
    },
  })
  const { host } = test
  const self: Stage = Object.assign(made, {
    test,
    asked,
    async open(tool: string) {
      return ready(await host.request<'mcpApp.open'>('mcpApp.open', (await self.call(tool)).of))
    },
    async call(tool: string) {
      const { conversationId } = await host.request('chat.send', { text: `use views ${tool}` })
      await host.context.chat.idle(conversationId)
      const { messages } = await host.request('conversation.get', { id: conversationId })
      const calls = messages.flatMap((message) =>
        message.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])) : [],
      )
      return { of: { conversationId, callId: calls[0]?.id ?? '' }, call: calls[0] }
    },
  })
  return self
}

const ready = (view: OpenedMcpApp): Extract<OpenedMcpApp, { kind: 'ready' }> => {
  if (view.kind !== 'ready') throw new Error(`it ${view.kind}`)
  return view
}

const stages = { modern: stage('modern'), legacy: stage('legacy') }
const { modern } = stages
beforeEach(() => {
  for (const one of Object.values(stages)) one.person = yes
})
afterAll(async () => {
  await Promise.all(Object.values(stages).map(({ test }) => test.remove()))
})

describe.each(['modern', 'legacy'] as const)('with a server of the %s era', (era) => {
  it('a view is drawn from its resource, is told of the call, and calls a tool of its server after the person was asked', async () => {
    const { test, asked, call } = stages[era]
    const { host } = test
    const { of, call: made } = await call('plain')
    expect(made).toMatchObject({ view: 'ui://views/plain.html', state: { kind: 'done' } })
    const view = ready(await host.request<'mcpApp.open'>('mcpApp.open', of))
    expect(view).toMatchObject({
      server: 'views',
      tool: { name: 'plain' },
      refusedPermissions: ['camera'],
      domains: { connect: [], resource: [] },
    })
    const document = host.mcpApp(view.id)
    expect([Buffer.from(document?.bytes ?? []).includes('Counter'), document?.policy]).toEqual([
      true,
      expect.stringContaining("connect-src 'none'"),
    ])
    expect(await host.request('mcpApp.result', { id: view.id })).toMatchObject({ kind: 'result', result: { content: [{ type: 'text' }] } })

    const before = asked.length
    const { result } = await host.request('mcpApp.call', { id: view.id, tool: 'refresh', arguments: { by: 'view' } })
    expect(result).toMatchObject({ content: [{ type: 'text', text: expect.stringMatching(/^refreshed/) }] })
    expect(asked.slice(before)).toMatchObject([
      {
        kind: 'tool-call',
        server: 'views',
        tool: 'refresh',
        conversationId: of.conversationId,
        view: { callId: of.callId, tool: 'plain' },
        arguments: { by: 'view' },
      },
    ])
    expect(await host.request('mcpApp.read', { id: view.id, uri: 'note://one' })).toMatchObject({
      result: { contents: [{ text: 'a note' }] },
    })

    await host.request('mcpApp.close', { id: view.id })
    expect(host.mcpApp(view.id)).toBeUndefined()
    await expect(host.request('mcpApp.call', { id: view.id, tool: 'refresh', arguments: {} })).rejects.toMatchObject({ code: 'view.gone' })
  })

  it('the extension is declared to it, and the model sees what is not for views alone', async () => {
    const { test, call } = stages[era]
    const { call: made } = await call('secret')
    expect(JSON.stringify(made?.state)).toContain('text/html;profile=mcp-app')
    const names = test.host.context.servers.tools().map(({ tool }) => tool.name)
    expect([names.includes('secret'), names.includes('refresh')]).toEqual([true, false])
    expect((await call('refresh')).call?.tool).not.toBe('refresh')
  })
})

describe('what a view may not', () => {
  it('call a tool that is for the model alone, or one that is not there', async () => {
    const { test, open } = modern
    const view = await open('plain')
    for (const tool of ['secret', 'nothing', 'views__refresh'])
      await expect(test.host.request('mcpApp.call', { id: view.id, tool, arguments: {} })).rejects.toMatchObject({ code: 'tool.unknown' })
  })

  it('go on after the person stopped it', async () => {
    const made = modern
    const { host } = made.test
    const view = await made.open('plain')
    made.person = () => ({ kind: 'deny', stop: true })
    await expect(host.request('mcpApp.call', { id: view.id, tool: 'refresh', arguments: {} })).rejects.toMatchObject({
      code: 'consent.denied',
    })
    made.person = yes
    await expect(host.request('mcpApp.call', { id: view.id, tool: 'refresh', arguments: {} })).rejects.toMatchObject({
      code: 'view.refused',
    })
    await expect(host.request('mcpApp.openLink', { id: view.id, url: 'https://example.com/' })).rejects.toMatchObject({
      code: 'view.refused',
    })
  })

  it('open a page without a yes, nor one that is no web page', async () => {
    const made = modern
    const { host, platform } = made.test
    const view = await made.open('plain')
    const link = (url: string) => host.request('mcpApp.openLink', { id: view.id, url })
    expect(await link('https://example.com/more')).toEqual({ opened: true })
    expect(made.asked.at(-1)).toMatchObject({
      kind: 'elicitation-url',
      url: 'https://example.com/more',
      view: { tool: 'plain' },
      why: { kind: 'view-asks' },
    })
    const before = made.asked.length
    expect(await link('file:///etc/passwd')).toEqual({ opened: false })
    expect(made.asked).toHaveLength(before)
    made.person = () => ({ kind: 'deny' })
    expect(await link('https://example.com/more')).toEqual({ opened: false })
    expect(platform.opened).toEqual(['https://example.com/more'])
  })

  it('ask for more than it can be given', async () => {
    const { test, open } = modern
    const view = await open('plain')
    const reads = Array.from({ length: 40 }, () => test.host.request('mcpApp.read', { id: view.id, uri: 'note://one' }))
    const ends = await Promise.allSettled(reads)
    const refused = ends.filter((end) => end.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every((end) => (end.reason as { code: string }).code === 'view.refused')).toBe(true)
  })
})

it('a view that reaches out is drawn once the person has seen where, and again without it until they want to be shown it', async () => {
  const { test, call } = modern
  const { host } = test
  const { of } = await call('reaching')
  const asks = await host.request<'mcpApp.open'>('mcpApp.open', of)
  expect(asks).toMatchObject({
    kind: 'asks',
    domains: { connect: ['https://api.example.com'], resource: ['https://cdn.example.com'] },
    refused: [
      { text: '*', why: 'not-an-origin' },
      { text: 'https://www.example.com', why: 'frames' },
    ],
  })
  expect(await host.request<'mcpApp.open'>('mcpApp.open', { ...of, agreed: 'another' })).toMatchObject({ kind: 'asks' })
  const fingerprint = asks.kind === 'asks' ? asks.fingerprint : ''
  const view = ready(await host.request<'mcpApp.open'>('mcpApp.open', { ...of, agreed: fingerprint }))
  expect(host.mcpApp(view.id)?.policy).toContain('connect-src https://api.example.com;')
  expect(await host.request<'mcpApp.open'>('mcpApp.open', of)).toMatchObject({ kind: 'ready' })
  await host.request('mcpApp.forget', { id: view.id })
  expect(await host.request<'mcpApp.open'>('mcpApp.open', of)).toMatchObject({ kind: 'asks' })
  const { rows } = await host.request('audit.list', { filter: { kinds: ['decision'] }, limit: 10 })
  expect(rows.filter(({ detail }) => detail['request'] === 'view').map(({ decision }) => decision)).toEqual(['removed', 'allowed'])
})

it('what a view wants the model to know is something to attach, marked by its origin, and loose until it is sent', async () => {
  const { test, open } = modern
  const view = await open('plain')
  const { attachment } = await test.host.request('mcpApp.tell', { id: view.id, words: 'The person looks at 7' })
  expect(attachment).toMatchObject({ kind: 'text', from: { server: 'views', uri: 'ui://views/plain.html' } })
  const database = openDatabase(join(test.dataDir, 'assent.db'), { readOnly: true })
  try {
    expect(database.all('SELECT sha256 FROM loose_blobs')).toContainEqual({ sha256: attachment?.blob.sha256 })
  } finally {
    database.close()
  }
})

it.each([
  ['wrong', 'view.unreadable'],
  ['large', 'view.too-large'],
  ['missing', 'view.unreadable'],
])('an interface that is %s is an error of the view alone', async (tool, code) => {
  const { test, call } = modern
  const { of, call: made } = await call(tool)
  expect(made?.state.kind).toBe('done')
  await expect(test.host.request<'mcpApp.open'>('mcpApp.open', of)).rejects.toMatchObject({ code })
})

it('an interface may come as bytes, and its type be written otherwise', async () => {
  const { test, open } = modern
  const view = await open('encoded')
  expect(Buffer.from(test.host.mcpApp(view.id)?.bytes ?? []).toString()).toBe(unconnected('<p>Ünïcode'))
})
