// Diagnoses of a process that ran: it ended, or it was not understood.
import { t } from '#app/i18n/translate.ts'
import type { DoctorAction, Exit } from '#app/server/doctor.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { missingInterpreterRule, wrongArchitectureRule } from './diagnose-launch.ts'
import {
  commandOf,
  type DiagnosisCase,
  type DiagnosisFinding,
  type DiagnosisRule,
  exitIn,
  finding,
  listAt,
  namedValue,
  numberAt,
  quoteLastLine,
  sentences,
  textAt,
  wroteSentence,
} from './diagnosis-input.ts'
import { change, edit, editWhere, log, retry } from './doctor-actions.ts'
import { exitReason, isError, readOutput, reasonIn } from './exit-reason.ts'
import { missingVariablesIn } from './missing-variables.ts'
import { outOfMemoryRule, readSigns } from './output-patterns.ts'

function exitLabel({ code, signal }: Exit): string {
  if (signal) return t`was ended by ${signal}`
  if (code === 0) return t`ended by itself (exit code 0)`
  return code === null ? t`ended` : t`ended with exit code ${code}`
}

export const exitedRule: DiagnosisRule = (one) => {
  const exit = one.trace.exit ?? exitIn(one.error)
  const other = wrongArchitectureRule(one)
  if (other) return other
  const sign = readSigns(one)
  if (sign) return sign
  // 137 is how a shell or a container reports SIGKILL.
  if (exit.signal === 'SIGKILL' || exit.code === 137) return { ...outOfMemoryRule(one), ...maybeKilled(one) }
  if (exit.signal !== null) return killed(one, exit)
  if (exit.code === 127) return missingInterpreterRule(one)
  const noise = one.trace.output[0]
  if (noise !== undefined && one.trace.stderr.length === 0 && !isError(exitReason(one) ?? '')) return notMcpRule(one)
  return crashed(one, exit)
}

const maybeKilled = ({ name }: DiagnosisCase): Partial<DiagnosisFinding> => ({
  code: 'killed-by-signal',
  short: t`was killed`,
  message: t`${name} was killed (SIGKILL).`,
  why: t`Somebody ended it, or the system did because memory ran short.`,
  remedy: t`Start it again. If it happens again, give it more memory or less to do.`,
})

function killed({ name, ...one }: DiagnosisCase, exit: Exit): DiagnosisFinding {
  const crash = ['SIGSEGV', 'SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGTRAP'].includes(exit.signal ?? '')
  return finding('killed-by-signal', [retry(), log()], {
    short: exitLabel(exit),
    message: `${name} ${exitLabel(exit)}.`,
    why: sentences(
      crash ? t`The program itself is at fault: it did what no program may.` : t`Another program, or the system, ended it.`,
      wroteSentence(exitReason(one)),
    ),
    remedy: crash ? t`Update it, or report it to who wrote it. The report below has what they need.` : t`Start it again.`,
  })
}

function crashed(one: DiagnosisCase, exit: Exit): DiagnosisFinding {
  const last = exitReason(one)
  const why = wroteSentence(last) || t`It wrote nothing to stderr.`
  const how = { short: exitLabel(exit), message: `${one.name} ${exitLabel(exit)}.` }
  if (exit.code === 0)
    return finding('ended-by-itself', [change('args'), log(), retry()], {
      ...how,
      why: t`${why} A server runs until it is told to stop: this command may not be one, or may want another argument.`,
      remedy: t`Check what the documentation of the server says to run.`,
    })
  return finding('crashed-at-once', [retry(), log(), edit(t`Edit`, 'args')], {
    ...how,
    why,
    remedy: last
      ? t`Read what it wrote: it says what it misses. Then start it again.`
      : t`Run its command in a terminal to see more, and check its arguments.`,
  })
}

const methodNotFound = -32601

const checkCommand = () =>
  t`Check the command: it may need an argument such as “mcp” or “stdio”. A server writes its log to stderr, and only MCP to stdout.`

/** Warning during a start that goes on: some servers write a greeting first, and speak MCP later. */
export const noMcpYetRule = (one: Pick<DiagnosisCase, 'name' | 'definition' | 'trace'>): DiagnosisFinding =>
  finding('not-mcp', [change('args'), editWhere(one), log()], {
    short: t`wrote what is no MCP`,
    message: t`${one.name} runs, but has not spoken MCP yet.`,
    why: t`It wrote ${quoteLastLine(one.trace.output[0] ?? '')} where MCP was expected. It may still begin: Assent waits up to ${formatDuration(one.definition.startTimeoutMs ?? 60_000)}.`,
    remedy: checkCommand(),
  })

