// Tokens that servers used of the model today. The most that an answer may take is counted before the request, and corrected after it:
// parallel requests cannot pass a limit together, and after a crash too much is counted rather than too little.
import type { SamplingDay } from '#app/consent/rules/sampling-budget.ts'
import type { Clock } from '#main/base/clock.ts'
import type { SamplingStore } from '#main/store/store-api.ts'

/** Corrects what was counted, once, to the tokens that were used. */
export type Spent = (tokens: number) => void

export type SamplingUsage = ReturnType<typeof createSamplingUsage>

export function createSamplingUsage(store: SamplingStore, clock: Clock) {
  const today = (): string => dayName(clock.now())
  return {
    day: (server: string): SamplingDay => ({ used: store.used(server, today()), budget: store.budget(server) }),
    hold(server: string, tokens: number): Spent {
      const day = today()
      store.addUse(server, day, tokens)
      let open = true
      return (spent) => {
        if (!open) return
        open = false
        // Days that are over are not counted.
        if (day === today()) store.addUse(server, day, spent - tokens)
      }
    },
  }
}

function dayName(time: number): string {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
