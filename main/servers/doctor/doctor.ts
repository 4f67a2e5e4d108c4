// The doctor of one server: keeps what its last start was like, says what a failure comes to, and tells all of it at once. What
// can be seen of the files that a start named, without running anything: looked at only once it has failed.

import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ErrorValue, HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import {
  type Diagnosis,
  type DoctorAction,
  type DoctorReport,
  type Exit,
  type PathSource,
  pathSource,
  type StartTrace,
} from '#app/server/doctor.ts'
import type { ServerState } from '#app/server/server-state.ts'
import { maskArgs, maskUrl } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { maskDefinition } from '../config/mask-definition.ts'
import type { LogBuffer } from '../process/logs/log-buffer.ts'
import { maskTexts } from '../process/logs/redact-secrets.ts'
import { createRecorder, type StartRecorder } from '../process/start-recorder.ts'
import { exitedRule, listFailedRule, noMcpYetRule, notMcpRule, tooLargeRule, tooSlowRule, versionMismatchRule } from './diagnose-exit.ts'
import { commandNotFoundRule, configInvalidRule, cwdNotFoundRule, secretMissingRule, spawnFailedRule } from './diagnose-launch.ts'
import { httpStatusRule, unreachableRule } from './diagnose-network.ts'
import {
  type DiagnosisCase,
  type DiagnosisFacts,
  type DiagnosisFinding,
  type DiagnosisRule,
  edit,
  finding,
  log,
  type ProgramKind,
  retry,
  textAt,
} from './diagnosis-input.ts'

// From what is known of a start that failed to what it comes to: what happened, why, what to do, and what to press. Pure. The
// error's code says where to look; within that, what the server wrote and how it ended. Why a sign-in did not come about, and
// what to press. `data.reason` is the code of OAuth 2.1 that the issuer answered with, or one of the host's own; an unknown one
// is told in the host's sentence. Starting the server asks anew.

const signIn = (): DoctorAction => ({ kind: 'retry', label: t`Sign in` })
const again = (): DoctorAction => ({ kind: 'retry', label: t`Sign in again` })
const client = () => edit(t`Change the sign-in`, 'oauth')
const token = () => edit(t`Use a token instead`, 'headers')

const issuerOf = ({ data }: ErrorValue): string => {
  const issuer = textAt(data, 'issuer')
  return issuer === undefined ? t`the sign-in service` : URL.canParse(issuer) ? new URL(issuer).host : issuer
}

interface Reason {
  readonly why: string
  readonly remedy: string
  readonly actions: DoctorAction[]
}

/** Undefined: the host's own sentence says it best. */
function reasonOf(error: ErrorValue): Reason | undefined {
  const issuer = issuerOf(error)
  switch (textAt(error.data, 'reason')) {
    case 'access_denied':
      return {
        why: t`Access was denied at ${issuer}: by you on its page, or by a rule of its own.`,
        remedy: t`Sign in again, and allow it there.`,
        actions: [again()],
      }
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_client_metadata':
    case 'unapproved_software_statement':
      return {
        why: t`Assent is not accepted at ${issuer} as it introduced itself.`,
        remedy: t`It may want a client id that you get there.`,
        actions: [client(), again()],
      }
    case 'invalid_scope':
      return {
        why: t`What was asked for is not granted at ${issuer}.`,
        remedy: t`Change the scopes, then sign in again.`,
        actions: [edit(t`Change the scopes`, 'oauth'), again()],
      }
    case 'invalid_grant':
      return {
        why: t`It was no longer valid when it came back: it took too long, or it was used before.`,
        remedy: t`Sign in again.`,
        actions: [again()],
      }
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
      return { why: t`There is something for you to finish on the page of ${issuer}.`, remedy: t`Sign in again.`, actions: [again()] }
    case 'server_error':
    case 'temporarily_unavailable':
      return { why: t`The fault is on the side of ${issuer}.`, remedy: t`Wait a little, then sign in again.`, actions: [again()] }
    default:
      return undefined
  }
}

