// Questions inside results (2026-07-28) with a server written by hand: what the person is asked, and what the server saw.
import { ProtocolError } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import {
  approve,
  closeServers,
  eventually,
  makeServers,
  noHandlers,
  quickClock,
  raw,
  type TestServers,
  watchTimers,
} from '#main/servers/lifecycle/servers.testing.ts'
import type { ServersContext } from '#main/servers/lifecycle/servers-context.ts'
import { mostRoundTrips } from './multi-round-trip.ts'
import type { AskedBy, ServerRequestHandlers } from './server-request-handlers.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

interface Sent {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''
const { signal: always } = new AbortController()

async function started(handlers: Partial<ServerRequestHandlers>, more: Partial<ServersContext> = {}): Promise<TestServers> {
  const servers = makeServers({ a: raw('rounds') }, { handlers: { ...noHandlers, ...handlers }, ...more })
  await servers.start('a')
  return servers
}
const call = async (servers: TestServers, tool: string, signal = always, timeoutMs?: number) =>
  (await servers.call(approve(servers, 'a', tool), { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) })).result
const sentTo = async (servers: TestServers, method: string): Promise<Sent[]> =>
  (JSON.parse(text(await call(servers, 'seen'))) as Sent[]).filter((sent) => sent.method === method)

/** Answers everything, and notes what was asked and how many questions stood open at once. */
function obliging() {
  const asked: string[] = []
  let open = 0
  let most = 0
  async function note<T>(what: string, answer: T): Promise<T> {
    asked.push(what)
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 20))
    open -= 1
    return answer
  }
  const handlers: ServerRequestHandlers = {
    elicitation: ({ mode, message }) =>
      note(`${mode} ${message}`, mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: message } }),
    sampling: () => note('sampling', { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hello' }, stopReason: 'endTurn' }),
    roots: () => note('roots', { roots: [{ uri: 'file:///a', name: 'a' }] }),
  }
  return { handlers, asked, most: () => most }
}

