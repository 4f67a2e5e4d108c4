// Looking for servers in the registry: a list that is searched and paged, and one of them in detail. On narrow windows
// these are two screens.

import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'
import './registry.css'
import '../servers/servers.css'
import { useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { RegistryEntry } from '#app/server/registry/entry.ts'
import { Loading } from '#renderer/features/servers/load-state.tsx'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useActions, useSettings } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { RegistryAddress } from './registry-address.tsx'
import { type RegistryList, useRegistry } from './use-registry.ts'

type RegistryRoute = Extract<Route, { page: 'registry' }>

const toList = (): void => navigate({ page: 'registry' })

export function RegistryPage({ route }: { readonly route: RegistryRoute }) {
  const address = useSettings((state) => state.settings.registryAddress)
  const [text, setText] = useState('')
  const list = useRegistry(text.trim(), address)
  const box = useRef<HTMLDivElement>(null)
  const entries = list.found?.entries ?? []
  const inList = route.name === undefined ? entries[0] : entries.find(({ name }) => name === route.name)
  const fetched = useNamed(route, inList !== undefined && route.version === undefined, address)
  const shown = route.version === undefined && inList ? inList : fetched.entry
  const names = entries.map(({ name }) => name)
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
        <div className="a registry-list" ref={box}>
          <div className="registry-search">
            <SearchInput label={t`Find a server`} value={text} onChange={setText} />
            <ListState list={list} text={text.trim()} />
            <RegistryAddress address={address} />
          </div>
          {entries.length > 0 ? <EntryList entries={entries} selected={shown?.name} box={box} onNearEnd={list.more} /> : null}
          {list.error && entries.length > 0 ? <ErrorNotice error={list.error} onRetry={list.again} /> : null}
        </div>
        {shown ? (
          <EntryDetail key={`${address} ${shown.name} ${shown.version}`} entry={shown} address={address} listed={names} />
        ) : (
          <section className="b" aria-label={t`Server`}>
            <div className="in">
              {fetched.error ? <ErrorNotice error={fetched.error} /> : null}
              {fetched.loading ? <Loading what={t`entry`} /> : null}
              {fetched.error || fetched.loading || list.loading ? null : (
                <div className="empty">
                  <p className="strong">{t`No server is chosen.`}</p>
                  <p>{t`What the registry says of one is shown here, and how to have it, before anything of it is fetched or run.`}</p>
                </div>
              )}
            </div>
          </section>
        )}
      </div>
    </Page>
  )
}

/** How many there are, from when, and why there are no more. */
function ListState({ list, text }: { readonly list: RegistryList; readonly text: string }) {
  const { found, loading, error, again } = list
  if (!found) return error ? <ErrorNotice error={error} onRetry={again} /> : <Loading what={t`registry`} />
  const { entries, next, source, at, unread, circles } = found
  const count = numberWords(entries.length)
  return (
    <>
      <p className="row help num" role="status">
        {loading ? <Spinner /> : null}
        <span className="grow">
          {entries.length === 0
            ? text === ''
              ? t`It lists no servers.`
              : t`No server fits.`
            : next === undefined
              ? t`${count} found`
              : t`${count} so far`}
          {source === 'registry' ? '' : ` · ${t`as it was ${whenWords(at, Date.now())}`}`}
        </span>
        <button type="button" className="linkish" onClick={again}>
          {t`Refresh`}
        </button>
      </p>
      {found.error ? <Offline error={found.error} source={source} onRetry={again} /> : null}
      {unread > 0 ? (
        <p className="help">{unread === 1 ? t`One entry could not be read.` : t`${numberWords(unread)} entries could not be read.`}</p>
      ) : null}
      {circles ? <p className="help">{t`The registry goes on without anything new, so no more of it is asked for.`}</p> : null}
    </>
  )
}

function Offline({ error, source, onRetry }: { readonly error: ErrorValue; readonly source: string; readonly onRetry: () => void }) {
  return (
    <div className="registry-offline">
      <p>
        <Revealed text={error.message} />
      </p>
      <p className="dim">
        {source === 'looked-through' ? t`What is shown is what fits among the servers seen before.` : t`What is shown is what was kept.`}
      </p>
      <Button size="sm" onClick={onRetry}>
        {t`Try again`}
      </Button>
    </div>
  )
}

interface Named {
  readonly entry: RegistryEntry | undefined
  readonly loading: boolean
  readonly error: ErrorValue | undefined
}
const nothing: Named = { entry: undefined, loading: false, error: undefined }

/** The server that the address names, where the list does not have it, or not in that version. */
function useNamed({ name, version = 'latest' }: RegistryRoute, known: boolean, address: string): Named {
  const { attempt } = useActions()
  const [searcher] = useState(() => crypto.randomUUID())
  const [named, setNamed] = useState<Named>(nothing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another registry is asked anew.
  useEffect(() => {
    let gone = false
    if (name === undefined || known) {
      setNamed(nothing)
      return
    }
    setNamed({ ...nothing, loading: true })
    void attempt('registry.server', { searcher, name: name.slice(0, 200), version: version.slice(0, 255) }).then((outcome) => {
      if (gone) return
      setNamed(outcome.ok ? { ...nothing, entry: outcome.value.entries[0] } : { ...nothing, error: outcome.error })
    })
    return () => {
      gone = true
    }
  }, [attempt, searcher, name, version, known, address])
  return named
}
