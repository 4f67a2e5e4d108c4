// Which revision is spoken over stdio, for each way that servers answer the question (MCP 2026-07-28, "Versioning").
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { quickClock } from '#main/servers/lifecycle/servers.testing.ts'
import { called, error, result } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, host, serve, started } from './raw-stdio.ts'
import { type Answer, type Message, older } from './relayed.ts'

closeAfterEach()

const meta = 'io.modelcontextprotocol'
const discovered = (message: Message, supportedVersions: readonly string[]) =>
  result(message, {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    supportedVersions: [...supportedVersions],
    capabilities: { tools: {} },
  })
const unsupported = (message: Message, code: number, supported: readonly string[]) =>
  error(message, { code, message: 'Unsupported protocol version', data: { supported: [...supported], requested: '2026-07-28' } })

/** Answers the question for its era with `discover`, and is else of the older revision or the newer one. */
const answers =
  (discover: (message: Message) => object, version = '2025-06-18'): Answer =>
  (message, wire) => {
    if (message.method === 'server/discover') wire.send(discover(message))
    else if (message.method === 'tools/call') wire.send(called(message, 'done'))
    else older(version, () => false)(message, wire)
  }

const firstWords = ['server/discover', 'initialize', 'notifications/initialized', 'tools/list']

describe('an older server', () => {
  it.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'of %s is asked for its era, begun with and spoken to in that',
    async (version) => {
      const { made, servers } = await started(answers((message) => error(message, { code: -32601, message: 'Method not found' }), version))
      expect(await call(servers, 'echo')).toBe('done')
      expect(servers.view('raw')?.session).toMatchObject({
        era: 'legacy',
        protocolVersion: version,
        foundBy: 'initialize',
        transport: 'stdio',
      })
      expect(made.wires).toHaveLength(1)
      expect(made.wire.said().slice(0, 4)).toEqual(firstWords)
      expect(made.wire.said().at(-1)).toBe('tools/call')
      expect(made.wire.seen[1]?.params).toMatchObject({
        protocolVersion: '2025-11-25',
        capabilities: expect.anything(),
        clientInfo: { name: 'assent' },
      })
      // Nothing of the newer revision is sent to it once its era is known.
      for (const { params } of made.wire.seen.slice(2)) expect(JSON.stringify(params ?? {})).not.toContain(meta)
    },
  )

  it.each([
    ['a result that says nothing', (message: Message) => result(message, {})],
    ['another error', (message: Message) => error(message, { code: -32600, message: 'Invalid Request' })],
    ['“not initialized”', (message: Message) => error(message, { code: -32002, message: 'Server not initialized' })],
    [
      'bad parameters, with data of its own',
      (message: Message) => error(message, { code: -32602, message: 'Bad', data: { supported: 'tools' } }),
    ],
  ])('may answer the question with %s', async (_, discover) => {
    const { made, servers } = await started(answers(discover))
    expect([servers.view('raw')?.session?.era, made.wire.said().slice(0, 4)]).toEqual(['legacy', firstWords])
    expect(await call(servers, 'echo')).toBe('done')
  })

  it('that ends on an unknown method is started anew, and the new process hears nothing but the old handshake', async () => {
    const { made, servers } = await started((message, wire) => {
      if (message.method === 'server/discover') wire.exit(1)
      else answers(() => ({}))(message, wire)
    })
    expect(await call(servers, 'echo')).toBe('done')
    expect(made.wires.map((wire) => wire.said().slice(0, 3))).toEqual([['server/discover'], firstWords.slice(1)])
  })

  it.each<[string, (message: Message, wire: Parameters<Answer>[1]) => void]>([
    ['refuses all else', (message, wire) => wire.send(error(message, { code: -32600, message: 'The first request must be initialize' }))],
    ['ends', (_message, wire) => wire.exit(1)],
  ])('that was asked before it was greeted and then %s is started anew, and not asked', async (_, refuse) => {
    const asked = new Set<Parameters<Answer>[1]>()
    const { made, servers } = await started((message, wire) => {
      if (message.method === 'server/discover') {
        asked.add(wire)
        wire.send(error(message, { code: -32601, message: 'Method not found' }))
      } else if (asked.has(wire)) refuse(message, wire)
      else answers(() => ({}))(message, wire)
    })
    expect(await call(servers, 'echo')).toBe('done')
    expect(made.wires.map((wire) => wire.said().slice(0, 2))).toEqual([
      ['server/discover', 'initialize'],
      ['initialize', 'notifications/initialized'],
    ])
  })

  it('that is silent on the question may answer it too late: nobody hears that', async () => {
    let question: Message = {}
    const { made, servers } = await started(
      answers((message) => {
        question = message
        return { jsonrpc: '2.0', method: 'notifications/nothing' }
      }),
      { clock: quickClock },
    )
    made.wire.send(discovered(question, ['2026-07-28']), result(question, {}))
    expect(await call(servers, 'echo')).toBe('done')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' })
  })

  it('that is silent on the question is greeted once, and is begun with by its answer to that', async () => {
    const { made, servers } = await started(
      answers(() => ({ jsonrpc: '2.0', method: 'notifications/nothing' })),
      { clock: quickClock },
    )
    expect(await call(servers, 'echo')).toBe('done')
    expect([made.wires.length, made.wire.said().slice(0, 4)]).toEqual([1, firstWords])
    expect(made.wire.seen[1]?.params).toMatchObject({ protocolVersion: '2025-11-25', clientInfo: { name: 'assent', title: 'Assent' } })
  })

  it('that knows no such question but says so only after it was greeted is greeted once', async () => {
    let question: Message = {}
    const { made, servers } = await started(
      (message, wire) => {
        if (message.method === 'server/discover') question = message
        else if (message.method === 'initialize') {
          wire.send(error(question, { code: -32601, message: 'Method not found' }))
          answers(() => ({}))(message, wire)
        } else answers(() => ({}))(message, wire)
      },
      { clock: quickClock },
    )
    expect([made.wires.length, made.wire.said().slice(0, 4)]).toEqual([1, firstWords])
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', foundBy: 'initialize' })
  })

  it.each([-32602, -32022])('that refuses our newest revision at the handshake with %d is begun with anew, in its own', async (code) => {
    const { made, servers } = await started((message, wire) => {
      if (message.method === 'initialize' && message.params?.['protocolVersion'] !== '2024-11-05')
        wire.send(unsupported(message, code, ['2024-11-05', '1999-12-31']))
      else answers((discover) => error(discover, { code: -32601, message: 'Method not found' }), '2024-11-05')(message, wire)
    })
    expect(await call(servers, 'echo')).toBe('done')
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2024-11-05' })
    expect(made.wire.seen.find(({ method }) => method === 'initialize')?.params).toMatchObject({ protocolVersion: '2024-11-05' })
  })

  it('that offers a revision which nobody knows is not spoken to, and both sides’ are named', async () => {
    const servers = host(serve(answers((message) => error(message, { code: -32601, message: 'no' }), '1999-12-31')))
    await expect(servers.start('raw')).rejects.toEqual(
      fails('server.version-mismatch', { supported: ['1999-12-31'], ours: expect.arrayContaining(['2026-07-28', '2024-11-05']) }),
    )
  })
})

