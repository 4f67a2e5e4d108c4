import { describe, expect, it } from 'vitest'
import { capBody, repairEvents } from './event-stream.ts'

const limit = { server: 'raw', maxBytes: 10 }
const stream = (chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
      controller.close()
    },
  })
const read = (chunks: readonly string[]): Promise<string> => new Response(capBody(stream(chunks), limit)).text()
const readEvents = (chunks: readonly string[]): Promise<string> => new Response(stream(chunks).pipeThrough(repairEvents({ limit }))).text()
const tooLarge = expect.objectContaining({ code: 'server.too-large', data: { server: 'raw', limit: 10 } })

describe('what a server answers', () => {
  it('may be as long as the limit, and no longer', async () => {
    expect(await read(['12345', '67890'])).toBe('1234567890')
    await expect(read(['12345', '678901'])).rejects.toEqual(tooLarge)
  })

  it.each(['\n', '\r\n', '\r'])('may be any length in events, each no longer than the limit, with lines that end in %j', async (end) => {
    const events = Array.from({ length: 5 }, (_, index) => [`data:1234${index}${end}`, end]).flat()
    const whole = events.join('').replaceAll(end, '\n')
    expect(await readEvents(events)).toBe(whole)
    expect(await readEvents([events.join('')])).toBe(whole)
    await expect(readEvents([...events, `data:1${end}`, `data:2${end}`])).rejects.toEqual(tooLarge)
    await expect(readEvents([...events, 'data:', '123456'])).rejects.toEqual(tooLarge)
  })
})
