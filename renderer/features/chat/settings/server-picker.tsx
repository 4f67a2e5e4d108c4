import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { hrefOf } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Dot, Icon } from '#renderer/ui/icon.tsx'
import { countServers } from './server-counts.ts'

const useSummary = () => countServers(useServers((state) => state.list))
const toolCount = (tools: number): string => (tools === 1 ? t`1 tool` : t`${formatCount(tools)} tools`)

/** Link to the servers in the title bar: the number that run, and their state as one dot. */
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
        `${running.length} ${running.length === 1 ? t`server` : t`servers`}`
      )}
    </a>
  )
}

export function AddServerPick() {
  return (
    <a className="pick wide-only" href={hrefOf({ page: 'servers', name: '', tab: 'add' })}>
      <Icon name="plus" small />
      <span className="wide-only">{t`Add a server`}</span>
    </a>
  )
}