export const notMcpRule: DiagnosisRule = (one) => {
  const { name, error, trace, definition } = one
  const first = trace.output[0] ?? textAt(error.data, 'output')
  const remote = definition.transport !== 'stdio'
  const code = error.code === 'server.not-mcp' ? numberAt(error.data, 'code') : undefined
  // An error in answer to `initialize` is MCP, unless the method is unknown: it says what the server misses.
  if (code !== undefined && code !== methodNotFound)
    return finding('not-mcp', [editWhere(one), log(), retry()], {
      short: t`refused to begin`,
      message: t`${name} refused to begin.`,
      why: error.message,
      remedy: t`Read what it says: it may miss a key or a setting. Then start it again.`,
    })
  return finding('not-mcp', [...(remote ? [] : [change('args')]), editWhere(one), log(), retry()], {
    short: t`doesn’t speak MCP`,
    message: remote ? t`What answers for ${name} doesn’t speak MCP.` : t`${name} runs, but doesn’t speak MCP.`,
    why:
      first === undefined
        ? error.message
        : remote
          ? t`It answered ${quoteLastLine(first)} where MCP was expected.`
          : t`It wrote ${quoteLastLine(first)} where MCP was expected.`,
    remedy: remote ? t`Check the address: the path for MCP often ends in /mcp.` : checkCommand(),
  })
}

/** Diagnosis of a server that speaks MCP but fails to list its tools, most often for want of a key or a network. */
export const listFailedRule: DiagnosisRule = ({ name, error, definition }) => {
  const given = textAt(error.data, 'reason') ?? error.message
  const reason = reasonIn(readOutput(given.split('\n'))) ?? given
  const said = numberAt(error.data, 'code') !== undefined
  const missing = missingVariablesIn(reason)
  return finding('list-failed', [definition.transport === 'stdio' ? change('env') : editWhere({ definition }), log(), retry()], {
    short: t`did not list its tools`,
    message: t`${name} started, but did not list its tools.`,
    why: said || missing.length > 0 ? t`It answered ${quoteLastLine(reason)}.` : t`Its list failed: ${reason}.`,
    remedy:
      missing.length > 0
        ? t`Add ${namedValue(missing)} to its environment, then start it again.`
        : said
          ? t`It may miss a key, a setting or the network. Mend that, then start it again.`
          : t`Start it again. If it happens again, report it to who wrote the server.`,
  })
}

export const versionMismatchRule: DiagnosisRule = (one) => {
  const { name, error } = one
  const [theirs, ours] = [listAt(error.data, 'supported'), listAt(error.data, 'ours')]
  return finding('version-mismatch', [editWhere(one), log(), retry()], {
    short: t`no common revision`,
    message: t`${name} and Assent know no common revision of MCP.`,
    why: theirs.length > 0 && ours.length > 0 ? t`It speaks ${theirs.join(', ')}. Assent speaks ${ours.join(', ')}.` : error.message,
    remedy: theirs.some((version) => ours.every((known) => known < version))
      ? t`Update Assent, or use an older version of the server.`
      : t`Update the server.`,
  })
}

/** Timeout to offer, in milliseconds: three times as long, at least a minute, at most 15. */
const longer = (waited: number): number => Math.min(Math.max(waited * 3, 60_000), 15 * 60_000)
const fetchers = /^(?:npx|npm|pnpm|yarn|bunx|uvx|uv|pipx|docker|podman)(?:\.(?:cmd|exe))?$/i

export const tooSlowRule: DiagnosisRule = (one) => {
  const { name, error, definition, trace } = one
  const waited = numberAt(error.data, 'timeoutMs') ?? definition.startTimeoutMs ?? 60_000
  const noise = trace.output[0]
  if (noise !== undefined && trace.stderr.length === 0 && definition.transport === 'stdio') return notMcpRule(one)
  const next = longer(waited)
  const wait: DoctorAction[] = next > waited ? [{ kind: 'wait', label: t`Wait up to ${formatDuration(next)}`, startTimeoutMs: next }] : []
  const program = commandOf(one).split(/[\\/]/).at(-1) ?? ''
  return finding('too-slow', [...wait, retry(), log(), editWhere(one)], {
    short: t`did not answer`,
    message: t`${name} did not answer within ${formatDuration(waited)}.`,
    why: sentences(
      fetchers.test(program)
        ? t`${program} may still have been fetching the package: the first start takes longest.`
        : definition.transport === 'stdio'
          ? t`It runs, but says nothing: it may be slow, or wait for something, or not be an MCP server.`
          : t`It is there, but says nothing.`,
      wroteSentence(exitReason(one)),
    ),
    remedy: wait.length > 0 ? t`Give it more time, or read its log for what it waits for.` : t`Read its log for what it waits for.`,
  })
}

export const tooLargeRule: DiagnosisRule = ({ name, error }) => {
  const limit = numberAt(error.data, 'limit')
  return finding('sent-too-much', [retry(), log()], {
    short: t`sent too much`,
    message: t`${name} sent more than Assent takes at once.`,
    why: limit === undefined ? error.message : t`The limit is ${formatBytes(limit)} a message.`,
    remedy: t`Ask for less at once, or report it to who wrote the server.`,
  })
}