describe('a server of 2026-07-28', () => {
  it.each([[['2026-07-28']], [['2026-07-28', '2025-11-25', '2024-11-05']], [['2027-01-01', '2026-07-28']]])(
    'that speaks %j is never asked to initialize, and is told of the host with each request',
    async (versions) => {
      const { made, servers } = await started((message, wire) => {
        if (message.method === 'server/discover') wire.send(discovered(message, versions))
        else if (message.method === 'tools/list')
          wire.send(
            result(message, {
              resultType: 'complete',
              ttlMs: 0,
              cacheScope: 'private',
              tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
            }),
          )
        else if (message.method === 'tools/call')
          wire.send(result(message, { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }))
      })
      expect(await call(servers, 'echo')).toBe('done')
      expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' })
      expect(made.wire.said()).toEqual(['server/discover', 'tools/list', 'tools/call'])
      for (const { params } of made.wire.seen)
        expect(params?.['_meta']).toMatchObject({
          [`${meta}/protocolVersion`]: '2026-07-28',
          [`${meta}/clientInfo`]: { name: 'assent' },
          [`${meta}/clientCapabilities`]: { elicitation: expect.anything() },
        })
    },
  )
})

describe('a server of 2026-07-28 that is slow to come', () => {
  const listed = (message: Message, wire: Parameters<Answer>[1]): void => {
    if (message.method === 'tools/list') wire.send(result(message, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] }))
  }

  it.each<[string, (message: Message) => object]>([
    ['knows no such handshake', (message) => error(message, { code: -32601, message: 'Method not found' })],
    ['speaks only newer revisions', (message) => unsupported(message, -32022, ['2026-07-28'])],
    ['speaks only newer revisions, in the drafts’ number', (message) => unsupported(message, -32602, ['2026-07-28'])],
  ])('and %s is asked once more, in the same process', async (_, refuse) => {
    let greeted = false
    const { made, servers } = await started(
      (message, wire) => {
        if (message.method === 'server/discover' && greeted) wire.send(discovered(message, ['2026-07-28']))
        else if (message.method === 'initialize') {
          greeted = true
          wire.send(refuse(message))
        } else listed(message, wire)
      },
      { clock: quickClock },
    )
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', foundBy: 'discover' })
    expect([made.wires.length, made.wire.said()]).toEqual([1, ['server/discover', 'initialize', 'server/discover', 'tools/list']])
  })

  it('and answers the question after it was greeted is not taken for an old one', async () => {
    let question: Message = {}
    const { made, servers } = await started(
      (message, wire) => {
        if (message.method === 'server/discover') question = message
        else if (message.method === 'initialize')
          wire.send(discovered(question, ['2026-07-28']), error(message, { code: -32601, message: 'Method not found' }))
        else listed(message, wire)
      },
      { clock: quickClock },
    )
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', foundBy: 'discover' })
    expect([made.wires.length, made.wire.said()]).toEqual([1, ['server/discover', 'initialize', 'tools/list']])
  })
})

