// What one server went through in this run of the host: how often it was started, and how it failed last.
import { type LastError, nextRunCounts, noRuns, type RunCounts } from '#app/server/activity.ts'
import type { ServerState } from '#app/server/state.ts'

export interface RunHistory {
  /** Told of its state whenever that may have changed. */
  observe(state: ServerState): void
  readonly counts: RunCounts
  readonly lastFailure: Extract<LastError, { kind: 'server' }> | undefined
}

export function createRunHistory(): RunHistory {
  let before: ServerState = { kind: 'stopped', reason: 'never-started' }
  let counts = noRuns
  let lastFailure: RunHistory['lastFailure']
  return {
    observe(state) {
      counts = nextRunCounts(counts, before, state)
      if (state.kind === 'failed') lastFailure = { kind: 'server', at: state.at, error: state.error }
      before = state
    },
    get counts() {
      return counts
    },
    get lastFailure() {
      return lastFailure
    },
  }
}
