// A fault that is brought about in one server while another is called, and what is measured of it.
import type { JsonObject } from '#app/json.ts'
import { seeded } from '#app/testing/seeded.ts'
import { promised } from './limits.ts'
import type { RunOptions } from './options.ts'
import type { Row } from './row.ts'
import { onStage, type Stage } from './stage.ts'

export interface Outcome {
  /** Milliseconds until it was noticed; of several, the longest. */
  readonly detected?: number
  /** What was not as promised. */
  readonly wrong: readonly string[]
  /** Calls that came to no end, or to a wrong one. */
  readonly lost?: number
}

/** The server that fails, for one repetition. */
export interface Act {
  /** Its entry in the servers file. */
  readonly entry: JsonObject
  run(stage: Stage): Promise<Outcome>
  close?(): Promise<void>
}

export interface Fault {
  readonly fault: string
  open(random: () => number): Act | Promise<Act>
}

export const since = (from: number): number => performance.now() - from
export const unless = (holds: boolean, word: string): string[] => (holds ? [] : [word])

/** Each in a host of its own, one repetition after another: a fortieth of what was asked for. */
export const faultGroups = (kind: string, faults: readonly Fault[], options: RunOptions) =>
  faults.map(({ fault, open }) => ({
    name: `${kind}: ${fault}`,
    async run(): Promise<Row[]> {
      const reps = Math.max(1, Math.floor(options.reps / 40))
      const detected: number[] = []
      const peers: number[] = []
      const wrong: string[] = []
      let lost = 0
      let grown = 0
      for (let rep = 0; rep < reps; rep += 1) {
        try {
          const act = await open(seeded(options.seed + rep))
          try {
            const measured = await onStage(act.entry, options.quick, async (stage) => {
              const outcome = await act.run(stage)
              if (outcome.detected !== undefined) detected.push(outcome.detected)
              wrong.push(...outcome.wrong)
              lost += outcome.lost ?? 0
            })
            peers.push(...measured.peers)
            grown = Math.max(grown, measured.grown)
            if (measured.unanswered > 0) wrong.push(`${measured.unanswered} calls of the other server were not answered`)
          } finally {
            await act.close?.()
          }
        } catch (error) {
          wrong.push(error instanceof Error ? error.message : String(error))
        }
      }
      // In the quick half all share one process.
      const memory = options.quick ? {} : { grown }
      return [{ fault, reps, detected, withinMs: promised.noticedMs, lost, orphans: 0, peers, ...memory, wrong }]
    },
  }))
