import { hrefOf } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Dot } from '#renderer/ui/marks.tsx'
import { formatCount, summariseServers } from './server-summary.ts'

const useSummary = () => summariseServers(useServers((state) => state.list))
const toolCount = (tools: number): string => (tools === 1 ? '1 tool' : `${formatCount(tools)} tools`)

/** In the bar: how many servers run, and how all of them are. */
export function ServerPick() {
  const { names, running, tools, tone, word } = useSummary()
  const [only] = names
  if (only === undefined) return null
  return (
    <a className="pick wide-only" href={names.length === 1 ? hrefOf({ page: 'servers', name: only }) : hrefOf({ page: 'servers' })}>
      <Dot tone={tone} label={word} />
      {names.length === 1 ? (
        <>
          {only} <span className="faint">{toolCount(tools)}</span>
        </>
      ) : (
        `${running.length} ${running.length === 1 ? 'server' : 'servers'}`
      )}
    </a>
  )
}

/** In the composer: what the model is offered. */
export function ToolPick() {
  const { tools, tokens } = useSummary()
  if (tools === 0) return null
  return (
    <a className="pick wide-only num" href={hrefOf({ page: 'servers' })} title="What the model is offered">
      <Icon name="tool" small />
      {toolCount(tools)}
      {tokens >= 1000 && ` · ${formatCount(tokens)} tokens`}
    </a>
  )
}

export function AddServerPick() {
  return (
    <a className="pick wide-only" href={hrefOf({ page: 'servers', name: '', tab: 'add' })}>
      <Icon name="plus" small />
      Add a server
    </a>
  )
}
