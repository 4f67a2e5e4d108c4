// Connection tests under way. One that no page watches is ended: a closed window leaves neither a program nor a question behind.
// What the person agreed to holds for the rest of the set-up: neither trying nor saving the same asks again.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ConnectionTestSummary } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import type { ConnectionTestApproval } from '#main/consent/broker-api.ts'
import type { ConnectionTest } from './connection-test.ts'

interface ApprovedTest {
  readonly definition: ServerDefinition
  readonly yes: ConnectionTestApproval
}

const most = { connectionTests: 8, agreed: 100 }
export const connectionTestTimes = {
  /** A watcher is answered at the latest after so long, in milliseconds. */
  answerMs: 20_000,
  leaseMs: 10_000,
}

interface Entry {
  readonly connectionTest: ConnectionTest
  watchers: number
  cancelLease: () => void
}

export function createConnectionTests({ clock }: { readonly clock: Clock }) {
  const entries = new Map<string, Entry>()
  const over = new Map<string, ApprovedTest>()

  const agreedIn = ({ definition, yes }: ConnectionTest): ApprovedTest | undefined => {
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
    entry.cancelLease = clock.after(connectionTestTimes.leaseMs, () => void entry.connectionTest.end())
  }

  function drop(id: string): Promise<void> {
    const entry = entries.get(id)
    entries.delete(id)
    if (!entry) return Promise.resolve()
    entry.cancelLease()
    const agreed = agreedIn(entry.connectionTest)
    if (agreed) over.set(id, agreed)
    for (const old of [...over.keys()].slice(0, -most.agreed)) over.delete(old)
    return entry.connectionTest.end()
  }

  return {
    begin(connectionTest: ConnectionTest): string {
      const id = newId()
      const entry: Entry = { connectionTest, watchers: 0, cancelLease: () => undefined }
      entries.set(id, entry)
      lease(entry)
      for (const old of [...entries.keys()].slice(0, -most.connectionTests)) void drop(old)
      return id
    },
    /** Resolves when there is something that was not in the view of that revision, and after a while in any case. */
    async watch(id: string, after: number): Promise<ConnectionTestSummary> {
      const entry = known(id)
      const { connectionTest } = entry
      entry.cancelLease()
      entry.watchers += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      const undo = [connectionTest.onChange(resolve), clock.after(connectionTestTimes.answerMs, resolve)]
      if (connectionTest.view().revision > after || connectionTest.view().over) resolve()
      await promise
      for (const step of undo) step()
      entry.watchers -= 1
      if (entry.watchers === 0 && entries.has(id)) lease(entry)
      return connectionTest.view()
    },
    end: drop,
    get: (id: string): ConnectionTest | undefined => entries.get(id)?.connectionTest,
    agreed: (ids: readonly string[]): readonly ApprovedTest[] =>
      ids.flatMap((id) => {
        const connectionTest = entries.get(id)?.connectionTest
        return (connectionTest ? agreedIn(connectionTest) : over.get(id)) ?? []
      }),
    forget(ids: readonly string[]): void {
      for (const id of ids) {
        void drop(id)
        over.delete(id)
      }
    },
    async dispose(): Promise<void> {
      await Promise.allSettled([...entries.keys()].map(drop))
      over.clear()
    },
  }
}