const signInRules: Partial<Record<HostErrorCode, DiagnosisRule>> = {
  'server.sign-in-needed': ({ name }) =>
    finding('sign-in-needed', {
      short: t`wants you to sign in`,
      message: t`${name} wants you to sign in.`,
      why: t`You are shown where it leads before the browser opens.`,
      remedy: t`Sign in. If it gives out tokens, one can go in an Authorization header instead.`,
      actions: [signIn(), token()],
      tone: 'warn',
    }),
  'server.sign-in-refused': ({ name }) =>
    finding('sign-in-refused', {
      short: t`you didn’t sign in`,
      message: t`You didn’t sign in to ${name}.`,
      why: t`No page was opened. You are asked again when it is started.`,
      remedy: t`Sign in when you want to.`,
      actions: [signIn(), token()],
      tone: 'warn',
    }),
  'server.sign-in-failed': ({ name, error }) => {
    const reason = reasonOf(error)
    const short = t`sign-in failed`
    if (reason) return finding('sign-in-failed', { short, message: t`The sign-in to ${name} failed.`, ...reason })
    const notOffered = textAt(error.data, 'reason') === 'not-offered'
    return finding('sign-in-failed', {
      short,
      message: error.message,
      why: '',
      remedy: notOffered
        ? t`Use a token in a header, if it gives them out.`
        : t`Sign in again. Its settings say how Assent is known there.`,
      actions: notOffered ? [token(), again()] : [again(), client()],
    })
  },
  'server.sign-in-timeout': ({ name }) =>
    finding('sign-in-timeout', {
      short: t`sign-in not finished`,
      message: t`The browser did not come back from the sign-in to ${name}.`,
      why: t`The page may have been closed.`,
      remedy: t`Sign in again. If the browser runs on another computer, copy the address that it ended at and paste it here while Assent waits.`,
      actions: [again()],
      tone: 'warn',
    }),
}

const rules: Partial<Record<HostErrorCode, DiagnosisRule>> = {
  ...signInRules,
  'server.command-not-found': commandNotFoundRule,
  'server.cwd-not-found': cwdNotFoundRule,
  'server.spawn-failed': spawnFailedRule,
  'server.secret-missing': secretMissingRule,
  'config.invalid': configInvalidRule,
  'server.exited': exitedRule,
  'server.not-mcp': notMcpRule,
  'server.list-failed': listFailedRule,
  'server.version-mismatch': versionMismatchRule,
  'server.start-timeout': tooSlowRule,
  'server.too-large': tooLargeRule,
  'server.unreachable': unreachableRule,
  'server.http-status': httpStatusRule,
  'server.protocol': ({ name, error }) =>
    finding('broke-the-protocol', {
      short: t`broke the protocol`,
      message: t`${name} sent something that MCP doesn’t allow.`,
      why: error.message,
      remedy: t`Start it again. If it happens again, report it to who wrote the server.`,
      actions: [retry(), log()],
    }),
  'server.connection-lost': ({ name, error }) =>
    finding('connection-lost', {
      short: t`connection lost`,
      message: t`${name} lost the connection.`,
      why: error.message,
      remedy: t`Connect again.`,
      actions: [{ kind: 'retry', label: t`Connect again` }, log()],
    }),
  'server.refused': ({ name }) =>
    finding('refused-by-you', {
      short: t`was not allowed to start`,
      message: t`${name} was not allowed to start.`,
      why: t`Nothing ran. You are asked again when it is started.`,
      remedy: t`Start it, and allow its command.`,
      actions: [{ kind: 'retry', label: t`Ask again` }, edit(t`Edit`, 'command')],
      tone: 'warn',
    }),
  'server.disabled': ({ name }) =>
    finding('disabled', {
      short: t`off`,
      message: t`${name} is off.`,
      why: t`It is kept in the list and never started.`,
      remedy: t`Turn it on.`,
      actions: [{ kind: 'enable', label: t`Turn on` }],
      tone: 'warn',
    }),
}

const unexplained = ({ name, error }: DiagnosisCase): DiagnosisFinding =>
  finding('unexplained', {
    short: t`failed`,
    message: t`${name} doesn’t start.`,
    why: error.message,
    remedy: t`Read its log, then try again.`,
    actions: [retry(), log()],
  })

