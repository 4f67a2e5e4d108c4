import { t } from '#app/i18n/translate.ts'
import { type DoctorReport, doctorText } from '#app/server/doctor.ts'
import type { ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { noteFailures, requireServer, serversOf, startAll } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

/** Starts servers and reports each start when it has ended: a crashed server is started again, which would be another report. */
export async function doctor({ host, output, signal }: CliContext, [only]: readonly string[]): Promise<ExitCode> {
  if (only !== undefined) await requireServer(host, only)
  const report = (name: string): Promise<DoctorReport> => host.request('server.doctor', { name })
  const wanted = (await serversOf(host)).filter(({ name }) => only === undefined || name === only)
  const reports = new Map<string, DoctorReport>()
  const failures = await startAll(host, signal, {
    ...(only === undefined ? {} : { filter: ({ name }) => name === only }),
    onSettled: async (name) => void reports.set(name, await report(name)),
  })
  // A disabled server was not started: its report says so.
  const all = await Promise.all(wanted.map(({ name }) => reports.get(name) ?? report(name)))
  if (output.json) {
    noteFailures(output, failures)
    const sandboxes = new Map((await serversOf(host)).map(({ name, sandbox }) => [name, sandbox]))
    output.value(all.map((one) => reportJson(one, sandboxes.get(one.server))))
  } else if (all.length === 0) output.note(t`No server is configured.`)
  else output.text(all.map(doctorText).join('\n\n'))
  return exitCodeFor(all.filter(({ ok, diagnosis }) => !ok && diagnosis?.code !== 'disabled'))
}

const refused = new Set(['refused-by-you', 'sign-in-refused'])

function exitCodeFor(failed: readonly DoctorReport[]): ExitCode {
  if (failed.length === 0) return exitCodes.done
  return failed.every(({ diagnosis }) => diagnosis !== null && refused.has(diagnosis.code)) ? exitCodes.refused : exitCodes.failed
}

/** Formats a report as documented, with stderr as one text, and the sandbox with its grants or with the reason why there is none. */
const reportJson = ({ stderr, sandbox, ...report }: DoctorReport, status: ServerSandbox | undefined) => ({
  ...report,
  sandbox: status ? { ...status, attempts: sandbox?.attempts ?? [] } : sandbox,
  stderr: stderr.join('\n'),
})
