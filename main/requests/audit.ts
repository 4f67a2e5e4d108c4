// The record as a page sees it. What takes a while (the whole chain, a file of all rows) goes on in steps, and servers and
// other windows are served in between.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { AuditFault, AuditFilter } from '#app/consent/audit.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { ChainEnd, Store } from '#main/store/types.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

const rowsAStep = 250

export const auditRequests = ({ store, platform, seal }: HostParts): HandlersOf<'audit'> => ({
  'audit.list'({ before, limit, filter = {} }) {
    if (before !== undefined) return { rows: store.audit.list({ before, limit, filter }) }
    return { rows: store.audit.list({ limit, filter }), found: store.audit.count(filter) }
  },
  async 'audit.verify'() {
    // What is kept is read first: a row that is added later is behind it. What this run alone remembers speaks for nothing.
    const kept = platform.secrets.kind === 'keyring' ? await seal?.kept() : undefined
    const fault = await check(store, kept)
    const { seq = 0, hash = '' } = store.audit.head() ?? {}
    return { fault: fault ?? null, rows: seq, hash, kept: kept?.seq ?? null }
  },
  async 'audit.export'({ filter }) {
    const folder = await platform.chooseFolder(t`Where to save the record`)
    return folder === null ? { path: null, rows: 0 } : exportRows(store, folder, filter)
  },
})

async function check({ audit }: Pick<Store, 'audit'>, kept: ChainEnd | undefined): Promise<AuditFault | undefined> {
  const steps = audit.check(kept)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

/** For its owner alone; a file that is there stays as it is. */
export async function exportRows(
  { audit }: Pick<Store, 'audit'>,
  folder: string,
  filter: AuditFilter,
): Promise<{ path: string; rows: number }> {
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, `assent-record-${now}.jsonl`)
  let rows = 0
  let lines = ''
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const row of audit.all(filter)) {
        lines += `${JSON.stringify(row)}\n`
        rows += 1
        if (rows % rowsAStep > 0) continue
        await file.writeFile(lines)
        lines = ''
      }
      await file.writeFile(lines)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw cause instanceof HostError
      ? cause
      : new HostError(code, t`The record could not be written to ${path}.`, { data: { path }, cause })
  }
  return { path, rows }
}
