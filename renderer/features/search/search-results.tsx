import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { SearchFound, SearchHit } from '#app/chat/search/search-result.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { type SearchQuestion, sameQuestion } from '#renderer/stores/search-memory.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Icon, ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Empty, ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

/** Text with its matches marked. Nothing in it is markup; hidden characters are named. */
function MarkedText({ spans }: { readonly spans: SearchHit['title'] }) {
  return spans.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <mark key={index} className="hit">
        <VisibleText text={text} />
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <VisibleText key={index} text={text} />
    ),
  )
}

const placeLabels: Readonly<Record<Exclude<SearchHit['kind'], 'call'>, string>> = { title: t`Title`, you: t`You`, answer: t`Answer` }

type HitGroup = ReturnType<typeof groupHits>[number]

/** Hits by conversation, in the order in which the conversations first come up. `more`: number of hits that are not shown. */
function groupHits({ hits, more }: Pick<SearchFound, 'hits' | 'more'>) {
  return [...Map.groupBy(hits, ({ conversationId }) => conversationId)].map(([conversationId, found]) => ({
    conversationId,
    title: found[0]?.title ?? [],
    titled: found.findLast(({ kind }) => kind === 'title'),
    hits: found.filter(({ kind }) => kind !== 'title'),
    more: more[conversationId] ?? 0,
  }))
}

interface SearchState {
  readonly found: SearchFound | undefined
  /** Question that `found` answers. */
  readonly answered: SearchQuestion | undefined
  readonly loading: boolean
  readonly error: ErrorValue | undefined
}

/** Milliseconds without typing before the host is asked. */
const typingMs = 70

/** Asks the host while the person types. Hits stay until the next answer is there; an answer to an earlier question is dropped. */
export function useSearch(question: SearchQuestion) {
  const { attempt } = useActions()
  const { searchMemory } = useStores()
  const [searcher] = useState(() => crypto.randomUUID())
  const remembered = useRef(searchMemory.last)
  const [state, setState] = useState<SearchState>(() => ({
    found: remembered.current?.found,
    answered: remembered.current?.question,
    loading: false,
    error: undefined,
  }))
  const latest = useRef(0)
  const { text, where, chat } = question

  const ask = useCallback(
    async (before?: number): Promise<void> => {
      latest.current += 1
      const mine = latest.current
      setState((now) => ({ ...now, loading: true, error: undefined }))
      const outcome = await attempt('search.find', {
        searcher,
        text,
        where,
        ...(chat === undefined ? {} : { conversationId: chat }),
        ...(before === undefined ? {} : { before }),
      })
      if (mine !== latest.current || (!outcome.ok && outcome.error.code === 'cancelled')) return
      setState((now) => {
        if (!outcome.ok) return { ...now, loading: false, error: outcome.error }
        const found = before === undefined || !now.found ? outcome.value : joined(now.found, outcome.value)
        return { found, answered: { text, where, chat }, loading: false, error: undefined }
      })
    },
    [attempt, searcher, text, where, chat],
  )

  useEffect(() => {
    const known = remembered.current
    remembered.current = undefined
    // Back from a message: it is all there.
    if (known && sameQuestion(known.question, { text, where, chat })) return
    const timer = setTimeout(() => void ask(), typingMs)
    return () => {
      latest.current += 1
      clearTimeout(timer)
    }
  }, [ask, text, where, chat])

  const next = state.found?.next ?? null
  return { ...state, more: (): void => void (next !== null && ask(next)), retry: (): void => void ask() }
}

function joined(before: SearchFound, page: SearchFound): SearchFound {
  const more = { ...before.more }
  for (const [id, count] of Object.entries(page.more)) more[id] = (more[id] ?? 0) + count
  return { ...before, hits: [...before.hits, ...page.hits], more, next: page.next }
}

interface SearchResultsProps {
  readonly search: ReturnType<typeof useSearch>
  /** The field is not empty. */
  readonly asked: boolean
  readonly opened: number | undefined
  readonly onOpen: (hit: SearchHit | undefined) => void
  readonly onOnly: (conversationId: string) => void
}

