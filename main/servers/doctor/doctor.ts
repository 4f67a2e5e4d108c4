// Doctor of one server: records its last start, diagnoses a failure, and reports both. The code of an error selects the rule; within it,
// the server's output and its exit decide. Files that a failed start named are looked at, and nothing is run.
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ErrorValue, HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import {
  type Diagnosis,
  type DiagnosisCode,
  type DoctorAction,
  type DoctorReport,
  pathSource,
  type StartTrace,
} from '#app/server/doctor.ts'
import { type AttemptTarget, isRefusedBySandbox, type SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { ServerState } from '#app/server/server-state.ts'
import { maskArgs, maskUrl } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { maskTexts } from '#main/base/redact-secrets.ts'
import { maskDefinition } from '../config/mask-definition.ts'
import type { LogBuffer } from '../process/logs/log-buffer.ts'
import type { SandboxMonitor } from '../process/sandbox/attempts/sandbox-monitor.ts'
import type { FailedCall } from '../process/sandbox/attempts/watched-calls.ts'
import { createRecorder } from '../process/start-recorder.ts'
import { exitedRule, listFailedRule, noMcpYetRule, notMcpRule, tooLargeRule, tooSlowRule, versionMismatchRule } from './diagnose-exit.ts'
import {
  commandNotFoundRule,
  configInvalidRule,
  cwdNotFoundRule,
  notInstalledRule,
  sandboxGrantRule,
  sandboxMissingRule,
  secretMissingRule,
  spawnFailedRule,
} from './diagnose-launch.ts'
import { httpStatusRule, unreachableRule } from './diagnose-network.ts'
import {
  change,
  type DiagnosisCase,
  type DiagnosisFacts,
  type DiagnosisFinding,
  type DiagnosisRule,
  edit,
  exitIn,
  finding,
  log,
  namedValue,
  type ProgramKind,
  permissions,
  retry,
  sentences,
  textAt,
  wroteSentence,
} from './diagnosis-input.ts'
import { errno, exitReason } from './exit-reason.ts'

// Diagnosis of what the sandbox refused, where that explains a failed start or call.

/** Diagnoses that a missing file or host may bring about. Those that name another cause for sure stand. */
const effects: ReadonlySet<DiagnosisCode> = new Set([
  'script-not-found',
  'package-not-found',
  'registry-unreachable',
  'module-missing',
  'permission-denied',
  'service-not-running',
  'host-unknown',
  'killed-by-signal',
  'ended-by-itself',
  'crashed-at-once',
  'list-failed',
  'too-slow',
  'connection-lost',
  'unexplained',
])
/** Diagnoses that a file alone may bring about, which is there outside. */
const ofFiles: ReadonlySet<DiagnosisCode> = new Set(['command-not-found', 'missing-interpreter'])
const mostNamed = 3

const named = ({ kind, target, port }: AttemptTarget): string => {
  if (kind === 'host') return port === 443 || port === 80 ? target : `${target}:${port}`
  return kind === 'read' ? t`Read ${target}` : t`Write in ${target}`
}

const listed = (targets: readonly AttemptTarget[]): string => namedValue([...new Set(targets.map(named))].slice(0, mostNamed))

/** Returns the finding of the sandbox in place of one that its refusals explain. */
function blockedFinding({ trace }: DiagnosisCase, found: DiagnosisFinding): DiagnosisFinding | undefined {
  const isOfFile = ofFiles.has(found.code)
  if (!isOfFile && !effects.has(found.code)) return undefined
  const refused = trace.sandbox?.attempts.filter((one) => isRefusedBySandbox(one) && !(isOfFile && one.kind === 'host')) ?? []
  if (refused.length === 0) return undefined
  return finding('blocked-by-sandbox', [permissions(), retry(), log()], {
    short: t`sandbox blocked: ${listed(refused)}`,
    why: sentences(wroteSentence(trace.stderr.at(-1)), keptSentence(refused)),
    remedy: t`Allow it under Permissions if the server needs it.`,
  })
}

/** Diagnoses that a host which does not answer may bring about, while the server does not name it. */
const vague: ReadonlySet<DiagnosisCode> = new Set(['crashed-at-once', 'ended-by-itself', 'list-failed', 'too-slow', 'unexplained'])
const ofNetwork = /fetch failed|\bconnect|\bnetwork\b|timed? ?out|\bretries\b|unreachable|cancelled|\bsocket\b|\bDNS\b/i

/** Returns the finding that a granted host did not answer, as the sandbox's proxy saw, where the server says nothing else that went wrong. */
function unreachedFinding(one: DiagnosisCase, found: DiagnosisFinding): DiagnosisFinding | undefined {
  const hosts = one.trace.sandbox?.attempts.filter(({ kind }) => kind === 'host') ?? []
  const silent = hosts.filter(({ refused }) => refused === 'not-found' || refused === 'unreachable')
  const said = exitReason(one)
  // One that reached another host may have ended for any reason.
  if (
    silent.length === 0 ||
    silent.length < hosts.length ||
    !vague.has(found.code) ||
    (said !== undefined && !errno.test(said) && !ofNetwork.test(said))
  )
    return undefined
  const why = sentences(t`${listed(silent)} could not be reached.`, found.code === 'list-failed' ? found.why : wroteSentence(said))
  const actions = [change('env'), change('args'), log(), retry()]
  return silent.every(({ refused }) => refused === 'not-found')
    ? finding('host-unknown', actions, { short: t`host not found`, why, remedy: t`Check its key, its settings and the network.` })
    : finding('service-not-running', actions, {
        short: t`its database or service does not answer`,
        why,
        remedy: t`Start its database or service, or correct the address.`,
      })
}

const keptSentence = (refused: readonly SandboxAttempt[]): string =>
  refused.every((one) => one.refused === 'denied') ? t`You chose to block that.` : ''

/** Diagnosis of a server that runs, a call of which failed after something was refused to it. */
const blockedCall = ({ tool, blocked }: FailedCall): DiagnosisFinding => ({
  code: 'blocked-by-sandbox',
  tone: 'warn',
  short: t`sandbox blocked: ${listed(blocked)}`,
  why: t`A call of “${tool}” failed.`,
  tool,
  remedy: t`Allow it under Permissions if the server needs it.`,
  actions: [permissions(), log()],
})

const signIn = (): DoctorAction => ({ kind: 'retry', label: t`Sign in` })
const token = () => edit(t`Use a token instead`, 'headers')

const issuerOf = ({ data }: ErrorValue): string => {
  const issuer = textAt(data, 'issuer')
  return issuer === undefined ? t`the sign-in service` : URL.canParse(issuer) ? new URL(issuer).host : issuer
}

/** Explains `data.reason`, the error code of the issuer (OAuth 2.1) or of the host; undefined for one without an explanation. */
function reasonOf(error: ErrorValue): Pick<DiagnosisFinding, 'why' | 'remedy' | 'actions'> | undefined {
  const issuer = issuerOf(error)
  switch (textAt(error.data, 'reason')) {
    case 'access_denied':
      return { why: t`Access was denied at ${issuer}.`, remedy: t`Sign in again.`, actions: [signIn()] }
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_client_metadata':
    case 'unapproved_software_statement':
      return {
        why: t`${issuer} does not accept Assent as client.`,
        remedy: t`Set a client id that you get there.`,
        actions: [change('oauth'), signIn()],
      }
    case 'invalid_scope':
      return { why: t`${issuer} does not grant the scopes.`, remedy: t`Change the scopes.`, actions: [change('oauth'), signIn()] }
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
      return { why: t`${issuer} has a step for you to finish.`, remedy: t`Sign in again.`, actions: [signIn()] }
    case 'invalid_grant':
      return { why: error.message, remedy: t`Sign in again.`, actions: [signIn()] }
    case 'server_error':
    case 'temporarily_unavailable':
      return { why: error.message, remedy: t`Try again later.`, actions: [signIn()] }
    default:
      return undefined
  }
}

const signInRules: Partial<Record<HostErrorCode, DiagnosisRule>> = {
  'server.sign-in-needed': () =>
    finding('sign-in-needed', [signIn(), token()], {
      short: t`needs you to sign in`,
      remedy: t`Sign in, or set a token in an Authorization header.`,
      tone: 'warn',
    }),
  'server.sign-in-refused': () =>
    finding('sign-in-refused', [signIn(), token()], { short: t`you didn’t sign in`, remedy: t`Sign in again.`, tone: 'warn' }),
  'server.sign-in-failed': ({ error }) => {
    const reason = reasonOf(error)
    const short = t`sign-in failed`
    if (reason) return { code: 'sign-in-failed', short, ...reason }
    const notOffered = textAt(error.data, 'reason') === 'not-offered'
    return finding('sign-in-failed', notOffered ? [token(), signIn()] : [signIn(), change('oauth')], {
      short,
      why: error.message,
      remedy: notOffered ? t`Set a token in an Authorization header.` : t`Sign in again.`,
    })
  },
  'server.sign-in-timeout': () =>
    finding('sign-in-timeout', [signIn()], { short: t`sign-in not finished`, remedy: t`Sign in again.`, tone: 'warn' }),
}

const rules: Partial<Record<HostErrorCode, DiagnosisRule>> = {
  ...signInRules,
  'server.command-not-found': commandNotFoundRule,
  'server.cwd-not-found': cwdNotFoundRule,
  'server.spawn-failed': spawnFailedRule,
  'server.sandbox-grant': sandboxGrantRule,
  'server.sandbox-missing': sandboxMissingRule,
  'server.secret-missing': secretMissingRule,
  'config.invalid': configInvalidRule,
  'server.package-not-installed': notInstalledRule,
  'server.exited': exitedRule,
  'server.not-mcp': notMcpRule,
  'server.list-failed': listFailedRule,
  'server.version-mismatch': versionMismatchRule,
  'server.start-timeout': tooSlowRule,
  'server.too-large': tooLargeRule,
  'server.unreachable': unreachableRule,
  'server.http-status': httpStatusRule,
  'server.protocol': ({ error }) =>
    finding('broke-the-protocol', [retry(), log()], {
      short: t`broke the protocol`,
      why: error.message,
      remedy: t`Start it again. If that fails, report it to its author.`,
    }),
  'server.connection-lost': ({ error }) =>
    finding('connection-lost', [{ kind: 'retry', label: t`Try again` }, log()], {
      short: t`connection lost`,
      why: error.message,
      remedy: t`Try again.`,
    }),
  'server.refused': () =>
    finding('refused-by-you', [{ kind: 'retry', label: t`Ask again` }, change('command')], {
      short: t`was not allowed to start`,
      remedy: t`Start the server, then try again.`,
      tone: 'warn',
    }),
  'server.disabled': () =>
    finding('disabled', [{ kind: 'enable', label: t`Turn on` }], { short: t`off`, remedy: t`Turn the server on.`, tone: 'warn' }),
}

const unexplained = ({ error }: DiagnosisCase): DiagnosisFinding =>
  finding('unexplained', [retry(), log()], {
    short: t`failed`,
    why: error.message,
    remedy: t`Read its log, then try again.`,
  })

export function diagnose(one: DiagnosisCase): Diagnosis {
  const found = (rules[one.error.code] ?? unexplained)(one)
  return diagnosisFor(one.name, blockedFinding(one, found) ?? unreachedFinding(one, found) ?? found)
}

/** Finding with the sentence that names its server, quoted: a server may be called "everything". Of actions with one label the first stays. */
const diagnosisFor = (name: string, found: DiagnosisFinding): Diagnosis => ({
  tone: 'bad',
  ...found,
  actions: found.actions.filter(({ label }, at) => found.actions.findIndex((one) => one.label === label) === at),
  message: `“${name}”: ${found.short}.`,
})

function lookAround(definition: ServerDefinition, trace: StartTrace, platform: NodeJS.Platform = process.platform): DiagnosisFacts {
  const facts = { platform, arch: process.arch }
  if (definition.transport !== 'stdio') return facts
  return {
    ...facts,
    program: trace.resolved === null ? undefined : programKind(head(trace.resolved)),
    nearFile: trace.cwd === null ? undefined : nearFile(trace.cwd, definition.args),
  }
}

const headBytes = 256

function head(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, headBytes, 0))
  } catch {
    return undefined // Missing, or not readable.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Machine numbers of ELF and Mach-O, as Node names the processors. */
const elfMachines: Readonly<Record<number, string>> = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64', 243: 'riscv64' }
const machMachines: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' }

/** Tells the kind of a file by its first bytes; undefined when there are none. */
function programKind(bytes: Buffer | undefined): ProgramKind | undefined {
  if (bytes === undefined || bytes.length < 2) return undefined
  if (bytes.length >= 20 && bytes.readUInt32BE(0) === 0x7f454c46)
    return { kind: 'binary', system: 'linux', arch: elfMachines[bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18)] }
  if (bytes.length >= 8 && (bytes.readUInt32LE(0) === 0xfeedfacf || bytes.readUInt32LE(0) === 0xfeedface))
    return { kind: 'binary', system: 'darwin', arch: machMachines[bytes.readUInt32LE(4)] }
  // A universal binary. A Java class begins alike, but is not run by itself.
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xcafebabe) return { kind: 'binary', system: 'darwin', arch: undefined }
  if (bytes.toString('latin1', 0, 2) === 'MZ') return { kind: 'binary', system: 'win32', arch: undefined }
  const [, interpreter] = /^#![ \t]*(?:\S*\/env[ \t]+(?:-S[ \t]+)?)?(\S+)/.exec(bytes.toString('utf8')) ?? []
  return interpreter === undefined ? { kind: 'other' } : { kind: 'script', interpreter }
}

