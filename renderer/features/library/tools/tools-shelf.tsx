// The tools of all servers: a list to look through, and one of them in detail, which can be run by hand. On narrow windows
// these are two screens.
import { useDeferredValue, useMemo, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { useTools } from '#renderer/features/chat/tools/use-tools.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { LibraryFrame } from '../library-frame.tsx'
import { allTools, filterTools, type ToolFilter } from './tool-filter.ts'
import { ToolFilters } from './tool-filters.tsx'
import { ToolPane } from './tool-pane.tsx'
import './tools.css'
import { ToolsList } from './tools-list.tsx'

type LibraryRoute = Extract<Route, { page: 'library' }>

const nothing: ToolFilter = { search: '', server: '', kind: 'all' }
const toList = (): void => navigate({ page: 'library', tab: 'tools' })

export function ToolsShelf({ route }: { readonly route: LibraryRoute }) {
  const [filter, setFilter] = useState(nothing)
  const { servers, error, reload, switchTool } = useTools({ conversationId: undefined, off: undefined, scope: 'everywhere' })
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
          <section className="b" aria-label={t`Tool`}>
            <div className="in">
              <div className="empty">
                <p className="strong">{t`No tool is chosen.`}</p>
                <p>{t`Choose one to read what its server says of it, and to run it by hand.`}</p>
              </div>
            </div>
          </section>
        )}
      </div>
    </LibraryFrame>
  )
}
