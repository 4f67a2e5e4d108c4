// Definitions and questions that are nested deeper than any code that walks them can follow, in a whole host: whoever
// stores, checks, shows or records them would run out of stack, at a depth of its own.
import { describe, expect, it } from 'vitest'
import { eventually, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { called } from '../http/raw-http.ts'
import { openWholeHost } from '../whole-host.ts'
import { closeAfterEach, serveByProcess } from './raw-stdio.ts'
import { type Answer, older } from './relayed.ts'

closeAfterEach()

const version = '2025-06-18'
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const open = async (answer: Answer) => {
  const made = await serveByProcess(answer)
  const { command, args } = raw('relay', made.path)
  return { made, kit: await openWholeHost('raw', { command, args: [...args] }, []) }
}

describe.each([600, 3000, 10_000, 40_000])('what is nested %d deep', (depth) => {
  it.each(['inputSchema', 'outputSchema', '_meta'])('in the %s of a tool loses that tool, with a word on why', async (place) => {
    const { kit } = await open(
      older(version, (message, wire) => {
        if (message.method === 'tools/call') wire.send(called(message, 'fine'))
        else if (message.method === 'tools/list')
          wire.write(
            `{"jsonrpc":"2.0","id":${message.id},"result":{"tools":[{"name":"deep","inputSchema":{"type":"object"},${JSON.stringify(place)}:{"type":"object","x":${nested(depth)}}},{"name":"echo","inputSchema":{"type":"object"}}]}}\n`,
          )
        else return false
        return true
      }),
    )
    const names = kit.host.context.servers.catalogue('raw').tools.map(({ name }) => name)
    // What nobody reads of a definition is not kept: then the tool is as good as any.
    expect(names.filter((name) => name !== 'deep' || place !== '_meta')).toEqual(['echo'])
    expect(kit.host.snapshot().servers[0]).toMatchObject({ state: { kind: 'ready' } })
    expect(await kit.call('echo')).toEqual({ content: [{ type: 'text', text: 'fine' }] })
    await kit.remove()
  })

  it('in a question is refused, and nobody is asked', async () => {
    const { made, kit } = await open(older(version, () => false))
    const ask = (id: string, method: string, params: string): void =>
      made.wire.write(`{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":${params}}\n`)
    ask(
      'metadata',
      'sampling/createMessage',
      `{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"metadata":${nested(depth)}}`,
    )
    ask(
      'meta',
      'sampling/createMessage',
      `{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"_meta":{"a":${nested(depth)}}}`,
    )
    await eventually(() => expect(made.wire.said()).toEqual(expect.arrayContaining(['error metadata', 'error meta'])))
    expect(kit.asked.map(({ kind }) => kind)).toEqual(['launch'])
    expect(kit.host.snapshot()).toMatchObject({ servers: [{ state: { kind: 'ready' } }], consentRequests: [] })
    made.wire.send({ jsonrpc: '2.0', id: 'after', method: 'ping' })
    await eventually(() => expect(made.wire.said()).toContain('result after'))
    await kit.remove()
  })

  it('in the text of a log is not kept whole, and harms nothing', async () => {
    const { made, kit } = await open(older(version, () => false))
    made.wire.write(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${nested(depth)}}}\n`)
    made.wire.send({ jsonrpc: '2.0', id: 'after', method: 'ping' })
    await eventually(() => expect(made.wire.said()).toContain('result after'))
    expect(kit.host.snapshot()).toMatchObject({ servers: [{ state: { kind: 'ready' } }] })
    for (const { text } of kit.host.context.servers.log('raw').lines) expect(text.length).toBeLessThan(10_000)
    await kit.remove()
  })
})
