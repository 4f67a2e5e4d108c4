import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { CompletionQuery } from '#app/server/completion.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createCompletions } from './completions.ts'

const { signal } = new AbortController()
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const query = (value: string, name = 'who'): CompletionQuery => ({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name, value } })
const answer = (values: readonly unknown[]): JsonObject => ({ completion: { values: values as string[] } })

function makeCompletions(reply: (value: string) => Promise<JsonObject> = (value) => Promise.resolve(answer([`${value}!`]))) {
  const clock = manualClock(0)
  const completions = createCompletions({ server: 'raw', clock })
  const sent: { readonly value: string; readonly signal: AbortSignal }[] = []
  const ask = (one: CompletionQuery) =>
    completions.complete(one, signal, (params, either) => {
      const { value } = params['argument'] as { value: string }
      sent.push({ value, signal: either })
      return reply(value)
    })
  return { clock, ask, clear: completions.clear, sent: () => sent.map(({ value }) => value), signals: () => sent.map((one) => one.signal) }
}

describe('suggestions', () => {
  it('are asked for at once, and kept for a little while', async () => {
    const kit = makeCompletions()
    expect(await kit.ask(query('a'))).toEqual({ values: ['a!'] })
    await kit.ask(query('a'))
    expect(kit.sent()).toEqual(['a'])
    kit.clock.advance(30_000)
    await kit.ask(query('a'))
    expect(kit.sent()).toEqual(['a', 'a'])
  })

  it('are another question with another context', async () => {
    const kit = makeCompletions()
    await kit.ask(query('a'))
    kit.clock.advance(150)
    await kit.ask({ ...query('a'), context: { arguments: { where: 'here' } } })
    expect(kit.sent()).toEqual(['a', 'a'])
  })

  it('are forgotten with the connection', async () => {
    const kit = makeCompletions()
    await kit.ask(query('a'))
    kit.clear()
    kit.clock.advance(150)
    await kit.ask(query('a'))
    expect(kit.sent()).toEqual(['a', 'a'])
  })

  it('that a key press overtakes are called off, and not sent when it comes too soon', async () => {
    const kit = makeCompletions(() => new Promise(() => {}))
    kit.ask(query('a')).catch(() => undefined)
    await settled()
    const second = kit.ask(query('ab')).catch((error: unknown) => error)
    await settled()
    expect([kit.sent(), kit.signals()[0]?.aborted]).toEqual([['a'], true])
    kit.ask(query('abc')).catch(() => undefined)
    expect(await second).toMatchObject({ code: 'cancelled' })
    kit.clock.advance(150)
    await settled()
    expect(kit.sent()).toEqual(['a', 'abc'])
  })

  it('about another argument are not called off', async () => {
    const kit = makeCompletions(() => new Promise(() => {}))
    kit.ask(query('a')).catch(() => undefined)
    kit.ask(query('b', 'where')).catch(() => undefined)
    kit.clock.advance(150)
    await settled()
    expect([kit.sent(), kit.signals().map(({ aborted }) => aborted)]).toEqual([
      ['a', 'b'],
      [false, false],
    ])
  })

  it('are a hundred at most, texts, and short ones', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `v${i}`)
    const kit = makeCompletions(() => Promise.resolve(answer([7, 'x'.repeat(2001), ...many])))
    expect((await kit.ask(query('a'))).values).toEqual(many.slice(0, 100))
  })

  it.each([[{}], [{ completion: 'none' }], [{ completion: { values: 'a' } }]])('that are none (%j) are an error', async (result) => {
    await expect(makeCompletions(() => Promise.resolve(result)).ask(query('a'))).rejects.toMatchObject({ code: 'server.protocol' })
  })

  it('are kept for so many questions and no more', async () => {
    const kit = makeCompletions()
    for (let i = 0; i < 101; i += 1) {
      kit.clock.advance(150)
      await kit.ask(query(`q${i}`))
    }
    await kit.ask(query('q100'))
    kit.clock.advance(150)
    await kit.ask(query('q0'))
    expect([kit.sent().length, kit.sent().at(-1)]).toEqual([102, 'q0'])
  })
})
