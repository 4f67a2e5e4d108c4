// Why a server does not start: what was tried, step by step, and what it comes to, in words and with what can be pressed. The
// host makes it (main/servers/doctor); the page and `assent doctor` show it. What a server itself wrote stands in it as data,
// masked and capped. A report of the doctor as text: for a terminal, and to hand to a colleague or into a bug report. Hidden
// characters and terminal codes are named, never passed on.
import { z } from 'zod'
import { t } from '../i18n/translate.ts'
import { formatDuration } from '../text/format-text.ts'
import { revealHidden } from '../text/hidden-characters.ts'

/** How a process ended. Both null: it was not a process, or nobody knows. */
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
  // it ran, and ended
  'script-not-found',
  'package-not-found',
  'program-not-in-package',
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

/** The fields of a definition that can be edited. */
export const editField = z.enum(['command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth', 'timeout', 'startTimeout'])
export type EditField = z.infer<typeof editField>

const label = z.string()
/** What can be pressed. Nothing here runs on its own: a new command or address is asked for as any other is. */
const doctorAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('retry'), label }),
  z.object({ kind: z.literal('edit'), label, field: editField }),
  /** Puts this command in place of the one that was not found. */
  z.object({ kind: z.literal('use-command'), label, command: z.string() }),
  z.object({ kind: z.literal('copy'), label, text: z.string() }),
  z.object({ kind: z.literal('log'), label }),
  z.object({ kind: z.literal('enable'), label }),
  /** Asks the person's shell (on Windows: the registry) for PATH and variables anew, then starts. */
  z.object({ kind: z.literal('environment'), label }),
  /** Opens the folders of the settings. */
  z.object({ kind: z.literal('folders'), label }),
  /** Allows this server so long to start, in milliseconds, and starts it. */
  z.object({ kind: z.literal('wait'), label, startTimeoutMs: z.number().int().positive() }),
])
export type DoctorAction = z.infer<typeof doctorAction>

export const diagnosis = z.object({
  code: z.enum(diagnosisCodes),
  /** A few words for a list: "uvx was not found". */
  short: z.string(),
  /** What happened, a sentence. */
  message: z.string(),
  /** Why, as far as anybody can tell; may be empty. Words of the server stand in quotation marks. */
  why: z.string(),
  /** What to do, a sentence. */
  remedy: z.string(),
  /** First the one that most likely mends it. */
  actions: z.array(doctorAction),
  tone: z.enum(['bad', 'warn']),
})
export type Diagnosis = z.infer<typeof diagnosis>

const doctorStep = z.object({ name: z.string(), ms: z.number(), ok: z.boolean(), detail: z.string() })
export type DoctorStep = z.infer<typeof doctorStep>

/** `terminal`: our own PATH, for we were started from one; `fallback`: ours and the folders that are usually on it; `config`: its env sets it. */
export const pathSource = z.enum(['terminal', 'login-shell', 'registry', 'fallback', 'config'])
export type PathSource = z.infer<typeof pathSource>

/** What the last start of a server is known by; kept in memory only. */
const startTrace = z.object({
  /** Milliseconds since the epoch; null: it was not started in this run. */
  startedAt: z.number().nullable(),
  /** As it stands in the file: the command line, or the address. */
  command: z.string(),
  /** The file that ran; null: none was found, or it is none. */
  resolved: z.string().nullable(),
  /** What the command was looked for in. */
  path: z.string().nullable(),
  pathSource: pathSource.nullable(),
  cwd: z.string().nullable(),
  /** How its last process ended by itself; null: it did not. */
  exit: exit.nullable(),
  /** Its first and its last lines there, terminal codes and all. */
  stderr: z.array(z.string()),
  /** The first lines of stdout that were no message of the protocol. */
  output: z.array(z.string()),
  steps: z.array(doctorStep),
})
export type StartTrace = z.infer<typeof startTrace>

export const doctorReport = startTrace.extend({ server: z.string(), ok: z.boolean(), diagnosis: diagnosis.nullable() })
export type DoctorReport = z.infer<typeof doctorReport>

const visible = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : segment.isAnsi ? '' : `⟨${segment.name}⟩`))
    .join('')

/** Before the further lines of what a server said: none of them begins where the host's own begin. */
const further = ' '.repeat(6)

const fact = (name: string, value: string): string => `  ${name.padEnd(10)} ${visible(value)}`

function diagnosisLines(server: string, { code, why, remedy, actions }: Diagnosis): string[] {
  const more = actions.flatMap((action) => {
    if (action.kind === 'copy') return [fact('', action.text)]
    return action.kind === 'wait' ? [fact('', t`"startTimeout": ${action.startTimeoutMs} in its entry gives it that long`)] : []
  })
  if (code === 'secret-missing') more.push(fact('', t`assent secret set ${server} ID reads it from stdin`))
  return [...(why === '' ? [] : [`  ${visible(why)}`]), fact(t`to do`, remedy), ...more, fact(t`diagnosis`, code)]
}

/** Most diagnoses begin with its name. */
function titleOf({ server, ok, diagnosis }: DoctorReport): string {
  const words = ok ? t`starts` : (diagnosis?.message ?? t`was not started`)
  return visible(words.startsWith(`${server} `) ? words : `${server}: ${words}`)
}

export function doctorText(report: DoctorReport): string {
  const { diagnosis, command, resolved, path, pathSource, cwd, exit, stderr, output, steps } = report
  const words = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${visible(line)}`)]
  return [
    titleOf(report),
    ...(diagnosis === null ? [] : diagnosisLines(report.server, diagnosis)),
    fact(t`command`, command),
    ...(resolved === null ? [] : [fact(t`found at`, resolved)]),
    ...(path === null ? [] : [fact('PATH', pathSource === null ? path : `${path} (${pathSource})`)]),
    ...(cwd === null ? [] : [fact(t`folder`, cwd)]),
    ...(exit === null ? [] : [fact(t`exit`, exit.signal ?? (exit.code === null ? t`unknown` : t`code ${exit.code}`))]),
    ...words(
      t`steps`,
      steps.map(
        ({ name, ms, ok: done, detail }) => `${done ? '✓' : '✗'} ${name} (${formatDuration(ms)})${detail === '' ? '' : `: ${detail}`}`,
      ),
    ),
    ...words(t`stdout that is not MCP`, output),
    ...words(t`stderr`, stderr),
  ]
    .map((entry) => entry.trimEnd().replace(/\r?\n/g, `\n${further}`))
    .join('\n')
}
