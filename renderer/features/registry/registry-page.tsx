// The page of the MCP registry: a list that is searched and paged, and one server in detail; on narrow windows two screens.
// An answer to an earlier search is dropped, a server that a later page repeats is skipped, and paging ends where pages bring
// nothing new. The registry is the official one, or another one at an address of the person's choice.

import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { nameForEntry, type RegistryEntry, type RegistryResultPage } from '#app/server/registry/registry-entry.ts'
import { officialRegistry, registryAddressProblem, tidyRegistryAddress } from '#app/server/registry/registry-url.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useActions, useSettings } from '#renderer/stores/store-hooks.tsx'
import { GhostButton, LinkButton, PrimaryButton, SmallButton } from '#renderer/ui/button.tsx'
import { CancelButton, Dialog } from '#renderer/ui/dialog.tsx'
import { SearchInput, TextField } from '#renderer/ui/field.tsx'
import { Badge, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { Page } from '#renderer/ui/page.tsx'
import { EntryDetail } from './entry-detail.tsx'
import './registry.css'
import '../servers/servers.css'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { addressHost, VisibleText } from '#renderer/ui/visible-text.tsx'

function RegistryAddress({ address }: { readonly address: string }) {
  const [open, setOpen] = useState(false)
  return (
    <p className="registry-address row">
      <span className="mono wrap-any grow">{addressHost(address)}</span>
      <button type="button" className="linkish" onClick={() => setOpen(true)}>
        {t`Change`}
      </button>
      {open ? <AddressDialog address={address} onClose={() => setOpen(false)} /> : null}
    </p>
  )
}

function AddressDialog({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const { set } = useActions()
  const [typed, setTyped] = useState(address)
  const [checked, setChecked] = useState(false)
  const save = (to: string): void => {
    setChecked(true)
    if (registryAddressProblem(to.trim()) !== undefined) return
    set({ registryAddress: tidyRegistryAddress(to) })
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={t`Another registry`}
      footer={
        <>
          {address === officialRegistry ? null : <GhostButton onClick={() => save(officialRegistry)}>{t`Reset`}</GhostButton>}
          <span className="grow" />
          <CancelButton onClick={onClose} />
          <PrimaryButton onClick={() => save(typed)}>{t`Use it`}</PrimaryButton>
        </>
      }
    >
      <TextField
        label={t`Address`}
        error={checked ? registryAddressProblem(typed.trim()) : undefined}
        mono
        type="url"
        placeholder={officialRegistry}
        value={typed}
        onText={setTyped}
        onKeyDown={(event) => event.key === 'Enter' && !isTyping(event) && save(typed)}
      />
    </Dialog>
  )
}

interface FoundEntries {
  readonly entries: readonly RegistryEntry[]
  /** Number of entries that could not be read. */
  readonly unread: number
  /** Time of the oldest page. */
  readonly at: number
  readonly source: RegistryResultPage['source']
  /** Why the registry itself could not be asked. */
  readonly error?: ErrorValue
  readonly next: string | undefined
}

const typingMs = 250
const mostEntries = 10_000
/** Pages in a row that bring nothing new. */
const mostIdle = 3

/** Entries that match `text`; those of the search before stay until the answer is there. */
function useRegistry(text: string, address: string) {
  const { attempt } = useActions()
  const [searcher] = useState(() => crypto.randomUUID())
  const [found, setFound] = useState<FoundEntries | undefined>(undefined)
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const latest = useRef(0)
  const known = useRef<FoundEntries | undefined>(undefined)
  const walk = useRef({ cursors: new Set<string>(), idle: 0 })

  const ask = useCallback(
    async (cursor?: string, again?: true): Promise<void> => {
      latest.current += 1
      const mine = latest.current
      setLoading(true)
      setError(undefined)
      if (cursor === undefined) walk.current = { cursors: new Set(), idle: 0 }
      const outcome = await attempt('registry.find', { searcher, text: text.slice(0, 200), ...defined({ cursor, again }) })
      if (mine !== latest.current) return
      setLoading(false)
      if (!outcome.ok) {
        setError(outcome.error)
        if (cursor === undefined) setFound(undefined)
        return
      }
      known.current = joined(cursor === undefined ? undefined : known.current, outcome.value, walk.current)
      setFound(known.current)
    },
    [attempt, searcher, text],
  )

  const first = useRef<boolean>(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another registry is asked anew.
  useEffect(() => {
    setLoading(true)
    const timer = setTimeout(() => void ask(), first.current ? 0 : typingMs)
    first.current = false
    return () => {
      latest.current += 1
      clearTimeout(timer)
    }
  }, [ask, address])
  useEffect(() => () => void attempt('registry.cancel', { searcher }), [attempt, searcher])

  const next = found?.next
  const more = useCallback(() => {
    if (!loading && error === undefined && next !== undefined) void ask(next)
  }, [loading, error, next, ask])
  return { found, loading, error, more, again: () => void ask(undefined, true) }
}

function joined(
  before: FoundEntries | undefined,
  page: RegistryResultPage,
  walk: { readonly cursors: Set<string>; idle: number },
): FoundEntries {
  const known = new Set(before?.entries.map(({ name }) => name))
  const fresh = page.entries.filter(({ name }) => !known.has(name))
  walk.idle = fresh.length === 0 ? walk.idle + 1 : 0
  const goesRound = page.next !== undefined && walk.cursors.has(page.next)
  if (page.next !== undefined) walk.cursors.add(page.next)
  const entries = [...(before?.entries ?? []), ...fresh]
  // One page that could not be asked for is reason enough to say so.
  const error = page.error ?? before?.error
  const circles = page.next !== undefined && (goesRound || walk.idle >= mostIdle || entries.length >= mostEntries)
  return {
    entries,
    unread: (before?.unread ?? 0) + page.unread,
    at: Math.min(before?.at ?? page.at, page.at),
    source: page.source === 'registry' && before ? before.source : page.source,
    ...(error ? { error } : {}),
    next: circles ? undefined : page.next,
  }
}

interface EntryListProps {
  readonly entries: readonly RegistryEntry[]
  readonly selected: string | undefined
  readonly onNearEnd: () => void
}

/** A row each, virtualised when there are many. The next page is asked for before the end is reached. */
function EntryList({ entries, selected, onNearEnd }: EntryListProps) {
  const { list, style, indexes, measure, scrollTo } = useVisibleRows({
    count: entries.length,
    rowHeight: 54,
    keyOf: (index) => entries[index]?.name ?? index,
    plainUpTo: 60,
    sticky: '.registry-search',
  })
  const last = indexes.at(-1) ?? 0
  useEffect(() => {
    if (last >= entries.length - 15) onNearEnd()
  }, [last, entries.length, onNearEnd])

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const at = Number((document.activeElement as HTMLElement | null)?.dataset['row'] ?? Number.NaN)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (to === undefined || Number.isNaN(at)) return
    event.preventDefault()
    const next = Math.min(entries.length - 1, Math.max(0, to))
    const rows = event.currentTarget
    scrollTo(next)
    // The row may be in the page only once the list has moved.
    requestAnimationFrame(() => rows.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus())
  }
  return (
    <nav aria-label={t`Servers`} ref={list} style={style} onKeyDown={move}>
      <ul>
        {indexes.map((index) => {
          const entry = entries[index]
          return (
            entry && (
              <li key={entry.name} ref={measure} data-index={index} aria-setsize={entries.length} aria-posinset={index + 1}>
                <a
                  className="item"
                  href={hrefOf({ page: 'registry', name: entry.name })}
                  aria-current={entry.name === selected ? 'page' : undefined}
                  data-row={index}
                >
                  <ServerMark name={nameForEntry(entry.name)} />
                  <span className="t">
                    <VisibleText className="cut" text={entry.title ?? entry.name} />
                  </span>
                  <span className="state">
                    {entry.status === 'active' ? (
                      <VisibleText className="when num cut registry-version" text={entry.version} />
                    ) : (
                      <Badge tone="warn">{entry.status}</Badge>
                    )}
                  </span>
                  <VisibleText className="d cut" text={entry.description || entry.name} />
                </a>
              </li>
            )
          )
        })}
      </ul>
    </nav>
  )
}

type RegistryRoute = Extract<Route, { page: 'registry' }>

const toList = (): void => navigate({ page: 'registry' })

export function RegistryPage({ route }: { readonly route: RegistryRoute }) {
  const address = useSettings((state) => state.settings.registryAddress)
  const [text, setText] = useState('')
  const list = useRegistry(text.trim(), address)
  const entries = list.found?.entries ?? []
  const inList = route.name === undefined ? entries[0] : entries.find(({ name }) => name === route.name)
  const listed = route.version === undefined ? inList : undefined
  const fetched = useNamed(route, listed !== undefined, address)
  const shown = listed ?? fetched.entry
  return (
    <Page
      title={t`Registry`}
      onBack={route.name ? toList : undefined}
      actions={
        <LinkButton variant="ghost" className="wide-only" href={hrefOf({ page: 'servers' })}>
          {t`Back to the servers`}
        </LinkButton>
      }
    >
      <div className={cx('split', !route.name && 'showlist')}>
        <div className="a registry-list">
          <div className="registry-search">
            <SearchInput label={t`Find a server`} value={text} onChange={setText} />
            <ListState list={list} />
            <RegistryAddress address={address} />
          </div>
          {entries.length > 0 ? <EntryList entries={entries} selected={shown?.name} onNearEnd={list.more} /> : null}
          {list.error && entries.length > 0 ? <ErrorNotice error={list.error} onRetry={list.again} /> : null}
        </div>
        {shown ? (
          <EntryDetail
            key={`${address} ${shown.name} ${shown.version}`}
            entry={shown}
            address={address}
            listed={entries.map(({ name }) => name)}
          />
        ) : (
          <section className="b" aria-label={t`Server`}>
            <div className="in">
              {fetched.error ? <ErrorNotice error={fetched.error} /> : null}
              {fetched.loading ? <Loading /> : null}
              {fetched.error || fetched.loading || list.loading || entries.length === 0 ? null : (
                <Empty icon="servers" title={t`Choose a server`} />
              )}
            </div>
          </section>
        )}
      </div>
    </Page>
  )
}

/** Number of entries, and their age. */
function ListState({ list }: { readonly list: ReturnType<typeof useRegistry> }) {
  const { found, loading, error, again } = list
  if (!found) return error ? <ErrorNotice error={error} onRetry={again} /> : <Loading />
  const { entries, next, source, at, unread } = found
  const count = formatNumber(entries.length)
  return (
    <>
      <p className="row help num" role="status">
        {loading ? <Spinner /> : null}
        <span className="grow">
          {entries.length === 0 ? t`Nothing found.` : next === undefined ? t`${count} found` : t`${count} so far`}
          {source === 'registry' ? '' : ` · ${formatWhen(at, Date.now())}`}
        </span>
        <button type="button" className="linkish" onClick={again}>
          {t`Refresh`}
        </button>
      </p>
      {found.error ? (
        <div className="registry-offline">
          <VisibleText as="p" text={found.error.message} />
          <SmallButton onClick={again}>{t`Try again`}</SmallButton>
        </div>
      ) : null}
      {unread > 0 ? <p className="help">{t`${formatNumber(unread)} {entry|entries} could not be read.`}</p> : null}
    </>
  )
}

/** Entry that the route names, fetched unless the list has it in that version. */
function useNamed({ name, version = 'latest' }: RegistryRoute, known: boolean, address: string) {
  const [searcher] = useState(() => crypto.randomUUID())
  const params = name === undefined || known ? undefined : { searcher, name: name.slice(0, 200), version: version.slice(0, 255) }
  const { value, error, loading } = useHostAnswer('registry.server', params, address)
  return loading ? { loading } : { entry: error ? undefined : value?.entries[0], error, loading }
}
