import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { AuditEntry } from '#main/store/store-api.ts'
import { auditedModels } from './host-models.ts'
import type { Models } from './models-api.ts'
import type { ModelEvent } from './provider.ts'

const request = {
  system: '',
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'secret words' }] }],
  tools: [],
  maxTokens: 9,
}
const end: ModelEvent[] = [
  { type: 'text', index: 0, text: 'an answer' },
  { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
  { type: 'done', reason: 'end' },
]

function make(events: readonly ModelEvent[], error?: Error) {
  const rows: AuditEntry[] = []
  const models = {
    async *stream() {
      yield* events
      if (error) throw error
    },
  } as unknown as Models
  const append = (entry: AuditEntry) => {
    rows.push(entry)
    return entry as never
  }
  const run = async (model: string, most = 9): Promise<void> => {
    let count = 0
    for await (const _ of auditedModels(models, { append }).stream(model, request, new AbortController().signal))
      if (++count === most) return
  }
  return { rows, run, decisions: () => rows.map(({ decision }) => decision) }
}

it('what goes to a model is on record before it goes, and how it ended, without its words', async () => {
  const { rows, run, decisions } = make(end)
  await run('anthropic/claude')
  expect(decisions()).toEqual(['sent', 'done'])
  expect(rows[1]?.detail).toMatchObject({ model: 'anthropic/claude', inputTokens: 3, outputTokens: 2 })
  expect(JSON.stringify(rows)).not.toMatch(/secret words|an answer/)
})

it('a failure, a cancellation and an answer that nobody waits for are each on record', async () => {
  const failed = make([], new HostError('model.overloaded', 'busy'))
  await expect(failed.run('anthropic/claude')).rejects.toThrow('busy')
  const cancelled = make([], new HostError('cancelled', 'stopped'))
  await expect(cancelled.run('anthropic/claude')).rejects.toThrow('stopped')
  const left = make(end)
  await left.run('anthropic/claude', 1)
  expect([failed, cancelled, left].map((one) => one.decisions()[1])).toEqual(['failed', 'cancelled', 'cancelled'])
})

it('nothing goes that cannot be put on record', async () => {
  let asked = false
  const models = {
    async *stream() {
      asked = true
      yield* end
    },
  } as unknown as Models
  const append = (): never => {
    throw new HostError('disk.full', 'full')
  }
  const answer = auditedModels(models, { append }).stream('anthropic/claude', request, new AbortController().signal)
  await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow('full')
  expect(asked).toBe(false)
})

it('the practice model leaves no row: nothing goes anywhere', async () => {
  const { rows, run } = make(end)
  await run('practice/practice')
  expect(rows).toEqual([])
})
