// What servers ask, tool calls and changed tools × every way they can end × both eras (docs/consent-matrix.md), at the host's
// link: what a page sends and is told, with real servers and a real model endpoint. Two windows follow the host by snapshot and
// events; what counts is what came back to the server. e2e/specs/consent-matrix*.spec.ts walk the same cells in Chromium.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentAnswer, ConsentKind, ConsentRequest } from '#app/consent/request.ts'
import type { ConsentEnd } from '#app/consent/request-ending.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { asksForTitle, scriptOf } from '../../e2e/model-server/rules.ts'
import { type ModelServer, startModelServer } from '../../e2e/model-server/server.ts'
import { type Asker, type AskerTool, type Era, eras, startAsker } from '../../e2e/servers/raw/asker.ts'
import type { Host } from '../host.ts'
import { makeTestHost, type TestHost } from './host.testing.ts'

const key = 'sk-ant-test-0000000000000000q7Rw'
const nameOf = { '2025-11-25': 'older', '2026-07-28': 'newer' } as const
const once: ConsentAnswer = { kind: 'allow', scope: 'once' }
const deny: ConsentAnswer = { kind: 'deny' }

/** What a window knows: the requests that wait, and how others ended. */
interface Window {
  open(kind: ConsentKind): Promise<ConsentRequest>
  all(): readonly ConsentRequest[]
  /** How the request ended, once it has. */
  end(id: string): Promise<ConsentEnd>
  answer(id: string, answer: ConsentAnswer): Promise<boolean>
}

function openWindow(host: Host): Window {
  const requests = new Map(host.snapshot().consentRequests.map((request) => [request.id, request]))
  const ends = new Map<string, ConsentEnd>()
  host.onEvent((event) => {
    if (event.name === 'consent.opened') requests.set(event.payload.request.id, event.payload.request)
    if (event.name !== 'consent.closed') return
    const { id, ...end } = event.payload
    requests.delete(id)
    ends.set(id, end)
  })
  const found = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error(`not there; open: ${[...requests.values()].map(({ kind }) => kind).join(', ')}`)
    return value
  }
  return {
    open: (kind) => eventually(() => found([...requests.values()].find((request) => request.kind === kind))),
    all: () => [...requests.values()],
    end: (id) => eventually(() => found(ends.get(id))),
    answer: async (id, answer) => (await host.request('consent.answer', { id, answer })).accepted,
  }
}

const form = { type: 'object', properties: { name: { type: 'string', default: 'Ada' } }, required: ['name'] }
const prompt = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up' } }],
  systemPrompt: 'Be short.',
  maxTokens: 200,
}
const schema = { inputSchema: { type: 'object' } }
const page = 'https://example.com/lease'
const tools: readonly AskerTool[] = [
  {
    tool: { name: 'form', ...schema },
    asks: () => ({ method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: form } }),
  },
  {
    tool: { name: 'page', ...schema },
    asks: () => ({ method: 'elicitation/create', params: { mode: 'url', message: 'Sign', url: page, elicitationId: 'e' } }),
  },
  { tool: { name: 'sum', ...schema }, asks: () => ({ method: 'sampling/createMessage', params: prompt }) },
  { tool: { name: 'folders', ...schema }, asks: () => ({ method: 'roots/list' }) },
  { tool: { name: 'note', ...schema, description: 'Keeps a note.' } },
]
const noted = { path: 'a b/é.md', text: 'one\n"two"\t\\u0000 🙂', list: [1.5, -0.1, null, [], {}], '': {} }

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-matrix-')))
let model: ModelServer
let askers: Readonly<Record<Era, Asker>>
let test: TestHost
let [first, second]: readonly Window[] = []
const windows = (): readonly [Window, Window] => {
  if (!first || !second) throw new Error('no host')
  return [first, second]
}

