// Report of a server's last start: steps, diagnosis and what can be done. `main/servers/doctor` builds it; the page and `assent
// doctor` show it. Server output in it is data, masked and capped. `doctorText` names hidden characters and terminal codes.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { formatDuration } from '../text/format-text.ts'
import { revealHidden } from '../text/hidden-characters.ts'
import { type SandboxAttempt, sandboxAttempt } from './sandbox/sandbox-report.ts'

/** Exit of a process. Both null: it was no process, or nobody knows. */
export const exit = z.object({ code: z.number().int().nullable(), signal: z.string().nullable() })
export type Exit = z.infer<typeof exit>

export const diagnosisCodes = [
  // before anything ran
  'command-not-found',
  'wrong-path',
  'command-is-a-folder',
  'not-executable',
  'missing-interpreter',
  'wrong-architecture',
  'working-folder-missing',
  'variable-missing',
  'unknown-reference',
  'invalid-value',
  'secret-missing',
  'bad-command-line',
  'could-not-start',
  'refused-by-you',
  'disabled',
  'sandbox-grant',
  'sandbox-missing',
  'blocked-by-sandbox',
  // it ran, and ended
  'script-not-found',
  'package-not-found',
  'program-not-in-package',
  'package-not-installed',
  'registry-unreachable',
  'module-missing',
  'variable-required',
  'needs-newer-node',
  'wrong-arguments',
  'argument-required',
  'permission-denied',
  'port-in-use',
  'service-not-running',
  'docker-not-running',
  'out-of-memory',
  'killed-by-signal',
  'ended-by-itself',
  'crashed-at-once',
  // it ran, and was not understood
  'not-mcp',
  'http-server',
  'list-failed',
  'version-mismatch',
  'too-slow',
  'broke-the-protocol',
  'sent-too-much',
  'connection-lost',
  // over the network
  'nothing-listens',
  'host-unknown',
  'offline',
  'no-answer',
  'tls-untrusted',
  'tls-expired',
  'tls-wrong-name',
  'tls-plain-http',
  'proxy-unusable',
  'proxy-unreachable',
  'proxy-refused',
  'unreachable',
  'wrong-url',
  'moved',
  'credentials-refused',
  'too-many-requests',
  'server-error',
  'http-error',
  'sign-in-needed',
  'sign-in-refused',
  'sign-in-failed',
  'sign-in-timeout',
  'unexplained',
] as const
export type DiagnosisCode = (typeof diagnosisCodes)[number]

export const editField = z.enum(['command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth', 'timeout', 'startTimeout'])
export type EditField = z.infer<typeof editField>

const label = z.string()
/** Action that the person can take. None runs by itself: a new command or address needs approval as any other. */
const doctorAction = z.discriminatedUnion('kind', [
  /** `permissions`: opens what the server's sandbox blocked. `environment`: reads PATH and variables again, then starts. `folders`: opens the settings of shared folders. */
  z.object({ kind: z.enum(['retry', 'log', 'enable', 'permissions', 'environment', 'folders']), label }),
  z.object({ kind: z.literal('edit'), label, field: editField }),
  z.object({ kind: z.literal('use-command'), label, command: z.string() }),
  /** Opens the screen that adds a server, with this address. */
  z.object({ kind: z.literal('use-address'), label, url: z.string() }),
  z.object({ kind: z.literal('copy'), label, text: z.string() }),
  /** Sets the start timeout in milliseconds, and starts. */
  z.object({ kind: z.literal('wait'), label, startTimeoutMs: z.number().int().positive() }),
])
export type DoctorAction = z.infer<typeof doctorAction>

export const diagnosis = z.object({
  code: z.enum(diagnosisCodes),
  /** Short form for a list: "uvx was not found". */
  short: z.string(),
  message: z.string(),
  /** Cause as far as known; may be empty. Server text is quoted. */
  why: z.string(),
  /** Tool that `why` names, in quotation marks. */
  tool: z.string().optional(),
  remedy: z.string(),
  /** Actions, the most likely fix first. */
  actions: z.array(doctorAction),
  tone: z.enum(['bad', 'warn']),
})
export type Diagnosis = z.infer<typeof diagnosis>

const doctorStep = z.object({ name: z.string(), ms: z.number(), ok: z.boolean(), detail: z.string() })
export type DoctorStep = z.infer<typeof doctorStep>

/** Source of PATH. `terminal`: the host’s; `fallback`: that and well-known folders; `config`: set by the definition. */
export const pathSource = z.enum(['terminal', 'login-shell', 'registry', 'fallback', 'config'])
export type PathSource = z.infer<typeof pathSource>

