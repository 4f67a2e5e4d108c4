// The resources of all servers: a list by server and folder, with a search through all of them, and beside it the one that the
// address names. On narrow windows these are two screens.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { tx } from '#renderer/ui/translate.ts'
import '../library.css'
import { LibraryFrame } from '../library-frame.tsx'
import type { ShelfRow } from '../list/shelf-row.ts'
import { type Opened, withOpened } from '../list/shelf-row.ts'
import { ShelfTree } from '../list/shelf-tree.tsx'
import { type ShelvesInUse, useShelves } from '../list/use-shelves.ts'
import { type Found, findResources } from './find-resources.ts'
import { ResourcePane } from './resource-pane.tsx'
import { folderKey, resourceKey, resourceRows, serverKey, templateKey } from './resource-rows.ts'
import { foldersTo } from './resource-tree.ts'
import { TemplatePane } from './template-pane.tsx'

type LibraryRoute = Extract<Route, { page: 'library' }>

const toList = (): void => navigate({ page: 'library', tab: 'resources' })
const openItem = (server: string, item: string): void => navigate({ page: 'library', tab: 'resources', server, item })

interface Search {
  readonly text: string
  readonly found: Found
}

/** What was found for the words of before stays until that of the new ones is here. */
function useSearch(shelves: ShelvesInUse['shelves'], text: string): Search | undefined {
  const { view } = useStores()
  const [search, setSearch] = useState<Search | undefined>(undefined)
  const asked = text.trim()
  useEffect(() => {
    if (asked === '') return setSearch(undefined)
    const control = new AbortController()
    void findResources(shelves, asked, control.signal).then((found) => {
      if (found) setSearch({ text: asked, found })
    })
    return () => control.abort()
  }, [shelves, asked])
  const count = search && Object.values(search.found).reduce((sum, places) => sum + places.length, 0)
  useEffect(() => {
    if (count !== undefined) announce(view, count === 0 ? t`Nothing found.` : t`${count} found.`)
  }, [view, count])
  return asked === '' ? undefined : search
}

/** The way to what is shown is open by itself. */
function useWay({ shelves }: ShelvesInUse, { server, item }: LibraryRoute): ReadonlySet<string> {
  const list = server === undefined ? undefined : shelves[server]?.list
  return useMemo(() => {
    if (server === undefined) return new Set<string>()
    const index = item === undefined ? -1 : (list?.resources.findIndex(({ uri }) => uri === item) ?? -1)
    const folders = list && index >= 0 ? foldersTo(list.tree, index).map((id) => folderKey(server, id)) : []
    return new Set([serverKey(server), ...folders])
  }, [list, server, item])
}

export function ResourcesShelf({ route }: { readonly route: LibraryRoute }) {
  const { server: serverName, item } = route
  const inUse = useShelves(true)
  const { servers, shelves } = inUse
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<Opened>(new Map())
  const search = useSearch(shelves, text)
  const way = useWay(inUse, route)
  const rows = useMemo(
    () => resourceRows({ servers, shelves, opened, way, ...(search ? { search } : {}) }),
    [servers, shelves, opened, way, search],
  )
  const onOpen = useCallback((row: ShelfRow, open: boolean) => setOpened((before) => withOpened(before, row.key, open)), [])
  const server = servers.find(({ name }) => name === serverName)
  const template = serverName === undefined ? undefined : shelves[serverName]?.offers?.templates.find((one) => one.uriTemplate === item)
  const chosen = server && item !== undefined ? (template ? templateKey : resourceKey)(server.name, item) : undefined
  return (
    <LibraryFrame
      tab="resources"
      onBack={item === undefined ? undefined : toList}
      actions={<SearchInput label={t`Find a resource`} value={text} onChange={setText} />}
    >
      {servers.length === 0 ? (
        <NoServers />
      ) : (
        <div className={cx('split slim library', item === undefined && 'showlist')}>
          <div className="a">
            {search && rows.length === 0 ? (
              <p className="help shelf-none">{tx`Nothing fits “${text.trim()}”.`}</p>
            ) : (
              <ShelfTree
                label={t`Resources`}
                rows={rows}
                chosen={chosen}
                onOpen={onOpen}
                onChoose={(row) => row.item !== undefined && openItem(row.server, row.item)}
              />
            )}
          </div>
          {server && item !== undefined ? (
            template ? (
              <TemplatePane key={chosen} server={server.name} template={template} onOpen={(uri) => openItem(server.name, uri)} />
            ) : (
              <ResourcePane key={chosen} server={server} uri={item} />
            )
          ) : (
            <NothingChosen gone={serverName !== undefined && item !== undefined ? serverName : undefined} />
          )}
        </div>
      )}
    </LibraryFrame>
  )
}

function NothingChosen({ gone }: { readonly gone: string | undefined }) {
  return (
    <section className="b" aria-label={t`Nothing chosen`}>
      <div className="in">
        <div className="empty">
          <p className="strong">
            {gone === undefined ? t`Choose a resource to look at it.` : t`There is no server named ${gone} that is on.`}
          </p>
          <p>
            {t`A resource is something that a server lets you read: a file, a record, a page. Looking at it shows it to you, not to a model.`}
          </p>
        </div>
      </div>
    </section>
  )
}

function NoServers() {
  return (
    <div className="page">
      <div className="in">
        <div className="empty">
          <p className="strong">{t`No server is on.`}</p>
          <p>{t`What servers offer to read is listed here.`}</p>
          <LinkButton href={hrefOf({ page: 'servers' })}>{t`Open servers`}</LinkButton>
        </div>
      </div>
    </div>
  )
}
