import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { signingIn } from '#renderer/features/servers/status/state-labels.ts'
import type { DotTone } from '#renderer/ui/icon.tsx'

const counted = (count: number, state: string): string => `${count === 1 ? t`one` : count} ${state}`

/** Sums up all enabled servers: `names`, those that run, tools and tokens, and their state as a dot with its label `word`. */
export function countServers(list: readonly ServerSummary[]) {
  const used = list.filter((server) => server.state.kind !== 'disabled')
  const inState = (kind: ServerSummary['state']['kind']): readonly string[] =>
    used.filter((server) => server.state.kind === kind).map((server) => server.name)
  const [running, failed] = [inState('ready'), inState('failed').length]
  const waiting = used.filter((server) => server.state.kind === 'waiting' || signingIn(server)).length
  const [tone, word]: readonly [DotTone, string] =
    failed > 0
      ? ['bad', counted(failed, t`failed`)]
      : waiting > 0
        ? ['warn', counted(waiting, t`waiting for you`)]
        : running.length > 0
          ? ['ok', 'running']
          : ['off', t`not running`]
  return {
    names: used.map((server) => server.name),
    running,
    tools: used.reduce((sum, { counts }) => sum + counts.enabledTools, 0),
    tokens: used.reduce((sum, server) => sum + server.tokens, 0),
    tone,
    word,
  }
}