/** Finds a file with a name like that of a missing one which an argument names. */
function nearFile(cwd: string, args: readonly string[]): string | undefined {
  const path = args.find((arg) => !arg.startsWith('-') && /[\\/.]/.test(arg))
  if (path === undefined) return undefined
  const whole = resolve(cwd, path)
  if (existsSync(whole)) return undefined
  const names = orElse(() => readdirSync(dirname(whole)), [])
  const like = nearest(basename(whole), names)
  return like === undefined ? undefined : join(dirname(path), like)
}

export type Doctor = ReturnType<typeof createDoctor>

interface DoctorOptions {
  readonly server: string
  readonly clock: Clock
  readonly log: LogBuffer
  readonly monitor: Pick<SandboxMonitor, 'journal' | 'failedCall'>
}

export function createDoctor({ server, clock, log, monitor }: DoctorOptions) {
  const recorder = createRecorder(clock, monitor.journal.list)

  const about = (definition: ServerDefinition, error: ErrorValue): Diagnosis => {
    const trace = recorder.trace()
    const found = diagnose({ name: server, definition: maskDefinition(definition), error, trace, facts: lookAround(definition, trace) })
    return maskTexts(log.masked, found)
  }

  return {
    recorder,
    begin: (definition: ServerDefinition): void => recorder.begin(shownCommand(definition)),
    diagnose(definition: ServerDefinition, error: ErrorValue): Diagnosis {
      const { path, pathSource: from, cwd } = error.data ?? {}
      // Only the error knows the PATH that was searched in vain.
      if (error.code === 'server.command-not-found' && typeof path === 'string')
        recorder.searched({ path, pathSource: pathSource.safeParse(from).data ?? null, cwd: typeof cwd === 'string' ? cwd : null })
      if (error.code === 'server.exited') recorder.exited(exitIn(error))
      recorder.finish()
      return about(definition, error)
    },
    /** Diagnoses a start that goes on, whose process wrote what is not MCP. */
    doubt(definition: ServerDefinition): Diagnosis {
      const found = noMcpYetRule({ name: server, definition: maskDefinition(definition), trace: recorder.trace() })
      return maskTexts(log.masked, diagnosisFor(server, { tone: 'warn', ...found }))
    },
    report(definition: ServerDefinition, state: ServerState): DoctorReport {
      const trace = recorder.trace()
      const command = trace.startedAt === null ? shownCommand(definition) : trace.command
      const diagnosis = diagnosisOf(definition, state)
      return maskTexts(log.masked, { server, ok: state.kind === 'ready', diagnosis, ...trace, command })
    },
  }

  function diagnosisOf(definition: ServerDefinition, state: ServerState): Diagnosis | null {
    const nothing = (code: 'server.disabled' | 'server.refused'): Diagnosis => about(definition, { code, message: '' })
    if (state.kind === 'failed') return state.diagnosis ?? about(definition, state.error)
    if (state.kind === 'starting') return state.diagnosis ?? null
    if (state.kind === 'disabled') return nothing('server.disabled')
    if (state.kind === 'refused') return nothing('server.refused')
    const call = state.kind === 'ready' ? monitor.failedCall() : undefined
    return call ? diagnosisFor(server, blockedCall(call)) : null
  }
}

const shownCommand = (definition: ServerDefinition): string => {
  if (definition.transport === 'stdio') return commandLine({ ...definition, args: maskArgs(definition.args) })
  return definition.transport === 'builtin' ? commandLine(definition) : maskUrl(definition.url)
}
