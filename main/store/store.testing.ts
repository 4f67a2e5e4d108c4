// For tests: a store in a folder of its own, and a clock that stands where it is put.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import { openStore } from './open-store.ts'
import { createMemoryKey } from './signed-state.ts'
import type { Store } from './store-api.ts'

export interface TestProfile {
  readonly dataDir: string
  readonly path: string
  readonly clock: Clock & { time: number }
  /** What was logged at `warn` and above. */
  readonly logged: string[]
  /** Opens it, or returns the one that is open. */
  store(): Store
  reopen(): Store
  /** Opens it from then on as on another machine, without the key that signed its permissions. */
  loseKey(): void
  /** Closes it and removes the folder. */
  dispose(): void
}

export function makeProfile(): TestProfile {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-store-'))
  const clock = { time: 1_000_000, now: () => clock.time, after: () => () => {} }
  const logged: string[] = []
  const keep = (message: string): void => void logged.push(message)
  const log: Log = { debug: () => {}, info: () => {}, warn: keep, error: keep }
  let store: Store | undefined
  let key = createMemoryKey()
  const profile: TestProfile = {
    dataDir,
    path: join(dataDir, 'assent.db'),
    clock,
    logged,
    store() {
      if (store) return store
      store = openStore({ dataDir, clock, log })
      store.signed.open(key)
      return store
    },
    reopen() {
      store?.close()
      store = undefined
      return profile.store()
    },
    loseKey() {
      key = createMemoryKey()
    },
    dispose() {
      store?.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return profile
}

/** The `code` of the HostError that `work` throws; undefined when it throws none. */
export function codeOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return undefined
}