export function SearchResults({ search, asked, opened, onOpen, onOnly }: SearchResultsProps) {
  const { found, answered, error } = search
  const isOneChat = answered?.chat !== undefined
  const hintsId = useId()
  if (error) return <ErrorNotice error={error} onRetry={search.retry} />
  return (
    <>
      {!asked && (
        <section aria-labelledby={hintsId}>
          <h2 className="h3" id={hintsId}>{t`Search operators`}</h2>
          <dl className="kv search-hints">
            {hints.map(([typed, meaning]) => (
              <div key={typed} className="search-hint">
                <dt className="mono">{typed}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {asked && !found && (
        <p className="row faint slowly">
          <Spinner /> {t`Searching…`}
        </p>
      )}
      {asked && found && found.hits.length === 0 && (
        <Empty icon="search" title={t`Nothing found.`}>
          <p>{t`Remove a word or a filter.`}</p>
        </Empty>
      )}
      {asked && found && found.hits.length > 0 && (
        <>
          {groupHits(found).map((group) => (
            <Group key={group.conversationId} group={group} opened={opened} alone={isOneChat} onOpen={onOpen} onOnly={onOnly} />
          ))}
          {found.next !== null && (
            <div className="row">
              <SmallButton aria-disabled={search.loading} onClick={search.more}>
                {search.loading ? <Spinner /> : null}
                {t`Show older ones`}
              </SmallButton>
            </div>
          )}
          <p className="help row wrap wide-only">
            <span className="key">↑</span>
            {tx`${<span className="key">↓</span>} choose ${<span className="key">⏎</span>} open at that message`}
          </p>
        </>
      )}
    </>
  )
}

type GroupProps = Pick<SearchResultsProps, 'opened' | 'onOpen' | 'onOnly'> & { readonly group: HitGroup; readonly alone: boolean }

function Group({ group, opened, alone, onOpen, onOnly }: GroupProps) {
  const { conversationId, title, titled, hits, more } = group
  return (
    <section className="search-group">
      <h2>
        <a
          className={cx('search-title', titled && opened === titled.place && 'opened')}
          href={hrefOf({ page: 'chat', id: conversationId })}
          data-hit={titled?.place}
          onClick={() => onOpen(titled)}
          dir="auto"
        >
          <MarkedText spans={title} />
        </a>
        {titled && <span className="when num">{formatWhen(titled.at, Date.now())}</span>}
      </h2>
      {hits.map((hit) => (
        <a
          key={hit.place}
          className={cx('item', 'search-hit', opened === hit.place && 'opened')}
          data-hit={hit.place}
          href={hrefOf({
            page: 'chat',
            id: hit.conversationId,
            ...(hit.messageId === undefined ? {} : { at: hit.messageId, ...(hit.callId === undefined ? {} : { call: hit.callId }) }),
          })}
          onClick={() => onOpen(hit)}
        >
          {hit.kind === 'call' && hit.server !== undefined ? (
            <ServerMark name={hit.server} />
          ) : (
            <Icon name={hit.kind === 'call' ? 'tool' : 'chat'} />
          )}
          <span className="t">
            <span className="cut">
              {hit.kind === 'call' ? (
                <>
                  {hit.server !== undefined && <VisibleText className="faint" text={`${hit.server} `} />}
                  <VisibleText text={hit.tool ?? ''} />
                </>
              ) : (
                placeLabels[hit.kind]
              )}
            </span>
          </span>
          <time className="when num" dateTime={new Date(hit.at).toISOString()}>
            {formatWhen(hit.at, Date.now())}
          </time>
          {hit.snippet && (
            <span className={cx('d', 'passage', hit.snippet.form === 'data' && 'mono')} dir="auto">
              {hit.snippet.cut.before && '…\u00a0'}
              <MarkedText spans={hit.snippet.spans} />
              {hit.snippet.cut.after && '\u00a0…'}
            </span>
          )}
        </a>
      ))}
      {more > 0 && !alone && (
        <button type="button" className="linkish search-more" onClick={() => onOnly(conversationId)}>
          {tx`${more} more in this chat`}
        </button>
      )}
    </section>
  )
}

const hints: readonly (readonly [typed: string, meaning: string])[] = [
  [t`"vat number"`, t`the exact phrase`],
  ['-draft', t`without this word`],
  [t`server:github tool:get`, t`calls of a server, or of a tool`],
  ['in:title', t`only in titles`],
  ['folder:taxes', t`in a folder of chats`],
  ['in:archive', t`in archived chats`],
  ['after:2026-09 before:2026-10-15', t`from, or before, a day, month or year`],
]
