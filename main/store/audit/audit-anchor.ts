// The anchor of the audit log: now and then the number and the hash of its last row are stored in the keyring. Whoever rewrites
// the whole chain with its head cannot write there, so a change or a cut of rows up to the anchor shows. An anchor that does not
// fit the log any more is never replaced: it goes on showing that.
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { AuditReader, ChainEnd } from './audit.ts'

interface AnchorStore {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

export type AuditAnchor = ReturnType<typeof createAuditAnchor>

const sealName = 'record-seal'
const everyMs = 10_000

export async function readAnchor(secrets: Pick<AnchorStore, 'get'>): Promise<ChainEnd | undefined> {
  const [, seq, hash] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec((await secrets.get(sealName)) ?? '') ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

interface AnchorOptions {
  readonly audit: Pick<AuditReader, 'head' | 'row'>
  readonly secrets: AnchorStore
  readonly clock: Clock
  readonly log: Log
}

export function createAuditAnchor({ audit, secrets, clock, log }: AnchorOptions) {
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
    // A head that was moved has no row.
    if (!value || value === sealed || audit.row(head.seq)?.hash !== head.hash) return
    await secrets.set(sealName, value)
    sealed = value
  }

  return {
    touched(): void {
      if (stopped) return
      cancel ??= clock.after(everyMs, () => {
        seal().catch((error: unknown) => log.debug(`The record was not sealed: ${error instanceof Error ? error.message : error}`))
      })
    },
    /** Resolves with the stored anchor; undefined: there is none, or the keyring did not answer. */
    kept: (): Promise<ChainEnd | undefined> => readAnchor(secrets).catch(() => undefined),
    seal,
    stop(): void {
      stopped = true
      cancel?.()
      cancel = undefined
    },
  }
}
