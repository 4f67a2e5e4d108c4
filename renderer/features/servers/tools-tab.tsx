import { useState } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { Loading } from './load-state.tsx'
import { ToolList } from './tool-list.tsx'
import { findTools } from './tool-standing.ts'
import type { CataloguePage } from './use-catalogue.ts'

type Shown = 'on' | 'all'
/** Fewer than this are found by looking. */
const searchFrom = 6

export function ToolsTab({ server, page }: { readonly server: ServerView; readonly page: CataloguePage }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const { catalogue, error } = page
  if (!catalogue) return error ? <ErrorNotice error={error} onRetry={page.reload} /> : <Loading what={t`tools`} />
  const { tools } = catalogue
  if (tools.length === 0) return <NoTools server={server} fetched={catalogue.fetchedAt !== undefined} />
  const found = findTools(tools, search).filter((tool) => shown === 'all' || tool.enabled)
  const on = tools.filter((tool) => tool.enabled).length
  return (
    <>
      {tools.length < searchFrom ? null : (
        <div className="row">
          <SearchInput label={t`Find a tool`} value={search} onChange={setSearch} />
          <Segmented<Shown>
            label={t`Which tools to show`}
            value={shown}
            onChange={setShown}
            choices={[
              { value: 'on', label: t`On ${on}` },
              { value: 'all', label: t`All ${tools.length}` },
            ]}
          />
        </div>
      )}
      {catalogue.stale ? (
        <p className="help warntext">
          {tx`The last fetch failed, so these are from an earlier one: ${<Revealed text={catalogue.stale} />}`}
        </p>
      ) : null}
      {found.length === 0 ? (
        <p className="dim">{search.trim() === '' ? t`No tool is on. The model sees none of them.` : t`No tool matches.`}</p>
      ) : (
        <ToolList server={server} tools={found} onEnabled={page.setEnabled} />
      )}
      <Trust server={server} tools={tools} />
    </>
  )
}

/** Only where there is something to trust: a server without annotations says nothing about its tools. */
function Trust({ server, tools }: { readonly server: ServerView; readonly tools: readonly ToolEntry[] }) {
  const { go } = useActions()
  const { name, definition } = server
  if (!definition.trusted && tools.every((tool) => tool.annotations === undefined)) return null
  return (
    <Checkbox
      checked={definition.trusted}
      label={t`Trust what “${name}” says about its tools`}
      help={t`“Read-only” and “not destructive” then count as facts in your rules.`}
      onChange={(trusted) => go('server.save', { name, definition: { ...definition, trusted } })}
    />
  )
}

function NoTools({ server, fetched }: { readonly server: ServerView; readonly fetched: boolean }) {
  return (
    <div className="empty">
      <p className="strong">{fetched ? t`“${server.name}” offers no tools.` : t`No tools are known yet.`}</p>
      <p>{fetched ? t`It may offer resources or prompts.` : t`They are listed once “${server.name}” has run.`}</p>
    </div>
  )
}