export const diagnose = (one: DiagnosisCase): Diagnosis => ({
  tone: 'bad',
  // A server may be called "everything": its name is set off in every sentence.
  ...(rules[one.error.code] ?? unexplained)({ ...one, name: `“${one.name}”` }),
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
    return undefined // Not there, or not for us to read.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The numbers of ELF, Mach-O and PE for the kinds of processors that Node runs on. */
const elfMachines: Readonly<Record<number, string>> = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64', 243: 'riscv64' }
const machMachines: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' }

/** What a file is, by its first bytes; undefined: there are none. */
function programKind(bytes: Buffer | undefined): ProgramKind | undefined {
  if (bytes === undefined || bytes.length < 2) return undefined
  if (bytes.length >= 20 && bytes.readUInt32BE(0) === 0x7f454c46)
    return { kind: 'binary', system: 'linux', arch: elfMachines[bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18)] }
  if (bytes.length >= 8 && (bytes.readUInt32LE(0) === 0xfeedfacf || bytes.readUInt32LE(0) === 0xfeedface))
    return { kind: 'binary', system: 'darwin', arch: machMachines[bytes.readUInt32LE(4)] }
  // For several kinds at once. (A Java class begins alike, but is not run by itself.)
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xcafebabe) return { kind: 'binary', system: 'darwin', arch: undefined }
  if (bytes.toString('latin1', 0, 2) === 'MZ') return { kind: 'binary', system: 'win32', arch: undefined }
  const [, interpreter] = /^#![ \t]*(?:\S*\/env[ \t]+(?:-S[ \t]+)?)?(\S+)/.exec(bytes.toString('utf8')) ?? []
  return interpreter === undefined ? { kind: 'other' } : { kind: 'script', interpreter }
}

/** Like an argument that names a file which is not there. */
function nearFile(cwd: string, args: readonly string[]): string | undefined {
  const path = args.find((arg) => !arg.startsWith('-') && /[\\/.]/.test(arg))
  if (path === undefined) return undefined
  const whole = resolve(cwd, path)
  if (existsSync(whole)) return undefined
  try {
    const like = nearest(basename(whole), readdirSync(dirname(whole)))
    return like === undefined ? undefined : join(dirname(path), like)
  } catch {
    return undefined // Its folder is not there either.
  }
}

export interface Doctor {
  readonly recorder: StartRecorder
  /** A start begins. */
  begin(definition: ServerDefinition): void
  /** The start, or what came of it, ended with this error, which has been masked. */
  diagnose(definition: ServerDefinition, error: ErrorValue): Diagnosis
  /** Of a start that goes on, whose process wrote what is no MCP. */
  doubt(definition: ServerDefinition): Diagnosis
  /** Of the last start, also of one that goes on. Without secrets. */
  report(definition: ServerDefinition, state: ServerState): DoctorReport
}

export function createDoctor(options: { readonly server: string; readonly clock: Clock; readonly log: LogBuffer }): Doctor {
  const { server, clock, log } = options
  const recorder = createRecorder(clock)

  const about = (definition: ServerDefinition, error: ErrorValue): Diagnosis => {
    const trace = recorder.trace()
    const found = diagnose({ name: server, definition: maskDefinition(definition), error, trace, facts: lookAround(definition, trace) })
    return maskTexts(log.masked, found)
  }

  return {
    recorder,
    begin: (definition) => recorder.begin(shownCommand(definition)),
    diagnose(definition, error) {
      const { path, pathSource: from, cwd } = error.data ?? {}
      // What was searched in vain is known from the error alone.
      if (error.code === 'server.command-not-found' && typeof path === 'string')
        recorder.searched({ path, pathSource: asPathSource(from), cwd: typeof cwd === 'string' ? cwd : null })
      if (error.code === 'server.exited') recorder.exited(exitIn(error))
      recorder.finish()
      return about(definition, error)
    },
    doubt(definition) {
      const found = noMcpYetRule({ name: server, definition: maskDefinition(definition), trace: recorder.trace() })
      return maskTexts(log.masked, { tone: 'warn' as const, ...found })
    },
    report(definition, state) {
      const trace = recorder.trace()
      const command = trace.startedAt === null ? shownCommand(definition) : trace.command
      return maskTexts(log.masked, {
        server,
        ok: state.kind === 'ready',
        diagnosis: diagnosisOf(definition, state),
        ...trace,
        command,
      })
    },
  }

  function diagnosisOf(definition: ServerDefinition, state: ServerState): Diagnosis | null {
    const nothing = (code: 'server.disabled' | 'server.refused'): Diagnosis => about(definition, { code, message: '' })
    if (state.kind === 'failed') return state.diagnosis ?? about(definition, state.error)
    if (state.kind === 'starting') return state.diagnosis ?? null
    if (state.kind === 'disabled') return nothing('server.disabled')
    return state.kind === 'refused' ? nothing('server.refused') : null
  }
}

const asPathSource = (value: unknown): PathSource | null => pathSource.safeParse(value).data ?? null

function exitIn({ data }: ErrorValue): Exit {
  const { code, signal } = data ?? {}
  return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null }
}

/** Without what looks secret. */
const shownCommand = (definition: ServerDefinition): string => {
  if (definition.transport === 'stdio') return commandLine({ ...definition, args: maskArgs(definition.args) })
  return definition.transport === 'builtin' ? commandLine(definition) : maskUrl(definition.url)
}
