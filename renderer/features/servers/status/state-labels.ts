// A server's place in the list and its words there: group, dot, state word, second line. Pure.

import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration, programName } from '#app/text/format-text.ts'

/** Hours and more without minutes: for places with little room. */
export function roughDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 60_000) return `${Math.floor(safe / 1000)} s`
  if (safe < 3_600_000) return t`${Math.floor(safe / 60_000)} min`
  if (safe < 86_400_000) return `${Math.floor(safe / 3_600_000)} h`
  const days = Math.floor(safe / 86_400_000)
  return days === 1 ? t`1 day` : t`${days} days`
}

const serverGroups = ['needs', 'running', 'idle'] as const
type ServerGroup = (typeof serverGroups)[number]
export const groupTitle: Record<ServerGroup, string> = { needs: t`Needs you`, running: t`Running`, idle: t`Not running` }

type StateDot = 'ok' | 'bad' | 'warn' | 'you' | 'off' | 'ring'

/** A sign-in waits for the person: for their yes, or for what they do in the browser. */
export const signingIn = ({ state, signIn }: ServerSummary): boolean =>
  (state.kind === 'starting' && state.step === 'signing-in') || signIn?.kind === 'waiting'

const signInCodes = new Set(['server.sign-in-needed', 'server.sign-in-refused', 'server.sign-in-timeout'])

function groupOf(server: ServerSummary): ServerGroup {
  if (signingIn(server)) return 'needs'
  switch (server.state.kind) {
    case 'failed':
      return server.state.offline ? 'idle' : 'needs'
    case 'waiting':
      return 'needs'
    case 'starting':
    case 'ready':
    case 'stopping':
      return 'running'
    case 'disabled':
    case 'stopped':
    case 'refused':
      return 'idle'
    default:
      return assertNever(server.state)
  }
}

/** In the order of the groups, by name within each. Groups without a server are left out. */
export function groupServers(servers: readonly ServerSummary[]): { readonly group: ServerGroup; readonly servers: ServerSummary[] }[] {
  const sorted = [...servers].sort((a, b) => a.name.localeCompare(b.name))
  return serverGroups
    .map((group) => ({ group, servers: sorted.filter((server) => groupOf(server) === group) }))
    .filter((entry) => entry.servers.length > 0)
}

/** `word` stands beside the dot: for who cannot see the dot, and for who cannot tell its colour, it says the same. */
export function stateWord(server: ServerSummary, now: number): { readonly dot: StateDot; readonly word: string } {
  const { state, signIn } = server
  const plain = (dot: StateDot, word: string): { dot: StateDot; word: string } => ({ dot, word })
  if (signIn?.kind === 'waiting') return plain('you', t`in the browser, ${roughDuration(now - signIn.since)}`)
  switch (state.kind) {
    case 'ready':
      return plain('ok', t`ready, ${roughDuration(now - state.since)}`)
    case 'starting':
      if (state.step === 'signing-in') return plain('you', t`waits for you`)
      return plain('ring', t`starting, ${roughDuration(now - state.since)}`)
    case 'stopping':
      return plain('ring', state.next === 'starting' ? t`restarting` : t`stopping`)
    case 'waiting':
      return plain('you', t`waits for you`)
    case 'failed':
      if (signInCodes.has(state.error.code)) return plain('warn', t`sign in`)
      if (state.offline) return plain('warn', t`offline`)
      return plain(
        'bad',
        state.retryAt !== undefined && state.retryAt > now ? t`again in ${roughDuration(state.retryAt - now + 999)}` : t`failed`,
      )
    case 'refused':
      return plain('off', t`not allowed`)
    case 'stopped':
      return plain('off', t`stopped`)
    case 'disabled':
      return plain('off', t`off`)
    default:
      return assertNever(state)
  }
}

/** Whether its words change with the clock alone. */
export const countsTime = ({ state, signIn }: ServerSummary): boolean =>
  signIn?.kind === 'waiting' ||
  state.kind === 'ready' ||
  state.kind === 'starting' ||
  (state.kind === 'failed' && state.retryAt !== undefined)

/** What a sign-in waits for. */
const signInLabel = ({ signIn }: ServerSummary, now: number): string =>
  signIn?.kind === 'waiting' ? t`Waits for the browser, ${roughDuration(now - signIn.since)}` : t`Asks you to sign in`

