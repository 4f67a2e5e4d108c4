import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { PromptEntry, ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { ArgumentFields, useTemplate } from '#renderer/features/chat/composer/argument-fields.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { SubmitForm } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Empty } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { EmptyPane, isLibraryTab, PaneHead, ServerSays, useCurrentChat } from './library-frame.tsx'
import {
  foldersTo,
  isOpen,
  type LibrarySection,
  type LibrarySections,
  type SectionRow,
  useLibrarySections,
  useOpenedRows,
} from './list/library-sections.ts'
import { SectionFrame } from './list/section-tree.tsx'
import { ResourcePane } from './resources/resource-pane.tsx'
import {
  findResources,
  fits,
  folderKey,
  queryWords,
  type RowsOptions,
  resourceKey,
  resourceRows,
  serverKey,
  templateKey,
} from './resources/resource-rows.ts'
import { SkillsSection } from './resources/skills-section.tsx'
import { ToolsSection } from './tools/tools-section.tsx'
import './library.css'
import { formatNumber } from '#app/i18n/format-values.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import { PromptPreviewView, usePromptPreview } from '#renderer/features/chat/attachments/attachment-views.tsx'
import { useScrolls } from '#renderer/features/consent/request/use-seen.ts'
import { ServerMark } from '#renderer/ui/icon.tsx'

interface PromptPaneProps {
  readonly server: string
  readonly prompt: PromptEntry
  /** The server runs, so it answers at once. */
  readonly runs: boolean
}

function PromptPane({ server, prompt: { name, title, description, arguments: fields = [] }, runs }: PromptPaneProps) {
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields, runs)
  const { draftExtras, actions } = useStores()
  const chat = useCurrentChat()
  const use = (id: string | undefined): void => {
    if (preview.kind !== 'shown') return
    const { prompt } = preview
    draftExtras.change(id ?? '', (extras) => ({ ...extras, prompt }))
    actions.announce(t`${name} is attached.`)
    navigate({ page: 'chat', ...(id === undefined ? {} : { id }) })
  }
  const shown = preview.kind === 'shown'
  const form = useRef<HTMLFormElement | null>(null)
  const scrolls = useScrolls(form) && shown && fields.length === 0
  const canShow = ready && preview.kind !== 'loading'
  return (
    <section className="b" aria-label={title ?? name}>
      {/* The keyboard scrolls a long text that holds no control. */}
      <SubmitForm ref={form} className="in" tabIndex={scrolls ? 0 : undefined} onSubmit={() => canShow && show()}>
        <div className="headline">
          <ServerMark name={server} large />
          <div className="grow">
            <VisibleText as="h2" className="wrap-any" text={title ?? name} />
            <p className="faint wrap-any">{description ? <VisibleText text={description} /> : server}</p>
          </div>
        </div>
        {fields.length > 0 && (
          <div className="grid2">
            <ArgumentFields server={server} of={{ type: 'ref/prompt', name }} fields={fields} values={values} onChange={fill} />
          </div>
        )}
        <PromptPreviewView preview={preview} onRetry={show} />
        {!shown && (fields.length > 0 || preview.kind !== 'failed') && (
          <p className="row">
            <Button type="submit" variant="primary" aria-disabled={!canShow}>
              {runs ? t`Preview` : t`Start`}
            </Button>
          </p>
        )}
      </SubmitForm>
      <footer className="foot">
        {chat && (
          <Button aria-disabled={!shown} onClick={() => use(chat.id)}>
            <span className="cut">{tx`Insert into “${chat.title}”`}</span>
          </Button>
        )}
        <Button variant={chat ? 'ghost' : 'plain'} aria-disabled={!shown} onClick={() => use(undefined)}>
          {t`Insert into a new chat`}
        </Button>
      </footer>
    </section>
  )
}

const promptKey = (server: string, name: string): string => `prompt ${server} ${name}`

type PromptRowsOptions = Pick<RowsOptions, 'servers' | 'sections' | 'opened'> & { readonly text: string }

const wordsOf = ({ name, title, description }: PromptEntry): string => `${name} ${title ?? ''} ${description ?? ''}`.toLowerCase()

