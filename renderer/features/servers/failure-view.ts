// What a failed server says to the person: one sentence, the cause, and what to press. Pure: code and data in, words out.
// The host's `data` is read leniently (it may come from an older run); what a server itself wrote stands in quotation marks.
import type { ShellView } from '#app/contract/snapshot.ts'
import type { ErrorValue, HostErrorCode } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Exit } from '#app/server/state.ts'
import { formatBytes, formatDuration } from '#app/text.ts'
import { programHelp, programName } from './programs.ts'
import { signInFailures } from './sign-in-failure.ts'

export type EditField = 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'oauth' | 'timeout'
export type Remedy =
  | { readonly kind: 'retry'; readonly label: string }
  | { readonly kind: 'edit'; readonly label: string; readonly field: EditField }
  | { readonly kind: 'copy'; readonly label: string; readonly text: string }
  | { readonly kind: 'log'; readonly label: string }
  | { readonly kind: 'enable'; readonly label: string }
  | { readonly kind: 'text'; readonly label: string }

export interface FailureView {
  /** A few words for the list: "uvx was not found". */
  readonly short: string
  /** The whole sentence. */
  readonly sentence: string
  readonly cause?: string
  /** First the one that most likely mends it. */
  readonly remedies: readonly Remedy[]
  readonly tone: 'bad' | 'warn'
}

export interface FailedServer {
  readonly name: string
  readonly definition: ServerDefinition
  readonly os: ShellView['os']
  readonly exit?: Exit | undefined
  /** The last line that it wrote to stderr, where the log has one. */
  readonly lastWords?: string | undefined
  readonly attempt?: number
  /** It starts again by itself. */
  readonly retries?: boolean
}

const retry: Remedy = { kind: 'retry', label: 'Try again' }
const log: Remedy = { kind: 'log', label: 'Show log' }
const edit = (label: string, field: EditField): Remedy => ({ kind: 'edit', label, field })