const answers = {
  one: { action: 'accept', content: { name: 'One?' } },
  two: { action: 'accept' },
  three: { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hello' }, stopReason: 'endTurn' },
  four: { roots: [{ uri: 'file:///a', name: 'a' }] },
}

describe('a request that is answered with questions', () => {
  it.each<[string, (servers: TestServers) => Promise<unknown>]>([
    ['tools/call', async (servers) => JSON.parse(text(await call(servers, 'all')))],
    [
      'prompts/get',
      async (servers) => {
        const { messages } = await servers.getPrompt('a', 'all', {}, { signal: always })
        return JSON.parse((messages as { content: { text: string } }[])[0]?.content.text ?? '')
      },
    ],
    [
      'resources/read',
      async (servers) =>
        JSON.parse(((await servers.readResource('a', 'raw://all', { signal: always }))['contents'] as { text: string }[])[0]?.text ?? ''),
    ],
  ])('%s: each is put, one after another, and it is sent again with the answers and the state as it came', async (method, ask) => {
    const { handlers, asked, most } = obliging()
    const servers = await started(handlers)
    expect(await ask(servers)).toEqual(answers)
    expect([asked, most()]).toEqual([['form One?', 'url Sign', 'sampling', 'roots'], 1])
    const [first, second, ...rest] = await sentTo(servers, method)
    expect(rest).toEqual([])
    expect(second?.id).not.toBe(first?.id)
    const { inputResponses, requestState, ...same } = second?.params ?? {}
    expect([inputResponses, requestState]).toEqual([answers, 'Zustand "\\u00e9"=1 '])
    const withoutToken = ({ _meta, ...params }: Readonly<Record<string, unknown>> = {}) => params
    expect(withoutToken(same)).toEqual(withoutToken(first?.params))
  })

  it('may be so more than once: each state belongs to its own round', async () => {
    const { handlers, asked } = obliging()
    const servers = await started(handlers)
    await call(servers, 'twice')
    expect(asked).toEqual(['form First?', 'form Second?'])
    expect(
      (await sentTo(servers, 'tools/call')).map(({ params }) => [params?.['requestState'], Object.keys(params?.['inputResponses'] ?? {})]),
    ).toEqual([
      [undefined, []],
      ['a', ['first']],
      ['b', ['second']],
    ])
  })

  it('without a state is sent again without one', async () => {
    const servers = await started(obliging().handlers)
    await call(servers, 'stateless')
    const sent = await sentTo(servers, 'tools/call')
    expect(sent.map(({ params }) => params && 'requestState' in params)).toEqual([false, false])
  })

  it('that only wants to be asked later is asked later, and nobody is bothered', async () => {
    const { handlers, asked } = obliging()
    const servers = await started(handlers)
    await call(servers, 'busy')
    expect(asked).toEqual([])
    const sent = await sentTo(servers, 'tools/call')
    expect(sent.map(({ params }) => [params?.['requestState'], params && 'inputResponses' in params])).toEqual([
      [undefined, false],
      ['later1', false],
      ['later2', false],
    ])
  })

  it('puts its forms together, as steps, and all answers go back at once', async () => {
    const { handlers } = obliging()
    const steps: [string, AskedBy['step']][] = []
    const elicitation: ServerRequestHandlers['elicitation'] = (params, by) => {
      steps.push([params.message, by.step])
      return handlers.elicitation(params, by)
    }
    const servers = await started({ ...handlers, elicitation })
    const { one, two, page, three } = JSON.parse(text(await call(servers, 'steps')))
    expect([one, two, three].map(({ content }) => content.name)).toEqual(['One?', 'Two?', 'Three?'])
    expect(page).toEqual({ action: 'accept' })
    const group = steps[0]?.[1]?.group
    expect([steps, await sentTo(servers, 'tools/call')]).toEqual([
      [
        ['One?', { group, index: 1, count: 3 }],
        ['Two?', { group, index: 2, count: 3 }],
        ['Three?', { group, index: 3, count: 3 }],
        ['Sign', undefined],
      ],
      [expect.anything(), expect.anything()],
    ])
  })

  it('asks for no other step when one of them cannot be had', async () => {
    const waiting: AbortSignal[] = []
    const servers = await started({
      elicitation: ({ message }, { signal }) => {
        if (message === 'Two?') return Promise.reject(new ProtocolError(-32602, 'No'))
        waiting.push(signal)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }))
      },
    })
    await expect(call(servers, 'steps')).rejects.toEqual(fails('consent.denied', { protocolCode: -32602 }))
    expect(waiting.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('for ever is left at that', async () => {
    const { handlers, asked } = obliging()
    const servers = await started(handlers, { clock: quickClock })
    await expect(call(servers, 'endless')).rejects.toEqual(fails('server.protocol', { rounds: mostRoundTrips }))
    expect(asked).toHaveLength(mostRoundTrips - 1)
  })

  it('with neither a question nor a state is an error', async () => {
    await expect(call(await started({}), 'neither')).rejects.toEqual(fails('server.protocol'))
  })

  it('is not sent again when one of them is refused', async () => {
    const { handlers } = obliging()
    const refused = () => Promise.reject(new ProtocolError(-1, 'User rejected sampling request'))
    const servers = await started({ ...handlers, sampling: refused })
    await expect(call(servers, 'all')).rejects.toEqual(fails('consent.denied', { protocolCode: -1 }))
    expect(await sentTo(servers, 'tools/call')).toHaveLength(1)
  })

  it('is not sent again when it is cancelled meanwhile, and the question is withdrawn', async () => {
    const asked: AskedBy[] = []
    const servers = await started({
      elicitation: (_params, by) => {
        asked.push(by)
        return new Promise((_resolve, reject) => by.signal.addEventListener('abort', () => reject(by.signal.reason)))
      },
    })
    const control = new AbortController()
    const asking = call(servers, 'stateless', control.signal)
    await eventually(() => expect(asked).toHaveLength(1))
    control.abort()
    await expect(asking).rejects.toEqual(fails('cancelled'))
    expect(asked[0]?.signal.aborted).toBe(true)
    expect(await sentTo(servers, 'tools/call')).toHaveLength(1)
  })

  it.each(['prompts/get', 'resources/read'])('%s waits for the person, however long they take', async (method) => {
    const timeoutMs = 61_234
    const { clock, standsStill } = watchTimers(timeoutMs)
    const slow = async () => {
      await standsStill()
      return { action: 'accept' as const, content: { name: 'One?' } }
    }
    const { handlers } = obliging()
    const servers = makeServers({ a: { ...raw('rounds'), timeoutMs } }, { handlers: { ...handlers, elicitation: slow }, clock })
    await servers.start('a')
    const got =
      method === 'prompts/get'
        ? servers.getPrompt('a', 'all', {}, { signal: always })
        : servers.readResource('a', 'raw://all', { signal: always })
    expect(await got).toBeDefined()
  })
})
