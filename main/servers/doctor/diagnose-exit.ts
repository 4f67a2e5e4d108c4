// Diagnoses of a process that ran: it ended, or it was not understood.
import { t } from '#app/i18n/translate.ts'
import type { DoctorAction, Exit } from '#app/server/doctor.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { missingInterpreterRule, wrongArchitectureRule } from './diagnose-launch.ts'
import {
  change,
  commandOf,
  copy,
  type DiagnosisCase,
  type DiagnosisFinding,
  type DiagnosisRule,
  editWhere,
  exitIn,
  finding,
  listAt,
  log,
  namedValue,
  numberAt,
  retry,
  textAt,
  wroteSentence,
} from './diagnosis-input.ts'
import { exitReason, isError, readOutput, reasonIn } from './exit-reason.ts'
import { installLibraries, signAnew } from './known-launchers.ts'
import { listeningAddress } from './listening-address.ts'
import { missingVariablesIn } from './missing-variables.ts'
import { outOfMemoryRule, readSigns } from './output-patterns.ts'

const exitLabel = ({ code, signal }: Exit): string =>
  signal
    ? t`was ended by ${signal}`
    : code === null
      ? t`ended`
      : t`ended with exit code ${isStatus(code) ? `0x${code.toString(16).toUpperCase()}` : code}`

/** Whether an exit code is an error status of Windows (NTSTATUS), which are written in hex everywhere. */
const isStatus = (code: number): boolean => code >= 0xc0000000

/** Statuses of a program whose libraries are missing, of another version, or fail to begin (ntstatus.h). */
const libraryStatuses: ReadonlySet<number | null> = new Set([0xc0000135, 0xc0000139, 0xc0000142])
/** Access violation, illegal instruction, stack overflow, damaged heap, fast fail. */
const crashStatuses: ReadonlySet<number | null> = new Set([0xc0000005, 0xc000001d, 0xc00000fd, 0xc0000374, 0xc0000409])
/** How cmd.exe says that a program of a batch file was not found, as a shell does by 127. */
const notFoundByCmd = 9009

export const exitedRule: DiagnosisRule = (one) => {
  const exit = one.trace.exit ?? exitIn(one.error)
  const other = wrongArchitectureRule(one)
  if (other) return other
  const sign = readSigns(one)
  if (sign) return sign
  // 137 is how a shell or a container reports SIGKILL.
  if (exit.signal === 'SIGKILL' || exit.code === 137) {
    if (one.facts.platform === 'darwin' && one.trace.stderr.length + one.trace.output.length === 0) return refusedByMac(one)
    return { ...outOfMemoryRule(), code: 'killed-by-signal', short: t`was ended by ${'SIGKILL'}` }
  }
  if (exit.signal !== null || crashStatuses.has(exit.code)) return killed(one, exit)
  if (libraryStatuses.has(exit.code)) return missingLibrary(exit)
  if (exit.code === 127 || exit.code === notFoundByCmd) return missingInterpreterRule(one)
  const noise = one.trace.output[0]
  if (noise !== undefined && one.trace.stderr.length === 0 && !isError(exitReason(one) ?? '')) return notMcpRule(one)
  return crashed(one, exit)
}

/** macOS kills what has a broken signature before it can write a word; the same signal as for memory. */
function refusedByMac({ trace }: DiagnosisCase): DiagnosisFinding {
  const file = trace.resolved ?? ''
  return finding('killed-by-signal', [copy(signAnew(file)), retry(), log()], {
    short: t`was ended by ${'SIGKILL'}`,
    why: t`macOS ends programs with a broken signature.`,
    remedy: reportIt(),
  })
}

const missingLibrary = (exit: Exit): DiagnosisFinding =>
  finding('crashed-at-once', [retry(), log()], {
    short: exitLabel(exit),
    why: t`A library (DLL) is missing or too old.`,
    remedy: t`Install it with “${installLibraries}”, then try again.`,
  })

function killed(one: DiagnosisCase, exit: Exit): DiagnosisFinding {
  const crash = exit.signal === null || ['SIGSEGV', 'SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGTRAP'].includes(exit.signal ?? '')
  return finding('killed-by-signal', [retry(), log()], {
    short: exitLabel(exit),
    why: wroteSentence(exitReason(one)),
    remedy: crash ? reportIt() : t`Try again.`,
  })
}

const reportIt = (): string => t`Start it again. If that fails, report it to its author.`

function crashed(one: DiagnosisCase, exit: Exit): DiagnosisFinding {
  const last = exitReason(one)
  const texts = { short: exitLabel(exit), why: wroteSentence(last) }
  if (exit.code === 0)
    return finding('ended-by-itself', [change('args'), log(), retry()], {
      ...texts,
      remedy: t`Check the command: a server runs until it is told to stop.`,
    })
  return finding('crashed-at-once', [retry(), log(), change('args')], {
    ...texts,
    remedy: last ? t`Fix what it reports, then start it again.` : t`Run its command in a terminal to see more.`,
  })
}

const methodNotFound = -32601

const checkCommand = () => t`Check the command: only MCP goes to stdout, the log to stderr.`

