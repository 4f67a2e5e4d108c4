import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRow } from '#app/consent/audit.ts'
import { HostError } from '#app/errors.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/log.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import { openStore } from '#main/store/open.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit.ts'
import { type Output, plural, visible } from '../output.ts'

/** Only the store is opened: no server starts, nothing is decided. */
export function audit(options: Options, output: Output): ExitCode {
  const dataDir = dataDirOf(options.dataDir)
  if (!existsSync(join(dataDir, 'assent.db')))
    throw new HostError('profile.unwritable', `There is no profile in ${dataDir}. Name another one with --data-dir.`, {
      data: { path: dataDir },
    })
  const store = openStore({ dataDir, clock: systemClock, log: silentLog })
  try {
    let rows = 0
    for (const row of store.audit.all()) {
      rows += 1
      if (output.json) output.value(row)
      else output.text(line(row))
    }
    if (!options.verify) return exitCodes.done
    const broken = store.audit.verify()
    output.note(
      broken
        ? `The record does not hold together from row ${broken.seq} on: ${broken.reason}`
        : `The record is whole: ${plural(rows, 'row')}.`,
    )
    return broken ? exitCodes.failed : exitCodes.done
  } finally {
    store.close()
  }
}

const line = (row: AuditRow): string =>
  [
    String(row.seq).padStart(5),
    new Date(row.time).toISOString(),
    row.kind.padEnd(8),
    [row.server, row.tool].filter((part) => part !== null).join(' '),
    row.decision ?? '',
    row.by === null ? '' : `by ${row.by}`,
  ]
    .filter((part) => part !== '')
    .map(visible)
    .join('  ')
