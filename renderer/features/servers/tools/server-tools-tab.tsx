// The tools of one server: found by words, switched on and off, opened for their facts. The list is virtualised; an opened tool
// stays open while it is out of sight. Resources and prompts are named here and lead to the library, where they are used.

import { useId, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { LibraryListing, ListedResource } from '#app/server/library-listing.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useConsent } from '#renderer/stores/store-hooks.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Checkbox, SearchInput, Segmented, Switch } from '#renderer/ui/field.tsx'
import { Badge, Icon, type IconName } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { OwnIcon } from '#renderer/ui/server-icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { permissionLabels, searchTools, ToolFacts, type ToolPermission, toolPermission } from './tool-details.tsx'

interface ToolRowProps {
  readonly server: ServerSummary
  readonly tool: ToolEntry
  readonly permission: ToolPermission
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onEnabled: (enabled: boolean) => void
  readonly place?: { readonly index: number; readonly measure: (element: HTMLElement | null) => void }
}

/** A name without case and separators, in which “read_file” and “Read file” are one. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]+/g, '')

function ToolRow({ server, tool, permission, open, onOpen, onEnabled, place }: ToolRowProps) {
  const more = useId()
  const title = tool.title ?? tool.annotations?.title
  const line = [title && plainName(title) !== plainName(tool.name) && title, tool.description].filter(Boolean).join(': ')
  return (
    <div className="tool" data-tool={tool.name} data-index={place?.index} ref={place?.measure}>
      <div className="tool-line">
        <Switch checked={tool.enabled} label={tx`${<VisibleText text={tool.name} />} on`} hideLabel onChange={onEnabled} />
        <button type="button" className="tool-open" aria-expanded={open} aria-controls={more} onClick={() => onOpen(!open)}>
          <span className="grow">
            <span className="row">
              <OwnIcon icons={tool.icons} />
              <span className={`mono cut${tool.enabled ? '' : ' dim'}`}>
                <VisibleText text={tool.name} />
              </span>
              {permission === 'changed' ? <Badge tone="warn">{t`changed`}</Badge> : null}
              {permission === 'never' ? <Badge tone="danger">{t`never`}</Badge> : null}
            </span>
            {open || line === '' ? null : <VisibleText className="help cut" text={line} />}
          </span>
          <span className="faint help num nowrap">
            {permission === 'off' ? permissionLabels.off : t`${permissionLabels[permission]} · ${tool.tokens} tokens`}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
        </button>
      </div>
      {open ? (
        <div id={more} className="tool-more">
          {permission === 'changed' ? (
            <p className="help warntext">{t`It has changed. Your rule is paused: the next call asks you.`}</p>
          ) : null}
          <ToolFacts trusted={server.definition.trusted} tool={tool} />
          <p>
            <a className="textlink" href={hrefOf({ page: 'library', tab: 'tools', server: server.name, item: tool.name })}>
              {t`Run…`}
            </a>
          </p>
        </div>
      ) : null}
    </div>
  )
}

/** Height in pixels of a row with a description; each is measured once it is drawn. */
const rowHeight = 53

interface ToolListProps {
  readonly server: ServerSummary
  readonly tools: readonly ToolEntry[]
  readonly onEnabled: (tool: string, enabled: boolean) => void
}

function ToolList({ server, tools, onEnabled }: ToolListProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const rules = useConsent((state) => state.rules)
  const { list, style, indexes, measure } = useVisibleRows({
    count: tools.length,
    rowHeight,
    keyOf: (index) => tools[index]?.name ?? index,
  })
  const open = (name: string, isOpen: boolean): void =>
    setOpened((before) => new Set(isOpen ? [...before, name] : [...before].filter((one) => one !== name)))
  return (
    <div ref={list} className="lines tools" style={style}>
      {indexes.map((index) => {
        const tool = tools[index]
        return (
          tool && (
            <ToolRow
              key={tool.name}
              server={server}
              tool={tool}
              permission={toolPermission(rules, { server: server.name, trusted: server.definition.trusted, now: Date.now() }, tool)}
              open={opened.has(tool.name)}
              onOpen={(isOpen) => open(tool.name, isOpen)}
              onEnabled={(enabled) => onEnabled(tool.name, enabled)}
              {...(measure ? { place: { index, measure } } : {})}
            />
          )
        )
      })}
    </div>
  )
}

/** A server's catalogue, fetched again with each revision; the one before stays until the new one is here. */
export function useCatalogue(name: string, revision: number) {
  const { ask } = useActions()
  const { value, error, loading, reload, setAnswer } = useHostAnswer('server.catalogue', { name }, revision)
  /** Shows a switch as it was set, until the host's list says so too. */
  const setEnabled = (tool: string, enabled: boolean): void => {
    const show = (shown: boolean): void =>
      setAnswer((before) => {
        if (!before.value) return before
        const tools = before.value.tools.map((one) => (one.name === tool ? { ...one, enabled: shown } : one))
        return { ...before, value: { ...before.value, tools } }
      })
    show(enabled)
    void ask('server.setToolEnabled', { name, tool, enabled }).then((done) => {
      if (!done) show(!enabled)
    })
  }
  return { catalogue: value, error, loading, reload, setEnabled }
}

type Shown = 'on' | 'all'
const searchFrom = 6

export function ToolsTab({ server, page }: { readonly server: ServerSummary; readonly page: ReturnType<typeof useCatalogue> }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const { catalogue, error } = page
  if (!catalogue) return error ? <ErrorNotice error={error} onRetry={page.reload} /> : <Loading />
  const { tools } = catalogue
  if (tools.length === 0) return <NoTools fetched={catalogue.fetchedAt !== undefined} />
  const found = searchTools(tools, search).filter((tool) => shown === 'all' || tool.enabled)
  const on = tools.filter((tool) => tool.enabled).length
  return (
    <>
      {tools.length < searchFrom ? null : (
        <div className="row">
          <SearchInput label={t`Find a tool`} value={search} onChange={setSearch} />
          <Segmented<Shown>
            label={t`What to show`}
            value={shown}
            onChange={setShown}
            choices={[
              { value: 'on', label: t`On ${on}` },
              { value: 'all', label: t`All ${tools.length}` },
            ]}
          />
        </div>
      )}
      {catalogue.stale ? <p className="help warntext">{tx`The list is older: ${<VisibleText text={catalogue.stale} />}`}</p> : null}
      {found.length === 0 ? (
        <p className="dim">{t`Nothing found.`}</p>
      ) : (
        <ToolList server={server} tools={found} onEnabled={page.setEnabled} />
      )}
      <Trust server={server} tools={tools} />
    </>
  )
}

/** Only where there is something to trust: a server without annotations says nothing about its tools. */
function Trust({ server, tools }: { readonly server: ServerSummary; readonly tools: readonly ToolEntry[] }) {
  const { go } = useActions()
  const { name, definition } = server
  if (!definition.trusted && tools.every((tool) => tool.annotations === undefined)) return null
  return (
    <Checkbox
      checked={definition.trusted}
      label={t`Trust its tool annotations`}
      help={t`“Read-only” and “not destructive” then count as facts in your rules.`}
      onChange={(trusted) => go('server.save', { name, definition: { ...definition, trusted } })}
    />
  )
}

function NoTools({ fetched }: { readonly fetched: boolean }) {
  return (
    <Empty icon="tool" title={t`No tools`}>
      <p>{fetched ? t`It may have resources or prompts.` : t`Listed once the server has run.`}</p>
    </Empty>
  )
}

interface InLibraryProps {
  readonly server: ServerSummary
  readonly tab: 'resources' | 'prompts'
}

interface LibraryEntry {
  /** URI, URI template, or name of a prompt. */
  readonly item: string
  readonly icon: IconName
  readonly name: string
  readonly about: string
  readonly more: string
}

const promptEntries = ({ prompts }: LibraryListing): readonly LibraryEntry[] =>
  prompts.map(({ name, title = name, description = '', arguments: given = [] }) => ({
    ...{ item: name, icon: 'text', name: title, about: description || (title === name ? '' : name) },
    more: given.map((one) => one.name).join(', '),
  }))

const resourceEntries = ({ templates }: LibraryListing, resources: readonly ListedResource[]): readonly LibraryEntry[] => [
  ...templates.map(({ uriTemplate, name, title = name, mimeType = '' }) => ({
    ...{ item: uriTemplate, icon: 'edit' as const, name: title, about: uriTemplate, more: mimeType },
  })),
  ...resources.map(({ uri, name, title = name, size, mimeType = '' }) => ({
    ...{ item: uri, icon: 'file' as const, name: title, about: uri, more: size === undefined ? mimeType : formatBytes(size) },
  })),
]

function LibraryEntries({
  server,
  tab,
  entries,
}: Pick<InLibraryProps, 'tab'> & { readonly server: string; readonly entries: readonly LibraryEntry[] }) {
  const { list, style, indexes, measure } = useVisibleRows({
    count: entries.length,
    rowHeight,
    keyOf: (index) => entries[index]?.item ?? index,
  })
  return (
    <div ref={list} className="lines tools" style={style}>
      {indexes.map((index) => {
        const entry = entries[index]
        return (
          entry && (
            <div key={entry.item} ref={measure} data-index={index}>
              <a className="tool-open" href={hrefOf({ page: 'library', tab, server, item: entry.item })}>
                <Icon name={entry.icon} />
                <span className="grow">
                  <VisibleText className="cut" text={entry.name} />
                  {entry.about !== '' && <VisibleText className={`help cut${tab === 'resources' ? ' mono' : ''}`} text={entry.about} />}
                </span>
                <VisibleText className="faint help num cut" text={entry.more} />
                <Icon name="chevron-right" small />
              </a>
            </div>
          )
        )
      })}
    </div>
  )
}

const unknown = { resources: t`No resources`, prompts: t`No prompts` } as const

export function ResourcesPromptsTab({ server: { name, counts, session, catalogueRevision }, tab }: InLibraryProps) {
  const [search, setSearch] = useState('')
  const { value: listing, loading } = useHostAnswer('library.listing', { server: name }, catalogueRevision)
  // The first part of a long list; the library has all of it.
  const first = useHostAnswer('library.resources', { server: name, from: 0 }, catalogueRevision)
  const resources = first.value?.resources ?? []
  const entries = !listing ? [] : tab === 'prompts' ? promptEntries(listing) : resourceEntries(listing, resources)
  const count = counts[tab]
  const known = count > 0 || session !== undefined
  const library = (
    <LinkButton icon="library" href={hrefOf({ page: 'library', tab, server: name })}>
      {t`Open the library`}
    </LinkButton>
  )
  if (entries.length === 0 && (loading || first.loading)) return <Loading />
  if (entries.length === 0)
    return (
      <Empty icon={tab === 'resources' ? 'file' : 'text'} title={known ? countLabel(count, tab) : unknown[tab]}>
        {known ? library : <p>{t`Listed once the server has run.`}</p>}
      </Empty>
    )
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter((one) => words.every((word) => `${one.name} ${one.about}`.toLowerCase().includes(word)))
  return (
    <>
      <div className="row">
        <SearchInput label={t`Search`} value={search} onChange={setSearch} />
        {library}
      </div>
      {entries.length < count ? <p className="help num">{countLabel(count, tab)}</p> : null}
      {found.length === 0 ? <p className="dim">{t`Nothing found.`}</p> : <LibraryEntries server={name} tab={tab} entries={found} />}
    </>
  )
}

function countLabel(count: number, tab: InLibraryProps['tab']): string {
  const number = formatNumber(count)
  if (tab === 'resources') {
    if (count === 0) return t`No resources`
    return t`${number} {resource|resources}`
  }
  if (count === 0) return t`No prompts`
  return t`${number} {prompt|prompts}`
}