function promptRows({ servers, sections, opened, text }: PromptRowsOptions): SectionRow[] {
  const words = queryWords(text)
  return servers.flatMap((server): SectionRow[] => {
    const { name } = server
    const section = sections[name]
    if (!section) return []
    const all = section.offers?.prompts ?? []
    const found = words.length === 0 ? all : all.filter((prompt) => fits(words, wordsOf(prompt)))
    // Servers without prompts are left out.
    if (found.length === 0 && !(section.error && words.length === 0)) return []
    const key = serverKey(name)
    const open = words.length > 0 || isOpen(opened, key, true)
    const aside = server.state.kind === 'ready' || words.length > 0 ? formatNumber(found.length) : t`not running`
    const openness = words.length > 0 ? {} : { open }
    const head: SectionRow = { key, kind: 'server', level: 1, text: name, server: name, aside, ...openness, busy: section.loading }
    if (!open) return [head]
    const said = noteOf(section)
    const notes: SectionRow[] = said === undefined ? [] : [{ key: `${key} note`, kind: 'note', level: 2, text: said, server: name }]
    return [head, ...notes, ...found.map((prompt) => promptRow(name, prompt))]
  })
}

function noteOf({ error, offers }: LibrarySection): string | undefined {
  if (error) return t`The list could not be read.`
  const full = (offers?.prompts.length ?? 0) >= mostTaken.prompts
  return full ? t`No more than ${formatNumber(mostTaken.prompts)} of one server are listed` : undefined
}

const promptRow = (server: string, { name, title }: PromptEntry): SectionRow => ({
  key: promptKey(server, name),
  kind: 'prompt',
  level: 2,
  text: title || name,
  server,
  item: name,
  beside: title && title !== name ? name : undefined,
})

function PromptsSection({ route: { server: serverName, item } }: { readonly route: Extract<Route, { page: 'library' }> }) {
  const { servers, sections } = useLibrarySections(false)
  const [text, setText] = useState('')
  const [opened, onOpen] = useOpenedRows()
  const rows = useMemo(() => promptRows({ servers, sections, opened, text }), [servers, sections, opened, text])
  const server = servers.find(({ name }) => name === serverName)
  const prompt = serverName === undefined ? undefined : sections[serverName]?.offers?.prompts.find(({ name }) => name === item)
  const chosen = server && prompt ? promptKey(server.name, prompt.name) : undefined
  const loading = Object.values(sections).some((section) => section.loading)
  const none = rows.length === 0 && !loading
  const searches = text.trim() !== ''
  return (
    <SectionFrame
      tab="prompts"
      label={t`Prompts`}
      find={t`Search`}
      text={text}
      onText={setText}
      rows={rows}
      none={none && (searches ? t`Nothing found.` : t`No prompts`)}
      item={item}
      chosen={chosen}
      onOpen={onOpen}
      onChoose={(row) => row.item !== undefined && navigate({ page: 'library', tab: 'prompts', server: row.server, item: row.item })}
    >
      {server && prompt ? (
        <PromptPane key={chosen} server={server.name} prompt={prompt} runs={server.state.kind === 'ready'} />
      ) : (
        <EmptyPane
          label={t`None`}
          title={item !== undefined && !loading ? t`Nothing found.` : none && !searches ? t`No prompts` : t`Choose a prompt`}
        />
      )}
    </SectionFrame>
  )
}

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
        <div className="field">
          <span className="label">{t`Content`}</span>
          <VisibleText as="code" className="code mono wrap-any template-uri" text={uri} />
        </div>
        <p className="row">
          <Button type="submit" variant="primary" aria-disabled={!isReady}>
            {t`Read`}
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
      find={t`Search`}
      text={text}
      onText={setText}
      rows={rows}
      none={search && rows.length === 0 && tx`Nothing found.`}
      item={item}
      instead={
        servers.length === 0 ? (
          <div className="page">
            <div className="in">
              <Empty icon="servers" title={t`No server is on.`}>
                <LinkButton href={hrefOf({ page: 'servers' })}>{t`Open servers`}</LinkButton>
              </Empty>
            </div>
          </div>
        ) : undefined
      }
      chosen={chosen}
      onOpen={onOpen}
      onChoose={(row) => row.item !== undefined && openItem(row.server, row.item)}
    >
      {!server || item === undefined ? (
        <EmptyPane
          label={t`None`}
          title={serverName === undefined || item === undefined ? t`Choose a resource` : t`There is no server named “${serverName}”.`}
        />
      ) : template ? (
        <TemplatePane key={chosen} server={server.name} template={template} onOpen={(uri) => openItem(server.name, uri)} />
      ) : (
        <ResourcePane key={chosen} server={server} uri={item} />
      )}
    </SectionFrame>
  )
}

const sectionPages = { resources: ResourcesSection, prompts: PromptsSection, skills: SkillsSection, tools: ToolsSection }

export function LibraryPage({ route }: { readonly route: LibraryRoute }) {
  const Section = sectionPages[isLibraryTab(route.tab) ? route.tab : 'resources']
  return <Section route={route} />
}
