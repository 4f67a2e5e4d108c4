// The end of the record, kept outside it: now and then the number and the hash of the last row go into the secret store.
// Whoever rewrites the whole chain, its head too, cannot write there, so rows up to the seal cannot be altered or cut
// unseen. A seal that does not fit the record any more is never replaced: it goes on showing that.
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { AuditReader, ChainEnd } from '#main/store/store-api.ts'

interface AnchorStore {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

export interface AuditAnchor {
  /** A row was added. */
  touched(): void
  /** What was kept last; undefined: nothing, or the store did not answer. */
  kept(): Promise<ChainEnd | undefined>
  /** Keeps the end as it is now. */
  seal(): Promise<void>
  /** No more seals by themselves. */
  stop(): void
}

const sealName = 'record-seal'
const everyMs = 10_000

export async function readAnchor(secrets: Pick<AnchorStore, 'get'>): Promise<ChainEnd | undefined> {
  const [, seq, hash] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec((await secrets.get(sealName)) ?? '') ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export function createAuditAnchor(options: {
  readonly audit: Pick<AuditReader, 'head' | 'row'>
  readonly secrets: AnchorStore
  readonly clock: Clock
  readonly log: Log
}): AuditAnchor {
  const { audit, secrets, clock, log } = options
  let cancel: (() => void) | undefined
  let stopped = false
  let sealed: string | undefined

  async function seal(): Promise<void> {
    cancel?.()
    cancel = undefined
    const before = await readAnchor(secrets)
    if (before && audit.row(before.seq)?.hash !== before.hash) {
      log.warn(`The record does not hold row ${before.seq} as it was kept. Its seal stays as it is.`)
      return
    }
    const head = audit.head()
    const value = head && `${head.seq} ${head.hash}`
    // A head that somebody moved is no row.
    if (!value || value === sealed || audit.row(head.seq)?.hash !== head.hash) return
    await secrets.set(sealName, value)
    sealed = value
  }

  return {
    touched() {
      if (stopped) return
      cancel ??= clock.after(everyMs, () => {
        seal().catch((error: unknown) => log.debug(`The record was not sealed: ${error instanceof Error ? error.message : error}`))
      })
    },
    kept: () => readAnchor(secrets).catch(() => undefined),
    seal,
    stop() {
      stopped = true
      cancel?.()
      cancel = undefined
    },
  }
}
