// What servers offer, for the person's own hand: one shelf each for resources, prompts and tools. A shelf fills the frame.

import { useCallback, useEffect, useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { ArgumentFields, useTemplate } from '#renderer/features/chat/composer/argument-fields.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { isLibraryTab, LibraryFrame, PaneHead, ServerSays } from './library-frame.tsx'
import {
  foldersTo,
  type OpenedRows,
  type OpenLibrarySections,
  type SectionRow,
  useLibrarySections,
  withOpened,
} from './list/library-sections.ts'
import { SectionTree } from './list/section-tree.tsx'
import { PromptsSection } from './prompts/prompts-section.tsx'
import { ResourcePane } from './resources/resource-pane.tsx'
import {
  findResources,
  folderKey,
  type ResourceMatches,
  resourceKey,
  resourceRows,
  serverKey,
  templateKey,
} from './resources/resource-rows.ts'
import { ToolsSection } from './tools/tools-section.tsx'
import './library.css'

// The resources of all servers: a list by server and folder, with a search through all of them, and beside it the one that the
// address names. On narrow windows these are two screens. A template of resources: what it wants to know is filled in, with
// suggestions of the server, and the address that comes of it is opened as any resource is.

interface TemplatePaneProps {
  readonly server: string
  readonly template: ResourceTemplateEntry
  readonly onOpen: (uri: string) => void
}

function TemplatePane({ server, template: { uriTemplate, name, title, description, mimeType }, onOpen }: TemplatePaneProps) {
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  return (
    <section className="b" aria-label={title ?? name}>
      <form
        className="in"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onOpen(uri)
        }}
      >
        <PaneHead title={title ?? name} address={uriTemplate} copied={uri} />
        <VisibleText as="p" className="dim" text={[server, t`template`, mimeType].filter(Boolean).join(' · ')} />
        <ServerSays text={description} />
        <div className="grid2">
          <ArgumentFields {...fields} />
        </div>
        <p className="help">{tx`Suggestions come from ${<ServerName name={server} />}.`}</p>
        <div className="field">
          <span className="label">{t`What is read`}</span>
          <VisibleText as="code" className="code mono wrap-any template-uri" text={uri} />
        </div>
        <p className="row">
          <Button type="submit" variant="primary" aria-disabled={!isReady}>
            {t`Read it`}
          </Button>
        </p>
      </form>
    </section>
  )
}

type LibraryRoute = Extract<Route, { page: 'library' }>

const toList = (): void => navigate({ page: 'library', tab: 'resources' })
const openItem = (server: string, item: string): void => navigate({ page: 'library', tab: 'resources', server, item })

interface Search {
  readonly text: string
  readonly found: ResourceMatches
}

/** What was found for the words of before stays until that of the new ones is here. */
function useSearch(shelves: OpenLibrarySections['shelves'], text: string): Search | undefined {
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
function useWay({ shelves }: OpenLibrarySections, { server, item }: LibraryRoute): ReadonlySet<string> {
  const list = server === undefined ? undefined : shelves[server]?.list
  return useMemo(() => {
    if (server === undefined) return new Set<string>()
    const index = item === undefined ? -1 : (list?.resources.findIndex(({ uri }) => uri === item) ?? -1)
    const folders = list && index >= 0 ? foldersTo(list.tree, index).map((id) => folderKey(server, id)) : []
    return new Set([serverKey(server), ...folders])
  }, [list, server, item])
}

function ResourcesSection({ route }: { readonly route: LibraryRoute }) {
  const { server: serverName, item } = route
  const inUse = useLibrarySections(true)
  const { servers, shelves } = inUse
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<OpenedRows>(new Map())
  const search = useSearch(shelves, text)
  const way = useWay(inUse, route)
  const rows = useMemo(
    () => resourceRows({ servers, shelves, opened, way, ...(search ? { search } : {}) }),
    [servers, shelves, opened, way, search],
  )
  const onOpen = useCallback((row: SectionRow, open: boolean) => setOpened((before) => withOpened(before, row.key, open)), [])
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
              <SectionTree
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

export function LibraryPage({ route }: { readonly route: LibraryRoute }) {
  const tab = isLibraryTab(route.tab) ? route.tab : 'resources'
  switch (tab) {
    case 'resources':
      return <ResourcesSection route={route} />
    case 'prompts':
      return <PromptsSection route={route} />
    case 'tools':
      return <ToolsSection route={route} />
  }
}
