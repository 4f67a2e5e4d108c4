import type { AuditRow } from '#app/consent/audit-row.ts'
import { deciderLabel } from '#app/consent/decided-by.ts'
import { t } from '#app/i18n/translate.ts'
import { silentLog } from '#main/base/host-log.ts'
import { openKeyring, serviceOf } from '#main/shell/node/system-keyring.ts'
import { openAudit } from '#main/store/audit/audit.ts'
import { readAnchor } from '#main/store/audit/audit-anchor.ts'
import type { AuditReader, ChainEnd } from '#main/store/store-api.ts'
import type { Options } from '../command-line.ts'
import { openProfile, type Profile } from '../data-folder.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type CliOutput, rowCountLabel, visibleLine } from '../output.ts'

/** Reads the audit log, also while Assent runs on the profile: no server starts, nothing is written. */
export async function audit(options: Options, output: CliOutput): Promise<ExitCode> {
  const profile = await openProfile(options, output, { temporary: false })
  // The anchor is read before the log is opened, which does not show later rows.
  const kept = options.verify ? await findSeal(profile) : undefined
  const record = openAudit({ dataDir: profile.dataDir, log: silentLog })
  try {
    const { server, agent, since = Number.NEGATIVE_INFINITY } = options
    for (const row of record.all()) {
      if ((server !== undefined && row.server !== server) || row.time < since) continue
      if (agent !== undefined && row.detail['agent'] !== agent && row.detail['agentId'] !== agent) continue
      if (output.json) output.value(row)
      else output.text(line(row))
    }
    return options.verify ? verify(record, kept, options, output) : exitCodes.done
  } finally {
    record.close()
  }
}

function verify(record: AuditReader, kept: ChainEnd | undefined, { expect }: Options, output: CliOutput): ExitCode {
  const broken = record.verify(kept)
  if (broken) {
    output.note(t`The audit log is broken at entry ${broken.seq}: ${broken.reason}.`)
    return exitCodes.failed
  }
  if (expect !== undefined && !has(record, expect)) {
    output.note(t`The audit log has no row with the hash ${visibleLine(expect)}.`)
    return exitCodes.failed
  }
  const { seq = 0, hash = '' } = record.head() ?? {}
  output.note(t`The audit log is intact: ${rowCountLabel(seq)}. Last hash: ${hash}`)
  output.note(
    kept ? t`Matches the keyring up to entry ${kept.seq}.` : t`The keyring has no hash. Note the last hash, and check it with --expect.`,
  )
  return exitCodes.done
}

function has(record: AuditReader, hash: string): boolean {
  for (const row of record.all()) if (row.hash === hash) return true
  return false
}

async function findSeal({ dataDir, isDefault }: Profile): Promise<ChainEnd | undefined> {
  const secrets = await openKeyring(serviceOf(dataDir, isDefault), process.env)
  return readAnchor(secrets).catch(() => undefined) // A locked keyring, say: the output says that no anchor was found.
}

const line = (row: AuditRow): string =>
  [
    String(row.seq).padStart(5),
    new Date(row.time).toISOString(),
    row.kind.padEnd(8),
    [row.server, row.tool].filter((part) => part !== null).join(' '),
    row.decision ?? '',
    deciderLabel(row),
  ]
    .filter((part) => part !== '')
    .map(visibleLine)
    .join('  ')
