// Completions while somebody types. Results are kept for a little while on one connection. A request that the next key press has
// overtaken is cancelled, or not even sent when it comes too soon after another.
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { Completion, CompletionQuery } from '#app/server/completion.ts'
import { wait } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'

type Ask = (params: Readonly<Record<string, Json>>, signal: AbortSignal) => Promise<JsonObject>

const keptMs = 30_000
const maxKept = 100
/** Milliseconds between two requests to a server. */
const restMs = 150
const maxValues = 100
/** A suggestion is for a person to choose. One that is longer is left out: cut, it would be another. */
const longestValue = 2000

const answer = z.object({
  completion: z.object({
    values: z.array(z.unknown()),
    total: z.number().optional().catch(undefined),
    hasMore: z.boolean().optional().catch(undefined),
  }),
})

export function createCompletions({ server, clock }: { readonly server: string; readonly clock: Clock }) {
  const kept = new Map<string, { readonly until: number; readonly completion: Completion }>()
  const asking = new Map<string, AbortController>()
  let lastSent = Number.NEGATIVE_INFINITY

  async function rest(signal: AbortSignal): Promise<void> {
    for (let left = restLeft(); left > 0 && !signal.aborted; left = restLeft()) await wait(clock, left, signal).catch(() => undefined)
    if (signal.aborted) throw new HostError('cancelled', t`It was cancelled.`)
    lastSent = clock.now()
  }
  const restLeft = (): number => lastSent + restMs - clock.now()

  function keep(key: string, completion: Completion): void {
    kept.delete(key)
    kept.set(key, { until: clock.now() + keptMs, completion })
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) return
      kept.delete(oldest)
    }
  }

  return {
    async complete({ ref, argument, context }: CompletionQuery, signal: AbortSignal, ask: Ask): Promise<Completion> {
      const topic = JSON.stringify([ref, argument.name])
      const key = JSON.stringify([ref, argument, context ?? null])
      asking.get(topic)?.abort()
      asking.delete(topic)
      const known = kept.get(key)
      if (known && known.until > clock.now()) return known.completion
      const control = new AbortController()
      asking.set(topic, control)
      const either = AbortSignal.any([signal, control.signal])
      try {
        await rest(either)
        const completion = read(server, await ask({ ref, argument, ...(context ? { context } : {}) }, either))
        keep(key, completion)
        return completion
      } finally {
        if (asking.get(topic) === control) asking.delete(topic)
      }
    },
    clear: (): void => kept.clear(),
  }
}

function read(server: string, result: JsonObject): Completion {
  const parsed = answer.safeParse(result)
  if (!parsed.success) throw new HostError('server.protocol', t`“${server}” completed with no list of values.`, { data: { server } })
  const { values, total, hasMore } = parsed.data.completion
  const usable = values.filter((value): value is string => typeof value === 'string' && value.length <= longestValue)
  return { values: usable.slice(0, maxValues), ...defined({ total, hasMore }) }
}
