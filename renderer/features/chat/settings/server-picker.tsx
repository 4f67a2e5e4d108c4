import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatCount } from '#app/text/format-text.ts'
import { signingIn } from '#renderer/features/servers/status/state-labels.ts'
import { hrefOf } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Dot, type DotTone } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'

/** Sums up all enabled servers: `names`, those that run, tools and tokens, and their state as a dot with its label `word`. */
export function countServers(list: readonly ServerSummary[]) {
  const used = list.filter((server) => server.state.kind !== 'disabled')
  const inState = (kind: ServerSummary['state']['kind']): readonly string[] =>
    used.filter((server) => server.state.kind === kind).map((server) => server.name)
  const [running, failed] = [inState('ready'), inState('failed').length]
  const waiting = used.filter((server) => server.state.kind === 'waiting' || signingIn(server)).length
  const [tone, word]: readonly [DotTone, string] =
    failed > 0
      ? ['bad', t`${failed} failed`]
      : waiting > 0
        ? ['warn', t`${waiting} waiting`]
        : running.length > 0
          ? ['ok', 'running']
          : ['off', t`Not running`]
  return {
    names: used.map((server) => server.name),
    running,
    tools: used.reduce((sum, { counts }) => sum + counts.enabledTools, 0),
    tokens: used.reduce((sum, server) => sum + server.tokens, 0),
    tone,
    word,
  }
}

const useSummary = () => countServers(useServers((state) => state.list))
const toolCount = (tools: number): string => t`${formatCount(tools)} {tool|tools}`

/** Link to the servers in the title bar: the number that run, and their state as one dot. `wide`: in wide windows alone. */
export function ServerPick({ wide = false }: { readonly wide?: boolean }) {
  const { names, running, tools, tone, word } = useSummary()
  const [only] = names
  if (only === undefined) return null
  return (
    <a
      className={cx('pick', wide && 'wide-only')}
      href={names.length === 1 ? hrefOf({ page: 'servers', name: only }) : hrefOf({ page: 'servers' })}
    >
      <Dot tone={tone} label={word} />
      {names.length === 1 ? (
        <>
          {only} <span className="faint">{toolCount(tools)}</span>
        </>
      ) : (
        t`${running.length} {server|servers}`
      )}
    </a>
  )
}
