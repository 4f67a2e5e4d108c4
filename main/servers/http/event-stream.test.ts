import { describe, expect, it } from 'vitest'
import { repairEvents } from './event-stream.ts'

async function repaired(chunks: readonly string[], resumedFrom: string | null = null): Promise<string> {
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
      controller.close()
    },
  })
  return new Response(bytes.pipeThrough(repairEvents(resumedFrom))).text()
}

describe('an event stream', () => {
  it('goes through as it came', async () => {
    const text = ': hello\nid: 1\nretry: 10\ndata: \n\nevent: message\ndata: {"a":[1,2]}\n\n'
    expect(await repaired([text])).toBe(text)
  })

  it('has one event for each message of a batch, with what belongs to the event', async () => {
    expect(await repaired(['id: 7\nevent: message\ndata: [{"a":1},{"b":2}]\n\ndata: {"c":3}\n\n'])).toBe(
      'id: 7\nevent: message\ndata: {"a":1}\n\nevent: message\ndata: {"b":2}\n\ndata: {"c":3}\n\n',
    )
    expect(await repaired(['data: [{"a":1},\ndata: {"b":2}]\nid: 8\n\n'])).toBe('id: 8\ndata: {"a":1}\n\ndata: {"b":2}\n\n')
  })

  it('keeps an empty batch as an event that says nothing, and what only looks like a batch', async () => {
    expect(await repaired(['id: 9\ndata: []\n\n'])).toBe('id: 9\ndata:\n\n')
    expect(await repaired(['data: [not json\n\n'])).toBe('data: [not json\n\n')
  })

  it.each(['\n', '\r\n', '\r'])('is the same wherever it is cut, with lines that end in %j', async (end) => {
    const text = ['id: 1', 'data: [{"a":"é"},{"b":2}]', '', 'data: {"c":3}', '', ''].join(end)
    const whole = 'id: 1\ndata: {"a":"é"}\n\ndata: {"b":2}\n\ndata: {"c":3}\n\n'
    for (let at = 0; at <= text.length; at += 1) expect(await repaired([text.slice(0, at), '', text.slice(at)])).toBe(whole)
    expect(await repaired([...text])).toBe(whole)
  })

  it('loses an event that was cut off', async () => {
    expect(await repaired(['data: {"a":1}\n\ndata: [{"b":2}]\n'])).toBe('data: {"a":1}\n\n')
  })

  it('that was resumed says again from where', async () => {
    expect(await repaired([], 'event-4')).toBe('id: event-4\ndata:\n\n')
  })
})
