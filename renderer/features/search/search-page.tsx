// Search through all conversations. The address holds the question, so that reload and the way back lead here again. The text in
// the field is the one truth: the filters beside it write into it, and the chips below show the filters in it.
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { inOrder } from '#app/chat/chat-folder.ts'
import { type SearchFilter, searchTokens } from '#app/chat/search/search-query.ts'
import { type SearchCounts, type SearchHit, type SearchWhere, searchWhere } from '#app/chat/search/search-result.ts'
import { t } from '#app/i18n/translate.ts'
import { searchFieldId } from '#renderer/navigation/focus.ts'
import { navigate, type Route } from '#renderer/router.ts'
import type { SearchQuestion } from '#renderer/stores/search-memory.ts'
import { useConversations, useServers, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { ChoiceSelect, Segmented } from '#renderer/ui/field.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Page } from '#renderer/ui/page.tsx'
import { SearchResults, useSearch } from './search-results.tsx'
import '#renderer/ui/styles/search-input.css'
import './search.css'

type FilterChip = ReturnType<typeof chipsOf>[number]

export const chipsOf = (text: string) => searchTokens(text).filter((token) => token.kind === 'filter')

export const filterValue = (text: string, filter: SearchFilter): string | undefined =>
  chipsOf(text).findLast((chip) => chip.filter === filter)?.value

/** Replaces all filters of a name by one in front; `value` undefined: by none. */
export function withFilter(text: string, filter: SearchFilter, value: string | undefined): string {
  const rest = searchTokens(text)
    .filter((token) => token.kind !== 'filter' || token.filter !== filter)
    .map((token) => token.text)
    .join(' ')
  // What is being typed stays open.
  const kept = /\s$/.test(text) && rest !== '' ? `${rest} ` : rest
  if (value === undefined) return kept
  const written = `${filter}:${/\s/.test(value) ? `"${value}"` : value}`
  return kept === '' ? `${written} ` : `${written} ${kept}`
}

export const withoutChip = (text: string, chip: FilterChip): string => text.replace(chip.text, ' ').replace(/\s+/g, ' ').replace(/^\s/, '')

/** Day in the local calendar, as YYYY-MM-DD. */
function dayText(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

interface SearchFiltersProps {
  readonly text: string
  readonly where: SearchWhere
  readonly counts: SearchCounts | undefined
  readonly onText: (text: string) => void
  readonly onWhere: (where: SearchWhere) => void
}

const whereLabels: Readonly<Record<SearchWhere, string>> = {
  all: t`All`,
  messages: t`Messages`,
  results: t`Tool results`,
  titles: t`Titles`,
}
const day = 86_400_000

function SearchFilters({ text, where, counts, onText, onWhere }: SearchFiltersProps) {
  const now = Date.now()
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const server = filterValue(text, 'server') ?? ''
  const after = filterValue(text, 'after') ?? ''
  const servers = [...new Set([...known, ...(server === '' ? [] : [server])])]
  const usual = [
    { value: '', label: t`Any time` },
    { value: dayText(now), label: t`Today` },
    { value: dayText(now - 7 * day), label: t`Last 7 days` },
    { value: dayText(now - 30 * day), label: t`Last 30 days` },
    { value: dayText(now - 365 * day), label: t`Past year` },
  ]
  const periods = usual.some(({ value }) => value === after) ? usual : [...usual, { value: after, label: t`Since ${after}` }]
  const chips = chipsOf(text)
  return (
    <>
      <div className="row wrap filters search-filters">
        <Segmented<SearchWhere>
          label={t`Search in`}
          value={where}
          onChange={onWhere}
          choices={searchWhere.options.map((value) => ({
            value,
            label: (
              <>
                {whereLabels[value]}
                {counts !== undefined && (
                  <span className="num search-count">
                    {counts[value]}
                    {counts.capped && '+'}
                  </span>
                )}
              </>
            ),
          }))}
        />
        <span className="grow" />
        <ChatsSelect text={text} onText={onText} />
        <ChoiceSelect
          aria-label={t`Server`}
          className="fit"
          value={server}
          options={[{ value: '', label: t`Any server` }, ...servers.map((name) => ({ value: name, label: name }))]}
          onChoose={(value) => onText(withFilter(text, 'server', value || undefined))}
        />
        <ChoiceSelect
          aria-label={t`When`}
          className="fit"
          value={after}
          options={periods}
          onChoose={(value) => onText(withFilter(text, 'after', value || undefined))}
        />
      </div>
      {chips.length > 0 && (
        <ul className="row wrap search-chips" aria-label={t`Filters`}>
          {chips.map((chip) => (
            <li key={chip.text}>
              <button type="button" className="search-chip" onClick={() => onText(withoutChip(text, chip))}>
                <span className="sr">{t`Remove`} </span>
                <span className="faint">{chip.filter}</span> {chip.value}
                <Icon name="close" small />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const ARCHIVE = 'in:archive'

/** Choice between all chats, the archived ones, and those of a folder. */
function ChatsSelect({ text, onText }: Pick<SearchFiltersProps, 'text' | 'onText'>) {
  const folders = useConversations((state) => state.folders)
  const folder = filterValue(text, 'folder')
  const archived = chipsOf(text).find(({ filter, value }) => filter === 'in' && value.toLowerCase() === 'archive')
  const known = inOrder(folders).map(({ name }) => name)
  const choose = (value: string): void => {
    const rest = withFilter(archived ? withoutChip(text, archived) : text, 'folder', undefined)
    if (value === ARCHIVE) onText(`${ARCHIVE} ${rest}`)
    else onText(withFilter(rest, 'folder', value === '' ? undefined : value.slice('folder:'.length)))
  }
  return (
    <ChoiceSelect
      aria-label={t`Chats`}
      className="fit"
      value={folder === undefined ? (archived ? ARCHIVE : '') : `folder:${folder}`}
      options={[
        { value: '', label: t`All chats` },
        { value: ARCHIVE, label: t`Archived` },
        ...[...new Set([...known, ...(folder === undefined ? [] : [folder])])].map((name) => ({ value: `folder:${name}`, label: name })),
      ]}
      onChoose={choose}
    />
  )
}

/** Arrows go from the field to the hits and between them; Enter in the field opens the first one. */
function useHitKeys(page: RefObject<HTMLElement | null>, input: RefObject<HTMLInputElement | null>) {
  return (event: KeyboardEvent): void => {
    if (isTyping(event) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const hits = [...(page.current?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])]
    const at = target === input.current ? -1 : hits.indexOf(target)
    if (target !== input.current && at < 0) return
    const go = (next: HTMLElement | null | undefined): void => {
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    if (event.key === 'ArrowDown') go(hits[at + 1])
    else if (event.key === 'ArrowUp' && at >= 0) go(at === 0 ? input.current : hits[at - 1])
    else if (event.key === 'Enter' && at < 0) hits[0]?.click()
    else if (event.key === 'Escape') {
      event.stopPropagation()
      event.nativeEvent.stopImmediatePropagation()
      if (at >= 0) go(input.current)
    }
  }
}

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
  const { actions, searchMemory } = useStores()
  const page = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  // Without anything asked in the address: as it was left.
  const question =
    route.text === undefined && route.where === undefined && searchMemory.last ? searchMemory.last.question : questionOf(route)
  const { text, where, chat } = question
  const search = useSearch(question)
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
    if (!loading && count !== undefined && text.trim() !== '') actions.announce(count === 0 ? t`Nothing found.` : t`${count} found.`)
  }, [actions, loading, count, text])

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
              placeholder={t`Search in all chats`}
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
            onText={(next) => change({ text: next })}
            onWhere={(next: SearchWhere) => change({ where: next })}
          />
          {chat !== undefined && (
            <p className="row help">
              {tx`Only in “${chatTitle ?? t`Deleted chat`}”.`}
              <button type="button" className="linkish" onClick={() => change({ chat: undefined })}>
                {t`Search in all chats`}
              </button>
            </p>
          )}
          <SearchResults
            search={search}
            asked={text.trim() !== ''}
            opened={searchMemory.last?.opened}
            onOpen={remember}
            onOnly={(id) => change({ chat: id })}
          />
        </div>
      </div>
    </Page>
  )
}
