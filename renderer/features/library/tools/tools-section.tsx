// The tools of all servers: a list with filters, and one of them in detail. Narrow windows show one of the two.

import { type KeyboardEvent, memo, useDeferredValue, useMemo, useState } from 'react'
import type { ListedServer } from '#app/chat/tools/tool-overview.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { useChatTools } from '#renderer/features/chat/tools/use-tools.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { ChoiceSelect, labelledOptions, SearchInput } from '#renderer/ui/field.tsx'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { EmptyPane, LibraryFrame } from '../library-frame.tsx'
import { allTools, type FoundTool, filterTools, limitNotes, type ToolFilter, type ToolKindFilter } from './tool-filter.ts'
import { ToolPane } from './tool-pane.tsx'
import './tools.css'

type ToolsListProps = { readonly tools: readonly FoundTool[]; readonly chosen: FoundTool | undefined; readonly empty: boolean }

/** Pixels, as the style sheet has them. */
const rowHeight = 52

const ToolsList = memo(function ToolsList({ tools, chosen, empty }: ToolsListProps) {
  const { list, style, indexes, scrollTo } = useVisibleRows({ count: tools.length, rowHeight, keyOf: (index) => keyOf(tools[index]) })
  const go = (event: KeyboardEvent<HTMLElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const from = event.target instanceof HTMLElement ? Number(event.target.dataset['index']) : Number.NaN
    const to = from + by
    if (by === 0 || Number.isNaN(from) || to < 0 || to >= tools.length) return
    event.preventDefault()
    scrollTo(to)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus())
  }
  if (tools.length === 0) return <p className="dim">{empty ? t`No tools` : t`Nothing found.`}</p>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go through the links in it
    <div ref={list} className="tool-links" style={style} onKeyDown={go}>
      {indexes.map((index) => {
        const one = tools[index]
        return one && <ToolLink key={keyOf(one)} one={one} index={index} current={one === chosen} />
      })}
    </div>
  )
})

const keyOf = (one: FoundTool | undefined): string => (one ? `${one.server.name}\n${one.tool.name}` : '')

type ToolLinkProps = { readonly one: FoundTool; readonly index: number; readonly current: boolean }

const ToolLink = memo(function ToolLink({ one: { server, tool }, index, current }: ToolLinkProps) {
  const on = server.enabled && tool.enabled
  return (
    <a
      className="tool-link"
      data-tool={tool.modelName}
      data-index={index}
      aria-current={current ? 'true' : undefined}
      href={hrefOf({ page: 'library', tab: 'tools', server: server.name, item: tool.name })}
    >
      <ServerMark name={server.name} />
      <span className="tool-link-words">
        <span className="row">
          <VisibleText className={cx('mono cut', !on && 'dim')} text={tool.name} />
          {tool.known === 'changed' && <Badge tone="warn">{t`changed`}</Badge>}
        </span>
        <span className="help cut">
          {server.name}
          {tool.claims && ` · ${tool.claims === 'destructive' ? t`destructive` : t`read-only`}`}
          {(tool.title ?? tool.description) && (
            <>
              {' · '}
              <VisibleText text={tool.title ?? tool.description ?? ''} />
            </>
          )}
        </span>
      </span>
      <span className="help num nowrap">{on ? t`${tool.tokens} tokens` : t`off`}</span>
    </a>
  )
})

const kindWords: Readonly<Record<ToolKindFilter, string>> = {
  all: t`All`,
  on: t`Switched on`,
  off: t`Switched off`,
  changed: t`Changed`,
  new: t`new`,
  'read-only': t`Read-only`,
  destructive: t`Destructive`,
}

interface ToolFiltersProps {
  readonly filter: ToolFilter
  readonly servers: readonly ListedServer[]
  readonly shown: number
  readonly all: number
  readonly onChange: (filter: ToolFilter) => void
}

const ToolFilters = ({ filter, servers, shown, all, onChange }: ToolFiltersProps) => (
  <div className="tool-filters">
    <SearchInput label={t`Find a tool`} value={filter.search} onChange={(search) => onChange({ ...filter, search })} />
    <div className="row filters">
      <ChoiceSelect
        aria-label={t`Server`}
        value={filter.server}
        options={[{ value: '', label: t`All servers` }, ...servers.map(({ name }) => ({ value: name, label: name }))]}
        onChoose={(server) => onChange({ ...filter, server })}
      />
      <ChoiceSelect
        aria-label={t`What to show`}
        value={filter.kind}
        options={labelledOptions(kindWords)}
        onChoose={(kind) => onChange({ ...filter, kind })}
      />
    </div>
    <p className="help num" role="status">
      {shown === 0 ? '' : shown === all ? t`${formatNumber(all)} {tool|tools}` : t`${formatNumber(shown)} of ${formatNumber(all)} tools`}
    </p>
    {limitNotes(servers).map((note) => (
      <p key={note} className="help">
        {note}
      </p>
    ))}
  </div>
)

const nothing: ToolFilter = { search: '', server: '', kind: 'all' }
const toList = (): void => navigate({ page: 'library', tab: 'tools' })

export function ToolsSection({ route }: { readonly route: Extract<Route, { page: 'library' }> }) {
  const [filter, setFilter] = useState(nothing)
  const { servers, error, reload, switchTool } = useChatTools({ conversationId: undefined, off: undefined, scope: 'everywhere' })
  const all = useMemo(() => allTools(servers ?? []), [servers])
  const later = useDeferredValue(filter)
  const found = useMemo(() => filterTools(all, later), [all, later])
  const chosen = all.find(({ server, tool }) => server.name === route.server && tool.name === route.item)
  const picked = route.server !== undefined && route.item !== undefined
  return (
    <LibraryFrame tab="tools" onBack={picked ? toList : undefined}>
      <div className={cx('split', !picked && 'showlist')}>
        <div className="a toolslist">
          <ToolFilters filter={filter} servers={servers ?? []} shown={found.length} all={all.length} onChange={setFilter} />
          {error && <ErrorNotice error={error} onRetry={reload} />}
          <ToolsList tools={found} chosen={chosen} empty={servers !== undefined && all.length === 0} />
        </div>
        {picked ? (
          <ToolPane
            key={JSON.stringify([route.server, route.item])}
            server={route.server ?? ''}
            name={route.item ?? ''}
            listed={chosen}
            onEnabled={(on) => switchTool(route.server ?? '', route.item ?? '', on)}
          />
        ) : (
          <EmptyPane label={t`Tool`} title={t`Choose a tool`} />
        )}
      </div>
    </LibraryFrame>
  )
}
