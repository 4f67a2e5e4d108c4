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

/** Name of the entry in the keyring, as earlier versions wrote it. */
const entryName = 'record-seal'
const everyMs = 10_000

export async function readAnchor(secrets: Pick<AnchorStore, 'get'>): Promise<ChainEnd | undefined> {
  const [, seq, hash] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec((await secrets.get(entryName)) ?? '') ?? []
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
  let anchored: string | undefined

  async function anchor(): Promise<void> {
    cancel?.()
    cancel = undefined
    const before = await readAnchor(secrets)
    if (before && audit.row(before.seq)?.hash !== before.hash) {
      log.warn(`Row ${before.seq} of the audit log is not what its anchor says. The anchor stays as it is.`)
      return
    }
    const head = audit.head()
    const value = head && `${head.seq} ${head.hash}`
    // A head that was moved has no row.
    if (!value || value === anchored || audit.row(head.seq)?.hash !== head.hash) return
    await secrets.set(entryName, value)
    anchored = value
  }

  return {
    touched(): void {
      if (stopped) return
      cancel ??= clock.after(everyMs, () => {
        anchor().catch((error: unknown) => log.debug(`The audit log was not anchored: ${error instanceof Error ? error.message : error}`))
      })
    },
    /** Resolves with the stored anchor; undefined: there is none, or the keyring did not answer. */
    kept: (): Promise<ChainEnd | undefined> => readAnchor(secrets).catch(() => undefined),
    anchor,
    stop(): void {
      stopped = true
      cancel?.()
      cancel = undefined
    },
  }
}
