// Labels for the state of a server: its group in the list, its dot, its second line, its headline. Pure.

import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerStateKind } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration, programName } from '#app/text/format-text.ts'

/** Duration in its largest unit, for places with little room. */
export function roughDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 60_000) return `${Math.floor(safe / 1000)} s`
  if (safe < 3_600_000) return t`${Math.floor(safe / 60_000)} min`
  if (safe < 86_400_000) return `${Math.floor(safe / 3_600_000)} h`
  const days = Math.floor(safe / 86_400_000)
  return t`${formatNumber(days)} {day|days}`
}

const serverGroups = ['needs', 'running', 'idle'] as const
type ServerGroup = (typeof serverGroups)[number]
export const groupTitle: Record<ServerGroup, string> = { needs: t`Needs you`, running: t`Running`, idle: t`Not running` }

type StateDot = 'ok' | 'bad' | 'warn' | 'you' | 'off' | 'ring'

/** Whether a sign-in waits for the person, for their consent or in the browser. */
export const signingIn = ({ state, signIn }: ServerSummary): boolean =>
  (state.kind === 'starting' && state.step === 'signing-in') || signIn?.kind === 'waiting'

const signInCodes = new Set(['server.sign-in-needed', 'server.sign-in-refused', 'server.sign-in-timeout'])

const running = new Set<ServerStateKind>(['starting', 'ready', 'stopping'])

function groupOf(server: ServerSummary): ServerGroup {
  const { state } = server
  if (signingIn(server) || state.kind === 'waiting') return 'needs'
  if (state.kind === 'failed') return state.offline ? 'idle' : 'needs'
  return running.has(state.kind) ? 'running' : 'idle'
}

/** Groups that have servers, in their order; servers by name. */
export function groupServers(servers: readonly ServerSummary[]): { readonly group: ServerGroup; readonly servers: ServerSummary[] }[] {
  const sorted = [...servers].sort((a, b) => a.name.localeCompare(b.name))
  return serverGroups
    .map((group) => ({ group, servers: sorted.filter((server) => groupOf(server) === group) }))
    .filter((entry) => entry.servers.length > 0)
}

/** The dot, and the word beside it, which says the same to who cannot see its colour. */
export function stateWord({ state, signIn }: ServerSummary, now: number): { readonly dot: StateDot; readonly word: string } {
  if (signIn?.kind === 'waiting') return { dot: 'you', word: t`Waits for the browser, ${roughDuration(now - signIn.since)}` }
  switch (state.kind) {
    case 'ready':
      return { dot: 'ok', word: t`ready, ${roughDuration(now - state.since)}` }
    case 'starting':
      if (state.step === 'signing-in') return { dot: 'you', word: t`waits for you` }
      return { dot: 'ring', word: t`starting, ${roughDuration(now - state.since)}` }
    case 'stopping':
      return { dot: 'ring', word: state.next === 'starting' ? t`restarting` : t`stopping` }
    case 'waiting':
      return { dot: 'you', word: t`waits for you` }
    case 'failed':
      if (signInCodes.has(state.error.code)) return { dot: 'warn', word: t`Sign in` }
      if (state.offline) return { dot: 'warn', word: t`offline` }
      if (state.retryAt === undefined || state.retryAt <= now) return { dot: 'bad', word: t`failed` }
      return { dot: 'bad', word: t`again in ${roughDuration(state.retryAt - now + 999)}` }
    case 'refused':
    case 'stopped':
    case 'disabled':
      return { dot: 'off', word: offWords[state.kind] }
    default:
      return assertNever(state)
  }
}

const offWords = { refused: t`not allowed`, stopped: t`stopped`, disabled: t`off` } as const

/** Whether its words change with the clock alone. */
export const countsTime = ({ state, signIn }: ServerSummary): boolean =>
  signIn?.kind === 'waiting' ||
  state.kind === 'ready' ||
  state.kind === 'starting' ||
  (state.kind === 'failed' && state.retryAt !== undefined)