export const pathSourceLabel = (source: PathSource): string =>
  ({
    terminal: t`the PATH of the terminal`,
    'login-shell': t`the PATH of the login shell`,
    fallback: t`the PATH of Assent`,
    registry: t`the PATH of Windows`,
    config: t`the PATH of servers.json`,
  })[source]

/** Trace of the last start, kept in memory only. */
const startTrace = z.object({
  /** Start time in milliseconds since the epoch; null: not started in this run. */
  startedAt: z.number().nullable(),
  command: z.string(),
  resolved: z.string().nullable(),
  path: z.string().nullable(),
  pathSource: pathSource.nullable(),
  cwd: z.string().nullable(),
  /** Exit of the last process; null: it did not end by itself. */
  exit: exit.nullable(),
  /** First and last lines of stderr, terminal codes included. */
  stderr: z.array(z.string()),
  /** First lines of stdout that were not protocol messages. */
  output: z.array(z.string()),
  steps: z.array(doctorStep),
  /** Sandbox of the last start, with what was tried since; null: it is not a local program, or did not come to its start. */
  sandbox: z.object({ kind: z.enum(['on', 'off']), attempts: z.array(sandboxAttempt) }).nullable(),
})
export type StartTrace = z.infer<typeof startTrace>

export const doctorReport = startTrace.extend({ server: z.string(), ok: z.boolean(), diagnosis: diagnosis.nullable() })
export type DoctorReport = z.infer<typeof doctorReport>

const visible = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : segment.isAnsi ? '' : `⟨${segment.name}⟩`))
    .join('')

/** Indentation of continued server output: no line of it can look like one of the host's. */
const further = ' '.repeat(6)

const fact = (name: string, value: string): string => `  ${name.padEnd(10)} ${visible(value)}`

function diagnosisLines(server: string, { code, why, remedy, actions }: Diagnosis): string[] {
  const more = actions.flatMap((action) => {
    if (action.kind === 'copy') return [fact('', action.text)]
    if (action.kind === 'use-address') return [fact('', action.url)]
    return action.kind === 'wait' ? [fact('', `"startTimeout": ${action.startTimeoutMs}`)] : []
  })
  if (code === 'secret-missing') more.push(fact('', `assent secret set ${server} ID`))
  return [...(why === '' ? [] : [`  ${visible(why)}`]), fact(t`Fix`, remedy), ...more, fact(t`Diagnosis`, code)]
}

function attemptLine({ kind, target, port, refused, count }: SandboxAttempt): string {
  const what = kind === 'host' ? `${target}:${port}` : kind === 'read' ? t`Read ${target}` : t`Write in ${target}`
  return `${refused === undefined ? '✓' : '✗'} ${what} (${count})${refused === undefined ? '' : `: ${t`blocked`} (${refused})`}`
}

function titleOf({ server, ok, diagnosis }: DoctorReport): string {
  return visible(`${server}: ${ok ? t`starts` : (diagnosis?.short ?? t`was not started`)}`)
}

/** Formats a report as plain text, for a terminal or a bug report. */
export function doctorText(report: DoctorReport): string {
  const { diagnosis, command, resolved, path, pathSource, cwd, exit, stderr, output, steps, sandbox } = report
  const words = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${visible(line)}`)]
  return [
    titleOf(report),
    ...(diagnosis === null ? [] : diagnosisLines(report.server, diagnosis)),
    fact(t`Command`, command),
    ...(resolved === null ? [] : [fact(t`Found at`, resolved)]),
    ...(path === null ? [] : [fact('PATH', pathSource === null ? path : `${path} (${pathSource})`)]),
    ...(cwd === null ? [] : [fact(t`Folder`, cwd)]),
    ...(sandbox === null ? [] : [fact(t`Sandbox`, sandbox.kind === 'on' ? t`on` : t`not sandboxed`)]),
    ...words(t`Sandbox`, (sandbox?.attempts ?? []).map(attemptLine)),
    ...(exit === null ? [] : [fact(t`Exit`, exit.signal ?? (exit.code === null ? t`unknown` : String(exit.code)))]),
    ...words(
      t`Steps`,
      steps.map(
        ({ name, ms, ok: done, detail }) => `${done ? '✓' : '✗'} ${name} (${formatDuration(ms)})${detail === '' ? '' : `: ${detail}`}`,
      ),
    ),
    ...words('stdout', output),
    ...words('stderr', stderr),
  ]
    .map((entry) => entry.trimEnd().replace(/\r?\n/g, `\n${further}`))
    .join('\n')
}
