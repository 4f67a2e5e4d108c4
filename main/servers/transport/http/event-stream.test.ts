import { describe, expect, it } from 'vitest'
import { hostErrorInData } from '../stdio/message-envelope.ts'
import { type RepairOptions, readReply, repairEvents } from './event-stream.ts'
import { createResumption } from './resumption.ts'

async function repaired(chunks: readonly string[], options: RepairOptions = {}): Promise<string> {
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
      controller.close()
    },
  })
  return new Response(bytes.pipeThrough(repairEvents(options))).text()
}

describe('an event stream', () => {
  it('goes through as it came', async () => {
    const text = ': hello\nid: 1\nretry: 10\ndata: \n\nevent: message\ndata: {"a":[1,2]}\n\n'
    expect(await repaired([text])).toBe(text)
  })

  const one = '{"jsonrpc":"2.0","id":1,"result":{"text":"é"}}'
  const two = '{"jsonrpc":"2.0","method":"notifications/progress"}'

  it('has one event for each message of a batch, with what belongs to the event', async () => {
    expect(await repaired([`id: 7\nevent: message\ndata: [${one},${two}]\n\ndata: {"c":3}\n\n`])).toBe(
      `id: 7\nevent: message\ndata: ${one}\n\nevent: message\ndata: ${two}\n\ndata: {"c":3}\n\n`,
    )
    expect(await repaired([`data: [${one},\ndata: ${two}]\nid: 8\n\n`])).toBe(`id: 8\ndata: ${one}\n\ndata: ${two}\n\n`)
  })

  it('keeps an empty batch as an event that says nothing, and what only looks like a batch', async () => {
    expect(await repaired(['id: 9\ndata: []\n\n'])).toBe('id: 9\ndata:\n\n')
    expect(await repaired(['data: [not json\n\n'])).toBe('data: [not json\n\n')
  })

  it('loses of a batch only what is no message, and tells how much that was', async () => {
    const strays: number[] = []
    const text = await repaired([`data: [7,null,"x",[],{"jsonrpc":"1.0"},${two}]\n\n`], { onStrays: (count) => strays.push(count) })
    expect([text, strays]).toEqual([`data: ${two}\n\n`, [5]])
  })

  it('moves on with an event that is nothing but an id', async () => {
    expect(await repaired(['id: 3\n\n: calm\n\n'])).toBe('id: 3\ndata:\n\n: calm\n\n')
  })

  it.each(['\n', '\r\n', '\r'])('is the same wherever it is cut, with lines that end in %j', async (end) => {
    const text = ['id: 1', `data: [${one},${two}]`, '', 'data: {"c":3}', '', ''].join(end)
    const whole = `id: 1\ndata: ${one}\n\ndata: ${two}\n\ndata: {"c":3}\n\n`
    for (let at = 0; at <= text.length; at += 1) expect(await repaired([text.slice(0, at), '', text.slice(at)])).toBe(whole)
    expect(await repaired([...text])).toBe(whole)
  })

  it('loses an event that was cut off', async () => {
    expect(await repaired(['data: {"a":1}\n\ndata: [{"b":2}]\n'])).toBe('data: {"a":1}\n\n')
  })

  it('that was resumed says again from where, and not again what had come before', async () => {
    const resumption = createResumption(() => 0)
    expect(await repaired([], { place: resumption.resume('event-4') })).toBe('id: event-4\ndata:\n\n')
    const event = (id: number): string => `id: ${id}\ndata: {}\n\n`
    expect(await repaired([event(1), event(2)], { place: resumption.begin() })).toBe(event(1) + event(2))
    expect(await repaired([event(1), event(2), event(3)], { place: resumption.resume('2') })).toBe(`id: 2\ndata:\n\n${event(3)}`)
    expect(await repaired([event(1), event(3), event(4)], { place: resumption.resume('3') })).toBe(`id: 3\ndata:\n\n${event(4)}`)
    expect(await repaired([event(1)], { place: resumption.begin() })).toBe(event(1))
  })
})

describe('what is slow to parse', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key${n}`, n])))
  const answer = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`
  const codeIn = (text: string): string | undefined => {
    const { error } = JSON.parse(text) as { error?: { data?: unknown } }
    return hostErrorInData(error?.data)?.code
  }
  const reply = async (text: string) => {
    const response = new Response(text, { headers: { 'content-type': 'application/json' } })
    const asked = { id: 1, method: 'tools/call', safe: false, modern: false }
    const read = await readReply(response, asked as never, { server: 's', inSession: false, onStrays: () => undefined })
    return (await read.json()) as { result?: { structuredContent?: unknown }; error?: unknown }
  }

  it('is the error of the answer that it is part of, in an event', async () => {
    const text = await repaired([`id: 1\ndata: ${answer(many)}\n\ndata: {"a":1}\n\n`])
    const [, costly = '', rest] = /^id: 1\ndata: (.*)\n\n([\s\S]*)$/.exec(text) ?? []
    expect([codeIn(costly), rest]).toEqual(['server.too-large', 'data: {"a":1}\n\n'])
  })

  it('ends a stream where it names no answer', async () => {
    const note = `{"jsonrpc":"2.0","method":"notifications/message","params":${many}}`
    await expect(repaired([`data: ${note}\n\n`])).rejects.toMatchObject({ code: 'server.too-large' })
  })

  it('is the error of the answer that it is, also behind a byte order mark', async () => {
    for (const start of ['', '\ufeff'])
      expect([start, codeIn(JSON.stringify(await reply(start + answer(many))))]).toEqual([start, 'server.too-large'])
  })

  it('goes through within its bounds', async () => {
    const text = `data: ${answer(JSON.stringify({ content: Array.from({ length: 20_000 }, (_, n) => ({ type: 'text', text: `line ${n}` })) }))}\n\n`
    expect(await repaired([text.slice(0, 1000), text.slice(1000)])).toBe(text)
  })
})
