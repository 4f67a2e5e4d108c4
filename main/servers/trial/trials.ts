// The servers that are being tried out. A trial is there for a page that looks at it: one that nobody watches is ended, so
// that a window that was closed leaves neither a program nor a question behind. What the person agreed to outlives the run,
// for as long as the set-up goes on that it is part of: neither trying nor saving the same asks again.
import { HostError } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { TrialView } from '#app/server/trial.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import type { TrialYes } from '#main/consent/types.ts'
import type { Trial } from './try-out.ts'

export interface Trials {
  /** Returns its id. */
  begin(trial: Trial): string
  /** Resolves when there is something that was not in the view of that revision, and after a while in any case. */
  watch(id: string, after: number): Promise<TrialView>
  end(id: string): Promise<void>
  /** Undefined: it is over. */
  get(id: string): Trial | undefined
  /** What was agreed to in those of them that are not forgotten. */
  agreed(ids: readonly string[]): readonly Agreed[]
  /** Their set-up is over: what was agreed to counts no more. */
  forget(ids: readonly string[]): void
  dispose(): Promise<void>
}

export interface Agreed {
  readonly definition: ServerDefinition
  readonly yes: TrialYes
}

const most = { trials: 8, agreed: 100 }
export const trialTimes = {
  /** A watcher is answered at the latest after so long, in milliseconds. */
  answerMs: 20_000,
  /** Not watched for so long, it is ended. */
  leaseMs: 10_000,
}

interface Entry {
  readonly trial: Trial
  watchers: number
  cancelLease: () => void
}

export function createTrials({ clock }: { readonly clock: Clock }): Trials {
  const entries = new Map<string, Entry>()
  const over = new Map<string, Agreed>()

  const agreedIn = ({ definition, yes }: Trial): Agreed | undefined => {
    const said = yes()
    return said && { definition, yes: said }
  }
  const known = (id: string): Entry => {
    const entry = entries.get(id)
    if (entry) return entry
    throw new HostError('cancelled', t`This test run is over.`)
  }
  const lease = (entry: Entry): void => {
    entry.cancelLease()
    entry.cancelLease = clock.after(trialTimes.leaseMs, () => void entry.trial.end())
  }

  function drop(id: string): Promise<void> {
    const entry = entries.get(id)
    entries.delete(id)
    if (!entry) return Promise.resolve()
    entry.cancelLease()
    const agreed = agreedIn(entry.trial)
    if (agreed) over.set(id, agreed)
    for (const old of [...over.keys()].slice(0, -most.agreed)) over.delete(old)
    return entry.trial.end()
  }

  return {
    begin(trial) {
      const id = newId()
      const entry: Entry = { trial, watchers: 0, cancelLease: () => undefined }
      entries.set(id, entry)
      lease(entry)
      for (const old of [...entries.keys()].slice(0, -most.trials)) void drop(old)
      return id
    },
    async watch(id, after) {
      const entry = known(id)
      const { trial } = entry
      entry.cancelLease()
      entry.watchers += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      const undo = [trial.onChange(resolve), clock.after(trialTimes.answerMs, resolve)]
      if (trial.view().revision > after || trial.view().over) resolve()
      await promise
      for (const step of undo) step()
      entry.watchers -= 1
      if (entry.watchers === 0 && entries.has(id)) lease(entry)
      return trial.view()
    },
    end: (id) => drop(id),
    get: (id) => entries.get(id)?.trial,
    agreed: (ids) =>
      ids.flatMap((id) => {
        const trial = entries.get(id)?.trial
        return (trial ? agreedIn(trial) : over.get(id)) ?? []
      }),
    forget(ids) {
      for (const id of ids) {
        void drop(id)
        over.delete(id)
      }
    },
    async dispose() {
      await Promise.allSettled([...entries.keys()].map(drop))
      over.clear()
    },
  }
}