/** Diagnosis of a local program that listens on an address instead; undefined for any other. */
function httpServer({ trace, definition }: Pick<DiagnosisCase, 'trace' | 'definition'>): DiagnosisFinding | undefined {
  const found = definition.transport === 'stdio' ? listeningAddress([...trace.output, ...trace.stderr]) : undefined
  if (!found) return undefined
  const { url, line } = found
  return finding('http-server', [{ kind: 'use-address', label: t`Add ${url}`, url }, change('args'), change('env'), log(), retry()], {
    short: t`listens on ${new URL(url).host}, not on stdio`,
    why: wroteSentence(line),
    remedy: t`Switch it to stdio, or start it yourself and add its address.`,
  })
}

/** Warning during a start that goes on: some servers write a greeting first, and speak MCP later. */
export const noMcpYetRule = (one: Pick<DiagnosisCase, 'name' | 'definition' | 'trace'>): DiagnosisFinding =>
  httpServer(one) ??
  finding('not-mcp', [change('args'), editWhere(one), log()], {
    short: t`no MCP on stdout yet`,
    why: wroteSentence(one.trace.output[0]),
    remedy: checkCommand(),
  })

export const notMcpRule: DiagnosisRule = (one) => {
  const { error, trace, definition } = one
  const first = trace.output[0] ?? textAt(error.data, 'output')
  const remote = definition.transport !== 'stdio'
  const code = error.code === 'server.not-mcp' ? numberAt(error.data, 'code') : undefined
  // An error in answer to `initialize` is MCP, unless the method is unknown: it says what the server misses.
  if (code !== undefined && code !== methodNotFound)
    return finding('not-mcp', [editWhere(one), log(), retry()], {
      short: t`refused to begin`,
      why: answered(error) ?? error.message,
      remedy: t`Fix what it reports, then start it again.`,
    })
  return finding('not-mcp', [...(remote ? [] : [change('args')]), editWhere(one), log(), retry()], {
    short: t`doesn’t speak MCP`,
    why: wroteSentence(first) || error.message,
    remedy: remote ? t`Correct the address: the path often ends in /mcp or /sse.` : checkCommand(),
  })
}

function answered({ data }: DiagnosisCase['error']): string | undefined {
  const given = textAt(data, 'reason')
  return given && wroteSentence(reasonIn(readOutput(given.split('\n'))) ?? given)
}

/** Diagnosis of a server that speaks MCP but fails to list its tools, most often for want of a key or a network. */
export const listFailedRule: DiagnosisRule = ({ error, definition }) => {
  const given = textAt(error.data, 'reason') ?? error.message
  const reason = reasonIn(readOutput(given.split('\n'))) ?? given
  const missing = missingVariablesIn(reason)
  const said = missing.length > 0 || numberAt(error.data, 'code') !== undefined
  return finding('list-failed', [definition.transport === 'stdio' ? change('env') : editWhere({ definition }), log(), retry()], {
    short: t`did not list its tools`,
    why: said ? wroteSentence(reason) : error.message,
    remedy: missing.length > 0 ? t`Add ${namedValue(missing)} to its environment.` : t`Check its key, its settings and the network.`,
  })
}

export const versionMismatchRule: DiagnosisRule = (one) => {
  const { error } = one
  const [theirs, ours] = [listAt(error.data, 'supported'), listAt(error.data, 'ours')]
  return finding('version-mismatch', [editWhere(one), log(), retry()], {
    short: t`no common MCP revision`,
    why: theirs.length > 0 && ours.length > 0 ? t`Server: ${theirs.join(', ')}. Assent: ${ours.join(', ')}.` : error.message,
    remedy: theirs.some((version) => ours.every((known) => known < version)) ? t`Update Assent.` : t`Update the server.`,
  })
}

/** Timeout to offer, in milliseconds: three times as long, at least a minute, at most 15. */
const longer = (waited: number): number => Math.min(Math.max(waited * 3, 60_000), 15 * 60_000)
const fetchers = /^(?:npx|npm|pnpm|yarn|bunx|uvx|uv|pipx|docker|podman)(?:\.(?:cmd|exe))?$/i

export const tooSlowRule: DiagnosisRule = (one) => {
  const { error, definition, trace } = one
  const waited = numberAt(error.data, 'timeoutMs') ?? definition.startTimeoutMs ?? 60_000
  const listens = httpServer(one)
  if (listens) return listens
  const noise = trace.output[0]
  if (noise !== undefined && trace.stderr.length === 0 && definition.transport === 'stdio') return notMcpRule(one)
  const next = longer(waited)
  const wait: DoctorAction[] = next > waited ? [{ kind: 'wait', label: t`Wait up to ${formatDuration(next)}`, startTimeoutMs: next }] : []
  const last = exitReason(one)
  // Some wait on after they said what they lack, others have said it and are not at their end yet.
  const sign = last !== undefined && isError(last) ? readSigns(one) : undefined
  if (sign) return { ...sign, actions: [...sign.actions, ...wait] }
  const program = commandOf(one).split(/[\\/]/).at(-1) ?? ''
  return finding('too-slow', [...wait, retry(), log(), editWhere(one)], {
    short: t`did not answer within ${formatDuration(waited)}`,
    why: wroteSentence(last) || (fetchers.test(program) ? t`${program} may still be fetching the package.` : ''),
    remedy: t`Read its log, or give it more time.`,
  })
}

export const tooLargeRule: DiagnosisRule = ({ error }) =>
  finding('sent-too-much', [retry(), log()], { short: t`sent too much`, why: error.message, remedy: t`Ask for less at once.` })
