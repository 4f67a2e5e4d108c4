import type { SearchHit } from '#app/chat/search/found.ts'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'
import { hrefOf } from '#renderer/router.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { groupHits, type HitGroup } from './hit-groups.ts'
import { HitRow, MarkedText } from './hit-row.tsx'
import type { Search } from './use-search.ts'

interface SearchResultsProps {
  readonly search: Search
  /** Something stands in the field. */
  readonly asked: boolean
  readonly now: number
  readonly opened: number | undefined
  readonly onOpen: (hit: SearchHit | undefined) => void
  /** Looks through one conversation only. */
  readonly onOnly: (conversationId: string) => void
}

export function SearchResults({ search, asked, now, opened, onOpen, onOnly }: SearchResultsProps) {
  const { found, answered, error } = search
  if (error) return <ErrorNotice error={error} onRetry={search.retry} />
  return (
    <>
      {found && found.indexed < 1 && (
        <p className="row help" role="status">
          <Spinner /> {tx`Older chats are still being made ready: ${Math.floor(found.indexed * 100)} %. What is found may not be all.`}
        </p>
      )}
      {!asked && <Hints />}
      {asked && !found && (
        <p className="row faint slowly">
          <Spinner /> {t`Looking.`}
        </p>
      )}
      {asked && found && found.hits.length === 0 && <NothingFound text={answered?.text ?? ''} />}
      {asked && found && found.hits.length > 0 && (
        <>
          {groupHits(found).map((group) => (
            <Group
              key={group.conversationId}
              group={group}
              now={now}
              opened={opened}
              alone={answered?.chat !== undefined}
              onOpen={onOpen}
              onOnly={onOnly}
            />
          ))}
          {found.next !== null && (
            <div className="row">
              <Button size="sm" aria-disabled={search.loading} onClick={search.more}>
                {search.loading ? <Spinner /> : null}
                {t`Show older ones`}
              </Button>
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

interface GroupProps extends Pick<SearchResultsProps, 'now' | 'opened' | 'onOpen' | 'onOnly'> {
  readonly group: HitGroup
  readonly alone: boolean
}

function Group({ group, now, opened, alone, onOpen, onOnly }: GroupProps) {
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
        {titled && <span className="when num">{whenWords(titled.at, now)}</span>}
      </h2>
      {hits.map((hit) => (
        <HitRow key={hit.place} hit={hit} now={now} opened={opened === hit.place} onOpen={onOpen} />
      ))}
      {more > 0 && !alone && (
        <button type="button" className="linkish search-more" onClick={() => onOnly(conversationId)}>
          {tx`${more} more in this chat`}
        </button>
      )}
    </section>
  )
}

function NothingFound({ text }: { readonly text: string }) {
  return (
    <div className="empty">
      <p className="strong">{t`Nothing found.`}</p>
      <p>
        {/\s|:/.test(text.trim())
          ? t`No message has all of these words. Take a word or a filter away.`
          : t`No title, message, tool call or result has a word that begins so.`}
      </p>
    </div>
  )
}

const hints: readonly (readonly [typed: string, meaning: string])[] = [
  [t`"vat number"`, t`these words in a row`],
  ['-draft', t`without this word`],
  [t`server:github tool:get`, t`calls of a server, or of a tool`],
  ['in:title', t`only in titles`],
  ['folder:taxes', t`in a folder of chats; in:archive for the archived ones`],
  ['after:2026-09 before:2026-10-15', t`from a day, month or year on, or before it`],
]

function Hints() {
  return (
    <dl className="kv search-hints">
      {hints.map(([typed, meaning]) => (
        <div key={typed} className="search-hint">
          <dt className="mono">{typed}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
