import type { AuditRow } from '#app/consent/audit.ts'
import { silentLog } from '#main/base/log.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import { openAudit } from '#main/store/open-audit.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit.ts'
import { type Output, plural, visible } from '../output.ts'

/** Reads the record alone, also while Assent runs on the profile: no server starts, nothing is written. */
export function audit(options: Options, output: Output): ExitCode {
  const dataDir = dataDirOf(options.dataDir)
  const record = openAudit({ dataDir, log: silentLog })
  try {
    let rows = 0
    for (const row of record.all()) {
      rows += 1
      if (output.json) output.value(row)
      else output.text(line(row))
    }
    if (!options.verify) return exitCodes.done
    const broken = record.verify()
    output.note(
      broken
        ? `The record does not hold together from row ${broken.seq} on: ${broken.reason}`
        : `The record is whole: ${plural(rows, 'row')}.`,
    )
    return broken ? exitCodes.failed : exitCodes.done
  } finally {
    record.close()
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