const signInLabel = ({ signIn }: ServerSummary, now: number): string =>
  signIn?.kind === 'waiting' ? t`Waits for the browser, ${roughDuration(now - signIn.since)}` : t`Sign in`

/** Step of a starting server; after two seconds, why it may take long. */
export function startingLabel(server: ServerSummary, now: number): string {
  const { state, definition } = server
  if (state.kind !== 'starting') return ''
  if (state.step === 'signing-in') return signInLabel(server, now)
  if (state.diagnosis) return t`${state.diagnosis.short}, still waiting`
  if (state.step === 'listing') return t`Reading its lists`
  if (state.step === 'fetching') return `${t`Fetching its package`} · ${roughDuration(now - state.since)}`
  if (definition.transport === 'streamable-http' || definition.transport === 'sse') return t`Connecting`
  if (definition.transport === 'stdio') {
    const program = programName(definition.command)
    if (now - state.since >= 2000 && ['npx', 'uvx', 'bunx', 'pipx', 'docker'].includes(program))
      return t`${program} may be fetching the package`
    if (state.step === 'launching') return t`Starting`
  }
  return state.step === 'launching' ? t`Starting` : t`Agreeing on a protocol revision`
}

/** "14 tools", "38 tools, 9 on". */
export function serverToolsLabel({ counts }: ServerSummary): string {
  const all = t`${counts.tools} {tool|tools}`
  return counts.enabledTools === counts.tools ? all : t`${all}, ${counts.enabledTools} on`
}

/** Tokens that tools cost in every message; those of servers that are off cost nothing. */
export const totalTokens = (servers: readonly ServerSummary[]): number =>
  servers.reduce((sum, server) => sum + (server.definition.enabled ? server.tokens : 0), 0)

/** The second line of a server that is not running. */
export function idleLabel(server: ServerSummary): string {
  const { state, definition } = server
  const tools = server.counts.tools > 0 ? serverToolsLabel(server) : ''
  // The word beside the name says the rest.
  if (state.kind !== 'stopped') return tools
  const starts =
    definition.transport === 'builtin'
      ? t`built in`
      : definition.start === 'needed'
        ? t`Starts when a chat needs it`
        : t`Starts with Assent`
  return tools ? `${starts} · ${tools}` : starts
}

const stoppedLabels: Record<Extract<ServerSummary['state'], { kind: 'stopped' }>['reason'], string> = {
  'never-started': t`stopped`,
  user: t`stopped`,
  idle: t`stopped`,
  quit: t`stopped`,
}

function headlineState(server: ServerSummary, now: number): string {
  const { state } = server
  switch (state.kind) {
    case 'ready': {
      const ms = now - state.since
      return t`ready, ${ms >= 3_600_000 && ms < 86_400_000 ? formatDuration(ms) : roughDuration(ms)}`
    }
    case 'starting':
      return signingIn(server) ? signInLabel(server, now).toLowerCase() : t`starting, ${roughDuration(now - state.since)}`
    case 'failed':
      return state.offline ? t`offline` : t`failed`
    case 'stopped':
      return stoppedLabels[state.reason]
    default:
      return headlines[state.kind]
  }
}

const headlines = { stopping: t`stopping`, waiting: t`waits for you`, refused: t`not allowed`, disabled: t`off` } as const

const away = new Set<ServerStateKind>(['failed', 'stopped', 'refused', 'waiting', 'disabled'])

/** The line under the name in the detail. */
export function headlineLabel(server: ServerSummary, address: string | undefined, now: number): string {
  const { state, definition } = server
  const local = { builtin: t`built in`, stdio: t`Program on this computer`, 'streamable-http': undefined, sse: undefined }
  const kind = local[definition.transport] ?? address ?? t`address`
  const signedIn = server.signIn?.kind === 'signed-in' ? t`signed in` : ''
  const worked = away.has(state.kind) && server.workedAt !== undefined ? t`last worked ${formatWhen(server.workedAt, now)}` : ''
  return [headlineState(server, now), kind, signedIn, worked].filter(Boolean).join(' · ')
}
