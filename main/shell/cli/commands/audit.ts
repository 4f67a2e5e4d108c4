import type { AuditRow } from '#app/consent/audit.ts'
import { t } from '#app/words/translate.ts'
import { silentLog } from '#main/base/log.ts'
import { readSeal } from '#main/host/record-seal.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import { openSecrets, serviceOf } from '#main/shell/node/secrets.ts'
import { openAudit } from '#main/store/open-audit.ts'
import type { AuditReader, ChainEnd } from '#main/store/types.ts'
import type { Options } from '../command-line.ts'
import { inARow, rowsWords } from '../counts.ts'
import { type ExitCode, exitCodes } from '../exit.ts'
import { type Output, visible } from '../output.ts'
import { openProfile } from '../profile.ts'

/** Reads the record alone, also while Assent runs on the profile: no server starts, nothing is written. */
export async function audit(options: Options, output: Output): Promise<ExitCode> {
  const dataDir = dataDirOf(options.dataDir)
  // Before the record is opened: what is added and sealed later is not seen.
  const kept = options.verify ? await findSeal(options) : undefined
  const record = openAudit({ dataDir, log: silentLog })
  try {
    const { server, since = Number.NEGATIVE_INFINITY } = options
    for (const row of record.all()) {
      if ((server !== undefined && row.server !== server) || row.time < since) continue
      if (output.json) output.value(row)
      else output.text(line(row))
    }
    return options.verify ? verify(record, { kept, expect: options.expect }, output) : exitCodes.done
  } finally {
    record.close()
  }
}

function verify(
  record: AuditReader,
  { kept, expect }: { readonly kept: ChainEnd | undefined; readonly expect: string | undefined },
  output: Output,
): ExitCode {
  const broken = record.verify(kept)
  if (broken) {
    output.note(t`The record does not hold together from row ${broken.seq} on: ${broken.reason}.`)
    return exitCodes.failed
  }
  if (expect !== undefined && !has(record, expect)) {
    output.note(t`No row of the record has the hash ${expect}: it is not the record that you noted it from, or was written anew.`)
    return exitCodes.failed
  }
  const { seq = 0, hash = '' } = record.head() ?? {}
  const whole = t`The record is whole: ${rowsWords(seq)}.`
  output.note(inARow(whole, hash !== '' && t`The last has the hash ${hash}`))
  output.note(
    kept
      ? t`Up to row ${kept.seq} it is the one that the app kept a hash of in the keyring.`
      : t`No hash of it was found in the keyring, so only its own chain speaks for it. Note the last hash elsewhere, and give it to --expect.`,
  )
  return exitCodes.done
}

function has(record: AuditReader, hash: string): boolean {
  for (const row of record.all()) if (row.hash === hash) return true
  return false
}

async function findSeal(options: Options): Promise<ChainEnd | undefined> {
  const { dataDir, isDefault } = openProfile(options, { temporary: false })
  const secrets = await openSecrets(serviceOf(dataDir, isDefault), process.env)
  return readSeal(secrets).catch(() => undefined) // It is locked, say; the outcome tells that none was found.
}

const line = (row: AuditRow): string =>
  [
    String(row.seq).padStart(5),
    new Date(row.time).toISOString(),
    row.kind.padEnd(8),
    [row.server, row.tool].filter((part) => part !== null).join(' '),
    row.decision ?? '',
    row.by === null ? '' : t`by ${row.by}`,
  ]
    .filter((part) => part !== '')
    .map(visible)
    .join('  ')