const text = (data: JsonObject | undefined, key: string): string | undefined => {
  const value = data?.[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
const number = (data: JsonObject | undefined, key: string): number | undefined => {
  const value = data?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
const list = (data: JsonObject | undefined, key: string): string[] => {
  const value = data?.[key]
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}
/** The server's own words, quoted and kept to one line. */
const quoted = (words: string): string => {
  const line = words.trim().split('\n').at(-1)?.trim() ?? ''
  return `“${line.length > 300 ? `${line.slice(0, 300)}…` : line}”`
}

/** How a process ended, as people say it. */
export function exitWords(exit: Exit | undefined): string {
  if (exit?.signal) return `was ended by ${exit.signal}`
  if (exit?.code === 0) return 'ended by itself (exit code 0)'
  if (typeof exit?.code === 'number') return `ended with exit code ${exit.code}`
  return 'ended'
}

const command = (server: FailedServer, data: JsonObject | undefined): string =>
  text(data, 'command') ?? (server.definition.transport === 'stdio' ? server.definition.command : server.name)

/** The host of its address, or the address as it was typed when that is no address. */
export function addressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? new URL(definition.url).host : definition.url
}

const editWhere = (server: FailedServer): Remedy =>
  server.definition.transport === 'stdio' ? edit('Change the command', 'command') : edit('Change the address', 'url')

/** Whose PATH was searched. */
export const pathOwner = (source: string | undefined): string => {
  const owners: Record<string, string> = {
    terminal: 'the PATH of your terminal',
    fallback: 'the PATH of Assent, nor where programs usually are',
    config: 'the PATH that servers.json sets for it',
  }
  return owners[source ?? ''] ?? 'your login shell’s PATH'
}

type View = Omit<FailureView, 'tone'> & { readonly tone?: FailureView['tone'] }
type Describe = (server: FailedServer, error: ErrorValue) => View

function exited(server: FailedServer, { data }: ErrorValue): View {
  const how = exitWords(server.exit ?? { code: number(data, 'code') ?? null, signal: text(data, 'signal') ?? null })
  const last = server.lastWords ?? list(data, 'stderr').at(-1) ?? text(data, 'stderr')
  const gaveUp =
    !server.retries && (server.attempt ?? 0) >= 3
      ? `It ended ${server.attempt} times in a few minutes, so Assent no longer starts it by itself.`
      : ''
  const said = last ? `Its last words: ${quoted(last)}.` : 'It wrote nothing to stderr.'
  return {
    short: how,
    sentence: `${server.name} ${how}.`,
    cause: [said, gaveUp].filter(Boolean).join(' '),
    remedies: [retry, log, edit('Edit', 'args')],
  }
}

function unreachable(server: FailedServer, { data }: ErrorValue): View {
  const origin = text(data, 'origin')
  const where =
    (origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined) ?? addressOf(server.definition) ?? server.name
  const reason = text(data, 'reason') ?? ''
  const cause = /^(ENOTFOUND|EAI_)/.test(reason)
    ? 'No computer goes by this name. You may be offline, or the address may be wrong.'
    : reason === 'ECONNREFUSED'
      ? 'The computer is there, but nothing listens at this port. The server may not be running.'
      : /CERT|TLS|SSL/.test(reason)
        ? `Its certificate was not accepted (${reason}), so nothing was sent.`
        : 'You may be offline, the server may be down, or the address may be wrong.'
  return {
    short: 'cannot be reached',
    sentence: `${server.name} cannot be reached at ${where}.`,
    cause,
    remedies: [retry, edit('Change the address', 'url')],
  }
}

function httpStatus(server: FailedServer, { data, message }: ErrorValue): View {
  const status = number(data, 'status')
  const where = addressOf(server.definition) ?? server.name
  const says = (cause: string, remedies: Remedy[]): View => ({
    short: status === undefined ? 'answered with an error' : `answered ${status}`,
    sentence: `${where} answered with ${status === undefined ? 'an error' : `status ${status}`}.`,
    cause,
    remedies,
  })
  if (status === 401 || status === 403)
    return says('It did not accept what Assent sent to identify you.', [edit('Change the headers', 'headers'), retry])
  if (status === 404 || status === 405)
    return says('Nothing speaks MCP at this path. It often ends in /mcp.', [edit('Change the address', 'url'), retry])
  if (status === 429) return says('It gets too many requests. Wait a little.', [retry])
  if (status !== undefined && status >= 500) return says('The fault is on its side. Wait a little.', [retry])
  return says(message, [retry, edit('Change the address', 'url')])
}

const describe: Partial<Record<HostErrorCode, Describe>> = {
  'server.secret-missing': (server, { data }) => {
    const ids = list(data, 'ids')
    return {
      short: ids.length > 1 ? 'secrets are missing' : 'a secret is missing',
      sentence: `${server.name} doesn’t start: ${ids.length > 1 ? `${ids.join(' and ')} are` : `${ids[0] ?? 'a secret'} is`} not entered yet.`,
      cause: 'servers.json names what it needs; the value itself is yours to give. It starts as soon as it is there.',
      remedies: [retry],
      tone: 'warn',
    }
  },
  'server.unknown': (server) => ({
    short: 'no longer configured',
    sentence: `${server.name} is no longer in your list of servers.`,
    cause: 'It was removed or renamed in servers.json.',
    remedies: [{ kind: 'text', label: 'Open servers.json' }],
  }),
  'server.disabled': (server) => ({
    short: 'off',
    sentence: `${server.name} is off.`,
    cause: 'It is kept in the list and never started.',
    remedies: [{ kind: 'enable', label: 'Turn on' }],
    tone: 'warn',
  }),
  'server.refused': (server) => ({
    short: 'you didn’t let it start',
    sentence: `You didn’t let ${server.name} start.`,
    cause: 'Nothing ran. You are asked again when it is started.',
    remedies: [{ kind: 'retry', label: 'Ask again' }, edit('Edit', 'command')],
    tone: 'warn',
  }),
  'server.command-not-found': (server, { data }) => {
    const program = command(server, data)
    const help = programHelp(program, server.os)
    const like = text(data, 'didYouMean')
    const searched = /[\\/]/.test(program)
      ? 'There is no program at this path.'
      : `It isn’t in any folder of ${pathOwner(text(data, 'pathSource'))}.`
    return {
      short: `${programName(program)} was not found`,
      sentence: `${server.name} doesn’t start: the program ${program} was not found.`,
      cause: [help?.comesWith, searched, like === undefined ? '' : `There is one named ${like}.`].filter(Boolean).join(' '),
      remedies: [
        ...(help?.install ? [{ kind: 'copy', label: `Copy “${help.install}”`, text: help.install } as const] : []),
        edit('Change the command', 'command'),
        retry,
      ],
    }
  },
  'server.cwd-not-found': (server, { data }) => {
    const folder = text(data, 'cwd') ?? (server.definition.transport === 'stdio' ? server.definition.cwd : undefined)
    return {
      short: 'its folder was not found',
      sentence: `${server.name} doesn’t start: the folder ${folder ?? 'it should run in'} was not found.`,
      cause: 'It may have been moved or renamed, or its disk is not connected.',
      remedies: [edit('Change the folder', 'cwd'), retry],
    }
  },
  'server.spawn-failed': (server, { data, message }) => ({
    short: 'could not be started',
    sentence: `${server.name} doesn’t start: the system did not run ${command(server, data)}.`,
    cause:
      text(data, 'errno') === 'EACCES' || text(data, 'reason') === 'EACCES'
        ? 'The file is there, but it may not be executed. Make it executable, or name the program that runs it.'
        : message,
    remedies: [edit('Change the command', 'command'), retry],
  }),
  'server.exited': exited,
  'server.not-mcp': (server, { data, message }) => {
    const first = text(data, 'output') ?? text(data, 'line')
    const said = first ? `It wrote ${quoted(first)} where MCP was expected.` : message
    return {
      short: 'doesn’t speak MCP',
      sentence: `${server.name} runs, but doesn’t speak MCP.`,
      cause: said,
      remedies: [editWhere(server), log, retry],
    }
  },
  'server.start-timeout': (server, { data }) => {
    const waited = number(data, 'timeoutMs')
    return {
      short: 'did not answer',
      sentence: `${server.name} did not answer ${waited === undefined ? 'in time' : `within ${formatDuration(waited)}`}.`,
      cause: 'The first start of a package that must be fetched can take longer. The log may say what it waits for.',
      remedies: [retry, log, editWhere(server)],
    }
  },
  'server.unreachable': unreachable,
  'server.http-status': httpStatus,
  ...signInFailures,
  'server.version-mismatch': (server, { message }) => ({
    short: 'no common revision',
    sentence: `${server.name} and Assent know no common revision of MCP.`,
    cause: message,
    remedies: [editWhere(server), retry],
  }),
  'server.protocol': (server, { message }) => ({
    short: 'broke the protocol',
    sentence: `${server.name} sent something that MCP doesn’t allow.`,
    cause: message,
    remedies: [retry, log],
  }),
  'server.too-large': (server, { data, message }) => {
    const limit = number(data, 'limit')
    return {
      short: 'sent too much',
      sentence: `${server.name} sent more than Assent takes at once.`,
      cause: limit === undefined ? message : `The limit is ${formatBytes(limit)} a message.`,
      remedies: [retry, log],
    }
  },
  'server.page-first': (server, { message }) => ({
    short: 'wants a page done first',
    sentence: `${server.name} wants something done on a page first.`,
    cause: message,
    remedies: [retry],
    tone: 'warn',
  }),
  'server.stopped': (server) => ({
    short: 'stopped',
    sentence: `${server.name} was stopped.`,
    cause: 'It starts again when a chat needs it.',
    remedies: [{ kind: 'retry', label: 'Start' }],
    tone: 'warn',
  }),
  // A variable that a value names is not set.
  'config.invalid': (server, { message }) => ({
    short: 'a value is missing',
    sentence: `${server.name} doesn’t start: a value that it needs is missing.`,
    cause: message,
    remedies: [
      server.definition.transport === 'stdio' ? edit('Change the environment', 'env') : edit('Change the headers', 'headers'),
      retry,
    ],
  }),
  'server.connection-lost': (server, { message }) => ({
    short: 'connection lost',
    sentence: `${server.name} lost the connection.`,
    cause: message,
    remedies: [{ kind: 'retry', label: 'Connect again' }, log],
  }),
}

export function failureView(error: ErrorValue, server: FailedServer): FailureView {
  const view = describe[error.code]?.(server, error) ?? {
    short: 'failed',
    sentence: `${server.name} doesn’t start.`,
    cause: error.message,
    remedies: [retry, log],
  }
  return { tone: 'bad', ...view }
}
