// Progress over stdio (MCP, "Progress"): what belongs to a call that runs is heard, all of it and in order; nothing else is.
import { describe, expect, it } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import { called } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, started, tokenOf } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const calling = (onCall: (message: Message, wire: Wire) => void) =>
  older('2025-06-18', (message, wire) => {
    if (message.method === 'tools/call') onCall(message, wire)
    return message.method === 'tools/call'
  })
const word = (progressToken: unknown, progress: unknown, more: JsonObject = {}): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress, ...more },
})

/** What is heard of a call that the server deals with so. */
async function heard(onCall: (message: Message, wire: Wire) => void): Promise<{ words: Progress[]; text: string | undefined }> {
  const { servers } = await started(calling(onCall))
  const words: Progress[] = []
  const text = await call(servers, 'echo', {}, { onProgress: (progress) => words.push(progress) })
  // Whatever was still on its way has come when this has been answered.
  await call(servers, 'other')
  return { words, text }
}
const other = ({ params }: Message): boolean => params?.['name'] === 'other'

describe('progress', () => {
  it('that comes in one piece with the answer is heard before it, all of it', async () => {
    const { words, text } = await heard((message, wire) => {
      const steps = Array.from({ length: 50 }, (_, index) => word(tokenOf(message), index, { total: 50, message: `step ${index}` }))
      wire.send(...(other(message) ? [] : steps), called(message, 'done'))
    })
    expect([words.length, words.map(({ progress }) => progress), text]).toEqual([
      50,
      Array.from({ length: 50 }, (_, index) => index),
      'done',
    ])
    expect(words[7]).toEqual({ progress: 7, total: 50, message: 'step 7' })
  })

  it.each<[string, (token: unknown) => unknown]>([
    ['of another call', (token) => Number(token) + 1000],
    ['that is a text', () => 'nobody'],
    ['that is null', () => null],
    ['that is an object', () => ({ __proto__: 1 })],
    ['that is not there', () => undefined],
  ])('with a token %s is not heard', async (_, tokenFrom) => {
    const { words, text } = await heard((message, wire) =>
      wire.send(...(other(message) ? [] : [word(tokenFrom(tokenOf(message)), 1), word(tokenOf(message), 2)]), called(message, 'done')),
    )
    expect([words.map(({ progress }) => progress), text]).toEqual([[2], 'done'])
  })

  it('of two calls at once goes to each its own', async () => {
    const waiting: Message[] = []
    const { servers } = await started(
      calling((message, wire) => {
        waiting.push(message)
        if (waiting.length < 2) return
        const [first, second] = waiting as [Message, Message]
        wire.send(
          word(tokenOf(second), 20),
          word(tokenOf(first), 10),
          word(tokenOf(second), 21),
          called(second, 'second'),
          word(tokenOf(first), 11),
          called(first, 'first'),
        )
      }),
    )
    const words: Record<string, number[]> = { echo: [], other: [] }
    const run = (name: 'echo' | 'other') => call(servers, name, {}, { onProgress: ({ progress }) => words[name]?.push(progress) })
    const results = [run('echo'), run('other')]
    expect([await Promise.all(results), words]).toEqual([['first', 'second'], { echo: [10, 11], other: [20, 21] }])
  })

  it('after the answer is not heard, nor by the next call', async () => {
    let before: unknown
    const { words } = await heard((message, wire) => {
      if (other(message)) wire.send(word(before, 3), called(message, 'done'))
      else {
        before = tokenOf(message)
        wire.send(word(before, 1), called(message, 'done'), word(before, 2))
      }
    })
    expect(words.map(({ progress }) => progress)).toEqual([1])
  })

  it('after the call was cancelled is not heard', async () => {
    const control = new AbortController()
    let wireOf: Wire | undefined
    let token: unknown
    const { servers } = await started(
      calling((message, wire) => {
        if (other(message)) wire.send(word(token, 2), word(token, 3), called(message, 'done'))
        else {
          token = tokenOf(message)
          wireOf = wire
          wire.send(word(token, 1))
        }
      }),
    )
    const words: number[] = []
    const onProgress = ({ progress }: Progress): void => {
      words.push(progress)
      control.abort()
    }
    await expect(call(servers, 'echo', {}, { signal: control.signal, onProgress })).rejects.toEqual(fails('cancelled'))
    await call(servers, 'other')
    expect([words, wireOf?.said().slice(-2)]).toEqual([[1], ['notifications/cancelled', 'tools/call']])
  })

  /** It MUST increase; a server whose does not is shown as it says, and its call goes on. */
  it('that goes back, stands still or is no number harms nothing', async () => {
    const { words, text } = await heard((message, wire) => {
      const steps = [3, 1, 1, -5, 'four', null, 1e308].map((progress) => word(tokenOf(message), progress))
      wire.send(...(other(message) ? [] : steps), called(message, 'done'))
    })
    expect([words.map(({ progress }) => progress), text]).toEqual([[3, 1, 1, -5, 1e308], 'done'])
  })

  it('has a token of its own for each call, which the answers of the server do not change', async () => {
    const { servers, made } = await started(calling((message, wire) => wire.send(called(message, 'done'))))
    for (let n = 0; n < 3; n += 1) await call(servers, 'echo', { _meta: { progressToken: 'mine' } })
    const tokens = made.wire.seen.filter(({ method }) => method === 'tools/call').map(tokenOf)
    expect([new Set(tokens).size, tokens.includes('mine')]).toEqual([3, false])
  })
})
