// What fills the context, part by part, and what can be done about it. Instructions and tools name the server they are of.
import { useState } from 'react'
import type { ContextItem, ContextView } from '#app/chat/context-view.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { ChatUse } from '#renderer/features/usage/chat-use.tsx'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { fullness, partLines, percentWords, widths } from './context-words.ts'
import { formatCount } from './server-summary.ts'

export function ContextPane({ conversation, view }: { readonly conversation: Conversation; readonly view: ContextView }) {
  const { used, limit, reserved, calibrated } = view
  const busy = conversation.activity.kind === 'working' || conversation.activity.kind === 'waiting'
  const lines = partLines(view)
  const wide = widths(view, lines)
  const full = fullness(used, limit)
  return (
    <>
      <p className="num">
        {limit === undefined
          ? tx`${<b>{formatCount(used)}</b>} tokens`
          : tx`${<b>{formatCount(used)}</b>} of ${formatCount(limit)} tokens · ${percentWords(used, limit)}`}
      </p>
      <div className="context-bar" aria-hidden="true">
        {lines.map(({ kind }, index) => (
          <i key={kind} className={`part-${kind}`} style={{ width: `${wide.parts[index] ?? 0}%` }} />
        ))}
        <i className="part-reserved" style={{ width: `${wide.reserved}%` }} />
      </div>
      {(full === 'filling' || full === 'full') && (
        <Notice tone={full === 'full' ? 'bad' : 'warn'} title={full === 'full' ? t`There is hardly any room left.` : t`It is filling up.`}>
          {t`A summary of the older part makes room.`}
        </Notice>
      )}
      <table className="context-parts num">
        <caption className="sr">{t`Tokens by part`}</caption>
        <tbody>
          {lines.map(({ kind, name, tokens, note }) => (
            <tr key={kind}>
              <th scope="row">
                <i className={`swatch part-${kind}`} aria-hidden="true" />
                {name} {note && <span className="faint">{note}</span>}
              </th>
              <td>{formatCount(tokens)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <i className="swatch part-reserved" aria-hidden="true" />
              {t`Kept for the answer`}
            </th>
            <td>{formatCount(reserved)}</td>
          </tr>
          {limit !== undefined && (
            <tr>
              <th scope="row">
                <i className="swatch part-free" aria-hidden="true" />
                {t`Free`}
              </th>
              <td>{formatCount(Math.max(0, limit - used - reserved))}</td>
            </tr>
          )}
        </tbody>
      </table>
      <Origins view={view} />
      <Largest items={view.largest} conversationId={conversation.id} busy={busy} />
      <Compact conversation={conversation} view={view} busy={busy} />
      <p className="help">
        {calibrated
          ? t`Counted by Assent, and set right by what the provider counted last.`
          : t`An estimate: the provider has not counted yet.`}{' '}
        {limit === undefined && t`How much this model takes is not known.`}
      </p>
      <ChatUse conversationId={conversation.id} />
    </>
  )
}

function Origins({ view }: { readonly view: ContextView }) {
  const { system, tools } = view.parts
  return (
    <>
      {system.servers.length > 0 && (
        <details className="context-more">
          <summary>{t`What servers say of themselves`}</summary>
          {system.servers.map(({ server, text, tokens }) => (
            <div key={server} className="origin">
              <p className="row">
                <ServerMark name={server} />
                <b>{server}</b>
                <span className="faint num">{formatCount(tokens)}</span>
              </p>
              <p className="origin-text">
                <Revealed text={text} />
              </p>
            </div>
          ))}
        </details>
      )}
      {tools.servers.length > 0 && (
        <details className="context-more">
          <summary>{t`Tools by server`}</summary>
          {tools.servers.map(({ server, tokens, count }) => (
            <p key={server} className="row">
              <ServerMark name={server} />
              <b>{server}</b>
              <span className="faint num">
                {count} · {formatCount(tokens)}
              </span>
            </p>
          ))}
        </details>
      )}
    </>
  )
}

function switchLabel(leftOut: boolean, isResult: boolean, name: string): string {
  if (isResult) return leftOut ? t`Put back the result of “${name}”` : t`Leave out the result of “${name}”`
  return leftOut ? t`Put back “${name}”` : t`Leave out “${name}”`
}

interface LargestProps {
  readonly items: readonly ContextItem[]
  readonly conversationId: string
  readonly busy: boolean
}

function Largest({ items, conversationId, busy }: LargestProps) {
  const actions = useActions()
  if (items.length === 0) return null
  return (
    <section aria-label={t`The largest`}>
      <p className="label">{t`The largest`}</p>
      <ul className="context-items">
        {items.map(({ id, kind, server, name, tokens, leftOut }) => (
          <li key={`${kind} ${id} ${name}`}>
            <span className="cut">
              {server !== undefined && <span className="faint">{server} </span>}
              <Revealed text={name} />
            </span>
            <span className="faint num">{leftOut ? t`left out` : formatCount(tokens)}</span>
            <Button
              size="sm"
              disabled={busy}
              aria-label={switchLabel(leftOut, kind === 'result', name)}
              onClick={() => actions.go('conversation.leaveOut', { id: conversationId, item: { kind, id }, leftOut: !leftOut })}
            >
              {leftOut ? t`Put back` : t`Leave out`}
            </Button>
          </li>
        ))}
      </ul>
      <p className="help">
        {t`What is left out stays in the chat. The model reads a note in its place, and can read a result again when it needs it.`}
      </p>
    </section>
  )
}

function Compact({
  conversation,
  view,
  busy,
}: {
  readonly conversation: Conversation
  readonly view: ContextView
  readonly busy: boolean
}) {
  const actions = useActions()
  const [keep, setKeep] = useState('')
  const { compaction } = view
  if (compaction.kind === 'impossible') {
    return (
      <p className="help">
        {compaction.reason === 'practice'
          ? t`The practice model is no AI: it writes no summary.`
          : t`There is too little yet for a summary to save anything.`}
      </p>
    )
  }
  const compact = (): void =>
    actions.go('conversation.compact', { id: conversation.id, ...(keep.trim() === '' ? {} : { keep: keep.trim() }) })
  return (
    <form
      className="context-compact"
      onSubmit={(event) => {
        event.preventDefault()
        compact()
      }}
    >
      <TextInput
        aria-label={t`What the summary has to keep`}
        placeholder={t`What it has to keep (optional)`}
        maxLength={2000}
        value={keep}
        onChange={(event) => setKeep(event.target.value)}
      />
      <Button type="submit" size="sm" disabled={busy} title={busy ? t`Once the answer is done` : undefined}>
        {t`Compact now`}
      </Button>
      <p className="help">
        {compaction.messages === 1
          ? t`The model sums up the oldest message for itself. You can read, edit and undo it.`
          : t`The model sums up the oldest ${compaction.messages} messages for itself. You can read, edit and undo it.`}
      </p>
    </form>
  )
}
