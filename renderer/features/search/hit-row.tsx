import type { SearchHit } from '#app/chat/search/found.ts'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'
import { hrefOf } from '#renderer/router.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'

/** Words found are marked; nothing in a text is markup, and what cannot be seen in it is named. */
export function MarkedText({ spans }: { readonly spans: SearchHit['title'] }) {
  return spans.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <mark key={index} className="hit">
        <Revealed text={text} />
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <Revealed key={index} text={text} />
    ),
  )
}

const placeWords: Readonly<Record<Exclude<SearchHit['kind'], 'call'>, string>> = { title: t`Title`, you: t`You`, answer: t`Answer` }

interface HitRowProps {
  readonly hit: SearchHit
  readonly now: number
  /** It was opened last. */
  readonly opened: boolean
  readonly onOpen: (hit: SearchHit) => void
}

export function HitRow({ hit, now, opened, onOpen }: HitRowProps) {
  const { kind, conversationId, messageId, callId, server, tool, snippet } = hit
  return (
    <a
      className={cx('item', 'search-hit', opened && 'opened')}
      data-hit={hit.place}
      href={hrefOf({
        page: 'chat',
        id: conversationId,
        ...(messageId === undefined ? {} : { at: messageId, ...(callId === undefined ? {} : { call: callId }) }),
      })}
      onClick={() => onOpen(hit)}
    >
      {kind === 'call' && server !== undefined ? <ServerMark name={server} /> : <Icon name={kind === 'call' ? 'tool' : 'chat'} />}
      <span className="t">
        <span className="cut">
          {kind === 'call' ? (
            <>
              <Revealed text={tool ?? ''} />
              {server !== undefined && <span className="faint"> {tx`of ${server}`}</span>}
            </>
          ) : (
            placeWords[kind]
          )}
        </span>
      </span>
      <time className="when num" dateTime={new Date(hit.at).toISOString()}>
        {whenWords(hit.at, now)}
      </time>
      {snippet && (
        <span className={cx('d', 'passage', snippet.form === 'data' && 'mono')} dir="auto">
          {snippet.cut.before && '…\u00a0'}
          <MarkedText spans={snippet.spans} />
          {snippet.cut.after && '\u00a0…'}
        </span>
      )}
    </a>
  )
}