beforeAll(async () => {
  const rules = Object.values(nameOf).map((name) => ({
    when: `use ${name}`,
    steps: [{ call: [{ tool: `${name}__note`, inputText: JSON.stringify(noted) }] }, { say: 'That was it.' }],
  }))
  const script = scriptOf(
    () => [...rules, { when: 'sum', steps: [{ say: 'This is the sum.' }] }],
    () => Promise.resolve(),
  )
  model = await startModelServer({ script, key })
  askers = { '2025-11-25': await startAsker('2025-11-25', tools), '2026-07-28': await startAsker('2026-07-28', tools) }
  test = makeTestHost({
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key, PATH: process.env['PATH'] ?? '' },
    environment: createEnvironment({ isTerminal: true }),
    startServers: false,
    roots: [folder],
  })
  first = openWindow(test.host)
  second = openWindow(test.host)
  const servers = Object.fromEntries(eras.map((era) => [nameOf[era], askers[era].entry]))
  await test.host.request('config.save', { text: JSON.stringify({ mcpServers: servers }) })
  for (const era of eras) {
    const started = test.host.request('server.start', { name: nameOf[era] })
    const asked = await first.open('launch')
    await first.answer(asked.id, { kind: 'allow', scope: 'always' })
    await started
  }
})

afterAll(async () => {
  await test.remove()
  await Promise.all([model.close(), ...Object.values(askers).map((asker) => asker.close())])
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => {
  for (const asker of Object.values(askers)) asker.forget()
})

afterEach(async () => {
  await eventually(() => expect(windows().map((window) => window.all())).toEqual([[], []]))
})

/** Answers in the first window; the second is told how. */
async function answers(id: string, answer: ConsentAnswer): Promise<void> {
  const [here, there] = windows()
  expect(await here.answer(id, answer)).toBe(true)
  const outcome = answer.kind === 'allow' ? 'allowed' : answer.kind === 'deny' ? 'denied' : 'cancelled'
  for (const window of [here, there]) expect(await window.end(id)).toMatchObject({ outcome, by: 'person' })
  expect(await there.answer(id, { kind: 'deny' })).toBe(false)
}

/** The tool's fingerprint as a page would have it. */
async function run(era: Era, tool: string): Promise<string> {
  const server = nameOf[era]
  const { tool: entry } = await test.host.request('tool.get', { server, tool })
  const { run: made } = await test.host.request('tool.run', { server, tool, fingerprint: entry.fingerprint, arguments: '{}' })
  return made.id
}

interface Asked {
  readonly tool: string
  readonly kind: ConsentKind
  /** Answers what is asked before it. */
  readonly before?: () => Promise<void>
  readonly yes?: ConsentAnswer
  /** Answers what is asked after a yes. */
  readonly after?: () => Promise<void>
  readonly allowed: unknown
  /** What the server gets for a no; undefined: nothing, its call ends. */
  readonly denied: (era: Era) => unknown
  readonly edited?: { readonly answer: ConsentAnswer; readonly gets: unknown; readonly sent?: string }
  readonly cancelled?: unknown
}

const said = (text: string) => ({ model: 'claude-large-1', role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' })
const refused = (era: Era): unknown => (era === '2025-11-25' ? { code: -1, message: 'User rejected sampling request' } : undefined)
const allows = async (kind: ConsentKind): Promise<void> => {
  const [here] = windows()
  await here.answer((await here.open(kind)).id, once)
}
const edit: ConsentAnswer & { kind: 'allow' } = { kind: 'allow', scope: 'once' }

const asked: readonly Asked[] = [
  {
    tool: 'form',
    kind: 'elicitation-form',
    yes: { ...edit, content: { name: 'Ada' } },
    allowed: { action: 'accept', content: { name: 'Ada' } },
    denied: () => ({ action: 'decline' }),
    cancelled: { action: 'cancel' },
    edited: {
      answer: { ...edit, content: { name: '  Zoë “\\u0000” 🙂 ' } },
      gets: { action: 'accept', content: { name: '  Zoë “\\u0000” 🙂 ' } },
    },
  },
  {
    tool: 'page',
    kind: 'elicitation-url',
    allowed: { action: 'accept' },
    denied: () => ({ action: 'decline' }),
    cancelled: { action: 'cancel' },
  },
  {
    tool: 'sum',
    kind: 'sampling',
    after: () => allows('sampling-result'),
    allowed: said('This is the sum.'),
    denied: refused,
    edited: {
      answer: { ...edit, prompt: { systemPrompt: 'Be short.', texts: ['Sum “it” up\nbriefly'] } },
      gets: said('This is the sum.'),
      sent: JSON.stringify('Sum “it” up\nbriefly'),
    },
  },
  {
    tool: 'sum',
    kind: 'sampling-result',
    before: () => allows('sampling'),
    allowed: said('This is the sum.'),
    denied: refused,
    edited: { answer: { ...edit, text: 'My  own\nwords' }, gets: said('My  own\nwords') },
  },
  {
    tool: 'folders',
    kind: 'roots',
    allowed: { roots: [{ uri: pathToFileURL(folder).href, name: basename(folder) }] },
    denied: () => ({ roots: [] }),
  },
]

describe.each(eras)('%s', (era) => {
  const asker = (): Asker => askers[era]
  const gets = async (what: unknown): Promise<void> => {
    if (what !== undefined) return eventually(() => expect(asker().given).toEqual([what]))
    await eventually(() => expect(windows()[0].all()).toEqual([]))
    expect(asker().given).toEqual([])
  }

  describe.each(asked)('$kind', (kind) => {
    const begin = async (): Promise<{ id: string; run: string }> => {
      const id = await run(era, kind.tool)
      await kind.before?.()
      const [request] = await Promise.all(windows().map((window) => window.open(kind.kind)))
      return { id: request?.id ?? '', run: id }
    }

    it('is allowed, and the server gets just that', async () => {
      await answers((await begin()).id, kind.yes ?? once)
      await kind.after?.()
      await gets(kind.allowed)
      if (kind.kind === 'elicitation-url') expect(test.platform.opened.at(-1)).toBe(page)
    })

    const { edited, cancelled } = kind
    if (edited)
      it('is edited, and what was written is what goes out', async () => {
        const { answer, gets: what, sent } = edited
        await answers((await begin()).id, answer)
        await kind.after?.()
        await gets(what)
        if (sent) expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(sent)
      })

    it('is denied, and the server learns no more than that', async () => {
      await answers((await begin()).id, deny)
      await gets(kind.denied(era))
    })

    if (cancelled)
      it('is set aside, which is another answer than no', async () => {
        await answers((await begin()).id, { kind: 'cancel' })
        await gets(cancelled)
      })

    if (era === '2025-11-25')
      it('is taken back by the server, and both windows are told', async () => {
        const { id } = await begin()
        asker().takeBack('It was settled')
        for (const window of windows())
          expect(await window.end(id)).toMatchObject({ outcome: 'withdrawn', because: 'taken-back', word: 'It was settled' })
        expect(asker().given).toEqual([])
      })
    else
      it('ends with the call that asked, in both windows', async () => {
        const { id, run: running } = await begin()
        await test.host.request('tool.cancelRun', { id: running })
        for (const window of windows()) expect(await window.end(id)).toMatchObject({ outcome: 'withdrawn', because: 'call-ended' })
        expect(asker().given).toEqual([])
      })

    it('is in the snapshot of a page that loads anew, and its answer arrives', async () => {
      const { id } = await begin()
      const reloaded = openWindow(test.host)
      expect(reloaded.all().map((request) => request.id)).toEqual([id])
      expect(await reloaded.answer(id, kind.yes ?? once)).toBe(true)
      await kind.after?.()
      await gets(kind.allowed)
    })
  })

  describe('tool-call', () => {
    const send = async (): Promise<{ id: string; conversationId: string }> => {
      const text = `use ${nameOf[era]}`
      const { conversationId } = await test.host.request('chat.send', { text, model: 'anthropic/claude-large-1' })
      const [request] = await Promise.all(windows().map((window) => window.open('tool-call')))
      return { id: request?.id ?? '', conversationId }
    }
    const turns = () => model.requests.filter((request) => !asksForTitle(request))
    const ran = (args: object | undefined) =>
      expect(JSON.stringify(asker().calls)).toBe(JSON.stringify(args ? [{ name: 'note', arguments: args }] : []))

    it('runs as it was shown, byte for byte', async () => {
      const { id, conversationId } = await send()
      await answers(id, once)
      await test.host.context.chat.idle(conversationId)
      ran(noted)
    })

    it('runs as it was edited, byte for byte', async () => {
      const edited = { z: '  "quoted"\n', a: [1e21, { é: '\\n' }] }
      const { id, conversationId } = await send()
      await answers(id, { ...edit, arguments: edited })
      await test.host.context.chat.idle(conversationId)
      ran(edited)
    })

    it('that is denied never reaches the server, and the model reads of it', async () => {
      const { id, conversationId } = await send()
      await answers(id, deny)
      await test.host.context.chat.idle(conversationId)
      ran(undefined)
      expect(JSON.stringify(turns().at(-1)?.body)).toContain('is_error')
    })

    it('is withdrawn from both windows as the turn is stopped', async () => {
      const { id, conversationId } = await send()
      await test.host.request('chat.stop', { conversationId })
      for (const window of windows()) expect((await window.end(id)).outcome).toBe('withdrawn')
      ran(undefined)
    })

    it('is in the snapshot of a page that loads anew, and runs as it was shown', async () => {
      const { id, conversationId } = await send()
      const reloaded = openWindow(test.host)
      expect(reloaded.all()).toEqual([expect.objectContaining({ id, arguments: noted })])
      await reloaded.answer(id, once)
      await test.host.context.chat.idle(conversationId)
      ran(noted)
    })
  })
  describe('tool-changed', () => {
    const server = nameOf[era]
    const changed = async (description: string): Promise<string> => {
      asker().redescribe('note', description)
      const [request] = await Promise.all(windows().map((window) => window.open('tool-changed')))
      return request?.id ?? ''
    }
    const ruleOf = () => test.host.snapshot().rules.find((rule) => rule.server === server)

    beforeAll(async () => {
      const { conversationId } = await test.host.request('chat.send', { text: `use ${server}`, model: 'anthropic/claude-large-1' })
      const { id } = await windows()[0].open('tool-call')
      await answers(id, { kind: 'allow', scope: 'always' })
      await test.host.context.chat.idle(conversationId)
      expect(ruleOf()).toMatchObject({ effect: 'allow' })
    })

    /** What a call of it comes to now. */
    const decision = async (): Promise<string> =>
      (await test.host.request('rule.test', { server, tool: 'note', arguments: {} })).verdict.kind

    it('goes as it was, and the request with it, in both windows', async () => {
      const id = await changed('Another.')
      expect(await decision()).toBe('ask')
      asker().redescribe('note', 'Keeps a note.')
      for (const window of windows()) expect((await window.end(id)).outcome).toBe('withdrawn')
      expect(await decision()).toBe('allow')
    })

    it('is in the snapshot of a page that loads anew, and its rule goes on once it is accepted', async () => {
      const id = await changed('The second.')
      const reloaded = openWindow(test.host)
      expect(reloaded.all()).toEqual([expect.objectContaining({ id })])
      expect(await reloaded.answer(id, { kind: 'allow', scope: 'always' })).toBe(true)
      await eventually(async () => expect(await decision()).toBe('allow'))
    })

    it('that is blocked never runs again', async () => {
      await answers(await changed('The third.'), deny)
      await eventually(async () => expect(await decision()).toBe('deny'))
      asker().forget()
      const { conversationId } = await test.host.request('chat.send', { text: `use ${server}`, model: 'anthropic/claude-large-1' })
      await test.host.context.chat.idle(conversationId)
      expect(asker().calls).toEqual([])
    })
  })
})
