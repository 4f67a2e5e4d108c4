import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { signingIn } from '#renderer/features/servers/status/state-labels.ts'
import type { DotTone } from '#renderer/ui/badges.tsx'

/** What all servers offer together, and how they are as one dot. */
interface ServerCounts {
  /** Those that are switched on. */
  readonly names: readonly string[]
  /** Those of them that are ready. */
  readonly running: readonly string[]
  readonly tools: number
  readonly tokens: number
  readonly tone: DotTone
  /** What the dot means. */
  readonly word: string
}

const counted = (count: number, words: string): string => `${count === 1 ? t`one` : count} ${words}`

export function countServers(list: readonly ServerSummary[]): ServerCounts {
  const used = list.filter((server) => server.state.kind !== 'disabled')
  const sum = (of: (server: ServerSummary) => number): number => used.reduce((total, server) => total + of(server), 0)
  const inState = (kind: ServerSummary['state']['kind']): readonly string[] =>
    used.filter((server) => server.state.kind === kind).map((server) => server.name)
  const [running, failed] = [inState('ready'), inState('failed').length]
  const waiting = used.filter((server) => server.state.kind === 'waiting' || signingIn(server)).length
  const [tone, word] =
    failed > 0
      ? (['bad', counted(failed, t`failed`)] as const)
      : waiting > 0
        ? (['warn', counted(waiting, t`waiting for you`)] as const)
        : running.length > 0
          ? (['ok', 'running'] as const)
          : (['off', t`not running`] as const)
  return {
    names: used.map((server) => server.name),
    running,
    tools: sum((one) => one.counts.enabledTools),
    tokens: sum((one) => one.tokens),
    tone,
    word,
  }
}

/** 812, 4.1k, 200k */
export const formatCount = (count: number): string =>
  count < 1000 ? String(count) : count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`