describe('a server of both eras, or of a draft', () => {
  it.each([
    ['lists only older ones', (message: Message) => discovered(message, ['2025-11-25', '2025-06-18'])],
    ['lists a draft and an older one', (message: Message) => discovered(message, ['DRAFT-2026-v1', '2025-06-18'])],
    ['refuses ours with the published number', (message: Message) => unsupported(message, -32022, ['2025-11-25'])],
    ['refuses ours with the drafts’ number', (message: Message) => unsupported(message, -32602, ['DRAFT-2026-v1', '2025-11-25'])],
  ])('that %s is spoken to in the revision that both know', async (_, discover) => {
    const { made, servers } = await started(answers(discover, '2025-11-25'))
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' })
    expect([made.wire.said().slice(0, 4), await call(servers, 'echo')]).toEqual([firstWords, 'done'])
  })

  it.each([
    ['lists', (message: Message) => discovered(message, ['DRAFT-2026-v2'])],
    ['refuses ours with the published number and names', (message: Message) => unsupported(message, -32022, ['DRAFT-2026-v2'])],
    ['refuses ours with the drafts’ number and names', (message: Message) => unsupported(message, -32602, ['DRAFT-2026-v2'])],
  ])('that %s nothing but another draft is left alone with a word on why', async (_, discover) => {
    const made = serve(answers(discover))
    const servers = host(made)
    await expect(servers.start('raw')).rejects.toEqual(fails('server.version-mismatch', { supported: ['DRAFT-2026-v2'] }))
    expect([made.wires.length, made.wire.said()]).toEqual([1, ['server/discover']])
  })

  it.each<[string, number, 'refuses' | 'lists', string[]]>([
    ['refuses ours with the drafts’ number and names', -32602, 'refuses', ['server/discover', 'server/discover']],
    ['refuses ours with the published number and names', -32022, 'refuses', ['server/discover', 'server/discover']],
    ['lists', 0, 'lists', ['server/discover']],
  ])('that %s nothing but DRAFT-2026-v1 is listed and called in that', async (_, code, how, questions) => {
    const { made, servers } = await started((message, wire) => {
      const asked = (message.params?.['_meta'] as JsonObject | undefined)?.[`${meta}/protocolVersion`]
      const discovers = message.method === 'server/discover'
      if (message.id === undefined) return
      if (asked !== 'DRAFT-2026-v1' && !(discovers && how === 'lists')) wire.send(unsupported(message, code, ['DRAFT-2026-v1']))
      else if (discovers) wire.send(result(message, { supportedVersions: ['DRAFT-2026-v1'], capabilities: { tools: {} } }))
      else if (message.method === 'tools/list') wire.send(result(message, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }))
      else wire.send(result(message, { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }))
    })
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', protocolVersion: 'DRAFT-2026-v1', foundBy: 'discover' })
    expect(await call(servers, 'echo')).toBe('done')
    expect([made.wires.length, made.wire.said()]).toEqual([1, [...questions, 'tools/list', 'tools/call']])
  })

  // The transports page of the draft still begins with `initialize` (docs/protocol/draft-2026-transports.md).
  it('that is greeted and chooses DRAFT-2026-v1 is listed and called in that', async () => {
    const { servers } = await started(answers((message) => error(message, { code: -32601, message: 'Method not found' }), 'DRAFT-2026-v1'))
    expect(servers.view('raw')?.session).toMatchObject({ era: 'legacy', protocolVersion: 'DRAFT-2026-v1', foundBy: 'initialize' })
    expect(await call(servers, 'echo')).toBe('done')
  })

  it('that answers nothing at first, and has no greeting, is asked in DRAFT-2026-v1 too', async () => {
    let greeted = false
    const { servers } = await started(
      (message, wire) => {
        const asked = (message.params?.['_meta'] as JsonObject | undefined)?.[`${meta}/protocolVersion`]
        if (message.method === 'initialize') {
          greeted = true
          wire.send(unsupported(message, -32602, ['DRAFT-2026-v1']))
        } else if (!greeted || message.id === undefined) return
        else if (asked !== 'DRAFT-2026-v1') wire.send(unsupported(message, -32602, ['DRAFT-2026-v1']))
        else if (message.method === 'server/discover') wire.send(discovered(message, ['DRAFT-2026-v1']))
        else wire.send(result(message, { tools: [] }))
      },
      { clock: quickClock },
    )
    expect(servers.view('raw')?.session).toMatchObject({ era: 'modern', protocolVersion: 'DRAFT-2026-v1' })
  })
})

describe('a server that does not begin', () => {
  it.each<[string, object, object]>([
    ['refuses to', { error: { code: -32000, message: 'The API key is missing' } }, { code: -32000 }],
    ['knows neither era', { error: { code: -32601, message: 'Method not found' } }, { code: -32601 }],
    ['answers with no greeting', { result: { capabilities: 5 } }, {}],
  ])('since it %s has said so: that it was ended for it is no news', async (_what, said, data) => {
    const made = serve((message, wire) => {
      if (message.method === 'initialize') wire.send({ jsonrpc: '2.0', id: message.id, ...said })
      else if (message.id !== undefined) wire.send(error(message, { code: -32601, message: 'Method not found' }))
    })
    await expect(host(made).start('raw')).rejects.toEqual(fails('server.not-mcp', data))
  })
})
