// `assent doctor`: starts what it is asked about, and tells of each start what was tried and what it comes to. A report is
// taken the moment its start has ended: a server that crashed is started again by itself, and that is another start.

import { t } from '#app/i18n/translate.ts'
import type { DoctorReport } from '#app/server/doctor.ts'
import { doctorText } from '#app/server/doctor.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { noteFailures, requireServer, startAll } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

export async function doctor({ host, output, signal }: CliContext, [only]: readonly string[]): Promise<ExitCode> {
  const { servers } = host.context
  if (only !== undefined) requireServer(host, only)
  const wanted = servers.views().filter(({ name }) => only === undefined || name === only)
  const reports = new Map<string, DoctorReport>()
  const failures = await startAll(host, signal, {
    filter: ({ name }) => only === undefined || name === only,
    onSettled: (name) => void reports.set(name, servers.doctor(name)),
  })
  // One that is off was not started: its report says so.
  const all = wanted.map(({ name }) => reports.get(name) ?? servers.doctor(name))
  if (output.json) {
    noteFailures(output, failures)
    output.value(all.map(reportJson))
  } else if (all.length === 0) output.note(t`No server is configured.`)
  else output.text(all.map(doctorText).join('\n\n'))
  return exitCodeFor(all.filter(({ ok, diagnosis }) => !ok && diagnosis?.code !== 'disabled'))
}

const refused = new Set(['refused-by-you', 'sign-in-refused'])

function exitCodeFor(failed: readonly DoctorReport[]): ExitCode {
  if (failed.length === 0) return exitCodes.done
  return failed.every(({ diagnosis }) => diagnosis !== null && refused.has(diagnosis.code)) ? exitCodes.refused : exitCodes.failed
}

/** As documented: the lines of stderr are one text. */
const reportJson = ({ stderr, ...report }: DoctorReport) => ({ ...report, stderr: stderr.join('\n') })
