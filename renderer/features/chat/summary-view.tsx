// A summary that stands, for the model, in place of older messages: one line; opened, its text, and what can be done.
import { useId, useState } from 'react'
import type { SummaryMessage } from '#app/chat/message.ts'
import { describeError } from '#app/describe-error.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConversations } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { Markdown } from './markdown/markdown.tsx'
import { formatCount } from './server-summary.ts'
import { SummaryEdit } from './summary-edit.tsx'
import { useSummaryPlace } from './summary-place.tsx'
import './context.css'

const messagesWords = (count: number): string => (count === 1 ? t`1 message` : t`${count} messages`)
const callsWords = (count: number): string => (count === 1 ? t`the result of one call` : t`the results of ${count} calls`)

export function SummaryView({ message }: { readonly message: SummaryMessage }) {
  const { state, covers, undone, leftOut = [] } = message
  if (state === 'writing') {
    return (
      <p className="summary-row" role="status">
        <Spinner />
        <span>{tx`Summarising ${messagesWords(covers.messages)} for the model, to make room.`}</span>
      </p>
    )
  }
  if (state === 'done') return <DoneSummary message={message} />
  return (
    <p className="summary-row">
      <Icon name={leftOut.length > 0 ? 'info' : 'dash'} small />
      <span className="summary-words">
        {covers.messages > 0 && `${notMadeWords(message)} `}
        {leftOut.length > 0 &&
          (undone
            ? t`The model reads ${callsWords(leftOut.length)} again.`
            : leftOut.length === 1
              ? t`To make room, ${callsWords(1)} was left out for the model.`
              : t`To make room, ${callsWords(leftOut.length)} were left out for the model.`)}
      </span>
      {leftOut.length > 0 && <UndoButton message={message} />}
    </p>
  )
}

function notMadeWords({ state, error }: SummaryMessage): string {
  if (state === 'stopped') return t`No summary was made: it was stopped.`
  if (state === 'interrupted') return t`No summary was made: it was cut off.`
  return error ? `${t`No summary was made.`} ${describeError(error).message}` : t`No summary was made.`
}

function UndoButton({ message }: { readonly message: SummaryMessage }) {
  const actions = useActions()
  const { conversationId, id, undone = false } = message
  const busy = useConversations((state) => isBusy(state.list.find((one) => one.id === conversationId)?.activity.kind))
  return (
    <Button
      size="sm"
      disabled={busy}
      title={busy ? t`Once the answer is done` : undefined}
      onClick={() => actions.go('conversation.changeSummary', { id: conversationId, messageId: id, undone: !undone })}
    >
      {undone ? t`Use it again` : t`Undo`}
    </Button>
  )
}

const isBusy = (activity: string | undefined): boolean => activity === 'working' || activity === 'waiting'

function DoneSummary({ message }: { readonly message: SummaryMessage }) {
  const { id, covers, undone, tokens, text, edited } = message
  const place = useSummaryPlace()
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const moreId = useId()
  const inForce = place.inForce === id
  const opened = place.opened.has(id)
  const words = undone
    ? t`Summary of ${messagesWords(covers.messages)}, undone: the model reads all of it`
    : t`Summary of ${messagesWords(covers.messages)}`
  return (
    <section className="summary" aria-label={words}>
      <div className="summary-row">
        <button type="button" className="summary-open" aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
          {edited ? t`${words} · edited by you` : words}
        </button>
        {tokens && !undone && <span className="faint num">{tx`${formatCount(tokens.before)} → ${formatCount(tokens.after)} tokens`}</span>}
        <span className="row">
          {inForce && (
            <Button size="sm" aria-pressed={opened} onClick={() => place.toggle(id)}>
              {opened ? t`Hide messages` : t`Show messages`}
            </Button>
          )}
          <UndoButton message={message} />
        </span>
      </div>
      <div id={moreId} hidden={!open} className="summary-text">
        {open && !editing && (
          <>
            <Markdown text={text} streaming={false} />
            <p className="row">
              <Button size="sm" onClick={() => setEditing(true)}>
                {t`Edit`}
              </Button>
              <span className="help">
                {t`The model reads this, and what you wrote in those messages, in their place. Every message is kept.`}{' '}
                {message.keep !== undefined && t`You asked to keep: ${message.keep}`}
              </span>
            </p>
          </>
        )}
        {open && editing && <SummaryEdit message={message} onDone={() => setEditing(false)} />}
      </div>
    </section>
  )
}
