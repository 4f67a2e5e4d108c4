import { useActions } from '#renderer/stores/store-hooks.tsx'
// The library: the resources, prompts and tools of all servers, for the person to read and run. Resources are a tree by server and
// folder, with a search, and beside it the resource or template that the address names. Narrow windows show one of the two.

import { useEffect, useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { ArgumentFields, useTemplate } from '#renderer/features/chat/composer/argument-fields.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { SubmitForm } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Empty } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { EmptyPane, isLibraryTab, PaneHead, ServerSays } from './library-frame.tsx'
import { foldersTo, type LibrarySections, useLibrarySections, useOpenedRows } from './list/library-sections.ts'
import { SectionFrame } from './list/section-tree.tsx'
import { PromptsSection } from './prompts/prompts-section.tsx'
import { ResourcePane } from './resources/resource-pane.tsx'
import { findResources, folderKey, resourceKey, resourceRows, serverKey, templateKey } from './resources/resource-rows.ts'
import { ToolsSection } from './tools/tools-section.tsx'
import './library.css'

type TemplatePaneProps = { readonly server: string; readonly template: ResourceTemplateEntry; readonly onOpen: (uri: string) => void }

/** A resource template (RFC 6570): its variables are filled in with the server's suggestions, and the address that results is opened. */
function TemplatePane({ server, template: { uriTemplate, name, title, description, mimeType }, onOpen }: TemplatePaneProps) {
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  return (
    <section className="b" aria-label={title ?? name}>
      <SubmitForm className="in" onSubmit={() => isReady && onOpen(uri)}>
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
      </SubmitForm>
    </section>
  )
}

type LibraryRoute = Extract<Route, { page: 'library' }>

const openItem = (server: string, item: string): void => navigate({ page: 'library', tab: 'resources', server, item })

type Search = Parameters<typeof resourceRows>[0]['search']

/** The resources that match the text. The last matches stay until the next are found. */
function useSearch(sections: LibrarySections, text: string): Search {
  const { announce } = useActions()
  const [search, setSearch] = useState<Search>(undefined)
  const asked = text.trim()
  useEffect(() => {
    if (asked === '') return setSearch(undefined)
    const control = new AbortController()
    void findResources(sections, asked, control.signal).then((found) => {
      if (found) setSearch({ text: asked, found })
    })
    return () => control.abort()
  }, [sections, asked])
  const count = search && Object.values(search.found).reduce((sum, places) => sum + places.length, 0)
  useEffect(() => {
    if (count !== undefined) announce(count === 0 ? t`Nothing found.` : t`${count} found.`)
  }, [announce, count])
  return asked === '' ? undefined : search
}

/** Keys of the folders that lead to the shown resource: they are open by themselves. */
function useWay(sections: LibrarySections, { server, item }: LibraryRoute): ReadonlySet<string> {
  const list = server === undefined ? undefined : sections[server]?.list
  return useMemo(() => {
    if (server === undefined) return new Set<string>()
    const index = item === undefined ? -1 : (list?.resources.findIndex(({ uri }) => uri === item) ?? -1)
    const folders = list && index >= 0 ? foldersTo(list.tree, index).map((id) => folderKey(server, id)) : []
    return new Set([serverKey(server), ...folders])
  }, [list, server, item])
}

function ResourcesSection({ route }: { readonly route: LibraryRoute }) {
  const { server: serverName, item } = route
  const { servers, sections } = useLibrarySections(true)
  const [text, setText] = useState('')
  const [opened, onOpen] = useOpenedRows()
  const search = useSearch(sections, text)
  const way = useWay(sections, route)
  const rows = useMemo(() => resourceRows({ servers, sections, opened, way, search }), [servers, sections, opened, way, search])
  const server = servers.find(({ name }) => name === serverName)
  const template = serverName === undefined ? undefined : sections[serverName]?.offers?.templates.find((one) => one.uriTemplate === item)
  const chosen = server && item !== undefined ? (template ? templateKey : resourceKey)(server.name, item) : undefined
  return (
    <SectionFrame
      tab="resources"
      label={t`Resources`}
      find={t`Find a resource`}
      text={text}
      onText={setText}
      rows={rows}
      none={search && rows.length === 0 && tx`Nothing fits “${text.trim()}”.`}
      item={item}
      instead={servers.length === 0 ? <NoServers /> : undefined}
      chosen={chosen}
      onOpen={onOpen}
      onChoose={(row) => row.item !== undefined && openItem(row.server, row.item)}
    >
      {!server || item === undefined ? (
        <EmptyPane
          label={t`Nothing chosen`}
          title={
            serverName === undefined || item === undefined
              ? t`Choose a resource to look at it.`
              : t`There is no server named ${serverName} that is on.`
          }
        >
          {t`A resource is something that a server lets you read: a file, a record, a page. Looking at it shows it to you, not to a model.`}
        </EmptyPane>
      ) : template ? (
        <TemplatePane key={chosen} server={server.name} template={template} onOpen={(uri) => openItem(server.name, uri)} />
      ) : (
        <ResourcePane key={chosen} server={server} uri={item} />
      )}
    </SectionFrame>
  )
}

const NoServers = () => (
  <div className="page">
    <div className="in">
      <Empty title={t`No server is on.`}>
        <p>{t`What servers offer to read is listed here.`}</p>
        <LinkButton href={hrefOf({ page: 'servers' })}>{t`Open servers`}</LinkButton>
      </Empty>
    </div>
  </div>
)

const sectionPages = { resources: ResourcesSection, prompts: PromptsSection, tools: ToolsSection }

export function LibraryPage({ route }: { readonly route: LibraryRoute }) {
  const Section = sectionPages[isLibraryTab(route.tab) ? route.tab : 'resources']
  return <Section route={route} />
}