/** What a starting server is at; after two seconds, why it may take long. */
export function startingLabel(server: ServerSummary, now: number): string {
  const { state, definition } = server
  if (state.kind !== 'starting') return ''
  if (state.step === 'signing-in') return signInLabel(server, now)
  if (state.diagnosis) return t`${state.diagnosis.short}, still waiting`
  if (state.step === 'listing') return t`Reading its lists`
  if (definition.transport === 'streamable-http' || definition.transport === 'sse') return t`Connecting`
  if (definition.transport === 'stdio') {
    const program = programName(definition.command)
    if (now - state.since >= 2000 && ['npx', 'uvx', 'bunx', 'pipx', 'docker'].includes(program))
      return t`${program} may be fetching the package`
    if (state.step === 'launching') return t`Starting ${program}`
  }
  return state.step === 'launching' ? t`Starting` : t`Agreeing on a protocol revision`
}

const toolCount = (count: number): string => (count === 1 ? t`1 tool` : t`${count} tools`)

/** "14 tools", "38 tools, 9 on". */
export function serverToolsLabel({ counts }: ServerSummary): string {
  const off = counts.enabledTools !== counts.tools
  const all = toolCount(counts.tools)
  return off ? t`${all}, ${counts.enabledTools} on` : all
}

/** 188, 1.6k, 23k. */
export function formatTokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  const thousands = tokens / 1000
  return thousands < 9.95 ? `${thousands.toFixed(1)}k` : `${Math.round(thousands)}k`
}

/** What its tools cost in every message: those of servers that are off cost nothing. */
export const totalTokens = (servers: readonly ServerSummary[]): number =>
  servers.reduce((sum, server) => sum + (server.definition.enabled ? server.tokens : 0), 0)

/** The second line of a server that is not running. */
export function idleLabel(server: ServerSummary): string {
  const { state, definition } = server
  const known = server.counts.tools > 0 ? serverToolsLabel(server) : ''
  if (state.kind === 'refused') return t`You didn’t let it start`
  if (state.kind === 'failed' && state.offline) return t`Comes back with the network`
  if (state.kind === 'disabled') return t`Off. The model doesn’t see its tools`
  if (state.kind === 'stopped' && state.reason === 'idle')
    return [t`Nobody needed it. Starts when a chat does`, known].filter(Boolean).join(' · ')
  if (definition.transport === 'builtin') return [t`Built in`, known].filter(Boolean).join(' · ')
  return [definition.start === 'needed' ? t`Starts when a chat first needs it` : t`Starts with Assent`, known].filter(Boolean).join(' · ')
}

const stoppedWords: Record<Extract<ServerSummary['state'], { kind: 'stopped' }>['reason'], string> = {
  'never-started': t`stopped`,
  user: t`stopped by you`,
  idle: t`stopped, as nobody needed it`,
  quit: t`stopped`,
}

/** Minutes are worth a word here, tenths of a second are not. */
const readyFor = (ms: number): string => (ms < 3_600_000 ? roughDuration(ms) : formatDuration(ms))

const sinceWords = ({ state }: ServerSummary, now: number): string => ('since' in state ? roughDuration(now - state.since) : '')

const away = new Set<ServerSummary['state']['kind']>(['failed', 'stopped', 'refused', 'waiting', 'disabled'])

/** The line under the name in the detail. */
export function headlineLabel(server: ServerSummary, address: string | undefined, now: number): string {
  const { state, definition } = server
  const kind =
    definition.transport === 'builtin'
      ? t`built in`
      : definition.transport === 'stdio'
        ? t`program on this computer`
        : (address ?? t`address`)
  const at: Record<typeof state.kind, () => string> = {
    ready: () => (state.kind === 'ready' ? t`ready for ${readyFor(now - state.since)}` : ''),
    starting: () => (signingIn(server) ? signInLabel(server, now).toLowerCase() : t`starting, ${sinceWords(server, now)}`),
    stopping: () => t`stopping`,
    waiting: () => t`waits for you`,
    failed: () => (state.kind === 'failed' && state.offline ? t`offline, waiting for the network` : t`failed`),
    refused: () => t`you didn’t let it start`,
    stopped: () => (state.kind === 'stopped' ? stoppedWords[state.reason] : ''),
    disabled: () => t`off`,
  }
  const signedIn = server.signIn?.kind === 'signed-in' ? t`signed in` : ''
  const worked = away.has(state.kind) && server.workedAt !== undefined ? t`last worked ${formatWhen(server.workedAt, now)}` : ''
  return [at[state.kind](), kind, signedIn, worked].filter(Boolean).join(' · ')
}
