import type { ServerView } from '#app/server/view.ts'
import type { DotTone } from '#renderer/ui/marks.tsx'

/** What all servers offer together, and how they are as one dot. */
export interface ServerSummary {
  readonly names: readonly string[]
  readonly tools: number
  readonly tokens: number
  readonly tone: DotTone
  readonly word: string
}

export function summariseServers(list: readonly ServerView[]): ServerSummary {
  const used = list.filter((server) => server.state.kind !== 'disabled')
  const sum = (of: (server: ServerView) => number): number => used.reduce((total, server) => total + of(server), 0)
  const kinds = new Set(used.map((server) => server.state.kind))
  const [tone, word] = kinds.has('failed')
    ? (['bad', 'one failed'] as const)
    : kinds.has('waiting')
      ? (['you', 'one waits for you'] as const)
      : kinds.has('ready')
        ? (['ok', 'ready'] as const)
        : (['off', 'not running'] as const)
  return {
    names: used.map((server) => server.name),
    tools: sum((one) => one.counts.enabledTools),
    tokens: sum((one) => one.tokens),
    tone,
    word,
  }
}

/** 812, 4.1k, 200k */
export const formatCount = (count: number): string =>
  count < 1000 ? String(count) : count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`
