// The tokens that a server has had of the model today. What an answer may take is counted before it is asked for, and set
// right when it is there: several at a time cannot pass a limit together, and a crash errs on the side of too much.
import type { SamplingDay } from '#app/consent/rules/sampling-budget.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SamplingStore } from '#main/store/store-api.ts'

/** Sets right what was counted, once: the tokens that it took. */
export type Spent = (tokens: number) => void

export interface SamplingUsage {
  day(server: string): SamplingDay
  /** `tokens`: as many as it may take at most. */
  hold(server: string, tokens: number): Spent
}

export function createSamplingUsage(store: SamplingStore, clock: Clock): SamplingUsage {
  const today = (): string => dayName(clock.now())
  return {
    day: (server) => ({ used: store.used(server, today()), budget: store.budget(server) }),
    hold(server, tokens) {
      const day = today()
      store.addUse(server, day, tokens)
      let open = true
      return (spent) => {
        if (!open) return
        open = false
        // Of a day that is over nothing is counted any more.
        if (day === today()) store.addUse(server, day, spent - tokens)
      }
    },
  }
}

/** As on this computer's calendar: 2026-09-14. */
function dayName(time: number): string {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
