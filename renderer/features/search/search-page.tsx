// Search through all conversations. The address holds what is asked, so that a reload and the way back lead here again.
import { t } from '#app/words/translate.ts'
import { tx } from '#renderer/ui/translate.ts'
import '#renderer/ui/search-input.css'
import './search.css'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { type SearchHit, type SearchWhere, searchWhere } from '#app/chat/search/found.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { searchFieldId } from '#renderer/shell/focus.ts'
import { useConversations, useStores } from '#renderer/stores/react.tsx'
import type { SearchQuestion } from '#renderer/stores/search-memory.ts'
import { announce } from '#renderer/stores/view.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { SearchFilters } from './search-filters.tsx'
import { SearchResults } from './search-results.tsx'
import { useHitKeys } from './use-hit-keys.ts'
import { useSearch } from './use-search.ts'

type SearchRoute = Extract<Route, { page: 'search' }>

function questionOf(route: SearchRoute): SearchQuestion {
  const where = searchWhere.safeParse(route.where)
  return { text: (route.text ?? '').slice(0, 1000), where: where.success ? where.data : 'all', chat: route.chat }
}

const goTo = ({ text, where, chat }: SearchQuestion): void =>
  navigate(
    {
      page: 'search',
      ...(text === '' ? {} : { text }),
      ...(where === 'all' ? {} : { where }),
      ...(chat === undefined ? {} : { chat }),
    },
    { replace: true },
  )

export function SearchPage({ route }: { readonly route: SearchRoute }) {
  const { view, searchMemory } = useStores()
  const page = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  // Without anything asked in the address: as it was left.
  const question =
    route.text === undefined && route.where === undefined && searchMemory.last ? searchMemory.last.question : questionOf(route)
  const { text, where, chat } = question
  const search = useSearch(question)
  const now = Date.now()
  const change = (part: Partial<SearchQuestion>): void => {
    if (part.text === '') searchMemory.last = undefined
    goTo({ ...question, ...part })
  }
  const chatTitle = useConversations((state) => state.list.find(({ id }) => id === chat)?.title)
  const keys = useHitKeys(page, input)

  useLayoutEffect(() => {
    const { last } = searchMemory
    if (last && page.current) page.current.scrollTop = last.scrolled
    const opened = page.current?.querySelector<HTMLElement>(`[data-hit="${last?.opened}"]`)
    const focused = opened ?? input.current
    focused?.focus({ preventScroll: true })
  }, [searchMemory])

  const { found, answered, loading } = search
  const count = found?.counts?.all
  useEffect(() => {
    if (!loading && count !== undefined && text.trim() !== '') announce(view, count === 0 ? t`Nothing found.` : t`${count} found.`)
  }, [view, loading, count, text])

  const remember = (opened: SearchHit | undefined): void => {
    if (found && answered) searchMemory.last = { question: answered, found, scrolled: page.current?.scrollTop ?? 0, opened: opened?.place }
  }
  return (
    <Page title={t`Search`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the field and the links in it */}
      <div className="page" ref={page} onKeyDown={keys}>
        <div className="in search-in">
          <label className="input search search-field">
            <Icon name="search" />
            <input
              id={searchFieldId}
              ref={input}
              type="search"
              aria-label={t`Search in all chats`}
              placeholder={t`Search messages, tool calls and results`}
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              maxLength={1000}
              value={text}
              onChange={({ target }) => change({ text: target.value })}
            />
            {loading && <Spinner />}
            {text !== '' && (
              <IconButton
                label={t`Clear`}
                icon="close"
                small
                onClick={() => {
                  change({ text: '' })
                  input.current?.focus()
                }}
              />
            )}
          </label>
          <SearchFilters
            text={text}
            where={where}
            counts={text.trim() === '' ? undefined : found?.counts}
            now={now}
            onText={(next) => change({ text: next })}
            onWhere={(next: SearchWhere) => change({ where: next })}
          />
          {chat !== undefined && (
            <p className="row help">
              {tx`Only in “${chatTitle ?? t`a deleted chat`}”.`}
              <button type="button" className="linkish" onClick={() => change({ chat: undefined })}>
                {t`Look in all chats`}
              </button>
            </p>
          )}
          <SearchResults
            search={search}
            asked={text.trim() !== ''}
            now={now}
            opened={searchMemory.last?.opened}
            onOpen={remember}
            onOnly={(id) => change({ chat: id })}
          />
        </div>
      </div>
    </Page>
  )
}
