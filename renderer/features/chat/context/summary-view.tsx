// Summaries of compaction, which replace older messages for the model. The summary in force stands in place of the messages that
// it covers, which can be shown above it; every other summary stands where it was made.

import { createContext, type ReactNode, use, useId, useMemo, useState } from 'react'
import { cutOf, type PathStep } from '#app/chat/context-summary.ts'
import type { SummaryMessage } from '#app/chat/message.ts'
import { describeError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { useActions, useShallow, useTranscripts } from '#renderer/stores/store-hooks.tsx'
import { readyTranscriptIn } from '#renderer/stores/transcripts.ts'
import { Button, SmallButton } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { useBusy } from '../messages/message-menus.tsx'
import './context.css'

function SummaryEdit({ message, onDone }: { readonly message: SummaryMessage; readonly onDone: () => void }) {
  const actions = useActions()
  const [text, setText] = useState(message.text)
  const save = async (): Promise<void> => {
    const { conversationId: id, id: messageId } = message
    if (await actions.ask('conversation.changeSummary', { id, messageId, text })) onDone()
  }
  return (
    <>
      <TextArea
        aria-label={t`Summary`}
        rows={Math.min(20, Math.max(6, text.split('\n').length + 1))}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="row">
        <Button size="sm" variant="primary" disabled={text.trim() === ''} onClick={() => void save()}>
          {t`Save`}
        </Button>
        <SmallButton onClick={onDone}>{t`Cancel`}</SmallButton>
      </p>
    </>
  )
}

function shownIds(path: readonly PathStep[], opened: ReadonlySet<string>): readonly string[] {
  const cut = cutOf(path)
  if (!cut) return path.map(({ id }) => id)
  const own = cut.summary.id
  const before = opened.has(own) ? path.slice(0, cut.index) : []
  return [...before, cut.summary, ...path.slice(cut.index).filter(({ id }) => id !== own)].map(({ id }) => id)
}

interface SummaryPlaces {
  readonly inForce: string | undefined
  readonly opened: ReadonlySet<string>
  toggle(id: string): void
}

const SummaryPlaces = createContext<SummaryPlaces>({ inForce: undefined, opened: new Set(), toggle: () => {} })

interface WithSummariesProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  /** Message that is shown even where a summary covers it. */
  readonly found: string | undefined
  readonly children: (shown: readonly string[]) => ReactNode
}

export function WithSummaries({ conversationId, ids, found, children }: WithSummariesProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  // Selects summaries alone, so that streamed text does not lay the list out again.
  const summaries = useTranscripts(
    useShallow((state) => {
      const { ids: all = [], messages = {} } = readyTranscriptIn(state, conversationId) ?? {}
      return all.flatMap((id) => {
        const message = messages[id]
        return message?.role === 'summary' ? [message] : []
      })
    }),
  )
  const { shown, places } = useMemo(() => {
    const byId = new Map(summaries.map((message) => [message.id, message]))
    const path = ids.map((id): PathStep => byId.get(id) ?? { id, role: 'user' })
    const cut = cutOf(path)
    const covered = cut !== undefined && found !== undefined && ids.indexOf(found) < cut.index
    const isOpen = (id: string): boolean => chosen.get(id) ?? (covered && id === cut.summary.id)
    const opened = new Set(summaries.map(({ id }) => id).filter(isOpen))
    const toggle = (id: string): void => setChosen(new Map([...chosen, [id, !isOpen(id)]]))
    return { shown: summaries.length === 0 ? ids : shownIds(path, opened), places: { inForce: cut?.summary.id, opened, toggle } }
  }, [ids, summaries, chosen, found])
  return <SummaryPlaces value={places}>{children(shown)}</SummaryPlaces>
}

const messageCount = (count: number): string => t`${count} {message|messages}`
const resultsLabel = (count: number): string => t`${count} {result|results}`

export function SummaryView({ message }: { readonly message: SummaryMessage }) {
  const { state, covers, undone, leftOut = [] } = message
  if (state === 'writing') {
    return (
      <p className="summary-row" role="status">
        <Spinner />
        <span>{tx`Summarising ${messageCount(covers.messages)} for the model, to make room.`}</span>
      </p>
    )
  }
  if (state === 'done') return <DoneSummary message={message} />
  return (
    <p className="summary-row">
      <Icon name={leftOut.length > 0 ? 'info' : 'dash'} small />
      <span className="summary-words">
        {covers.messages > 0 && `${notMadeLabel(message)} `}
        {leftOut.length > 0 &&
          (undone ? t`The model reads ${resultsLabel(leftOut.length)} again.` : t`Left out to make room: ${resultsLabel(leftOut.length)}.`)}
      </span>
      {leftOut.length > 0 && <UndoButton message={message} />}
    </p>
  )
}

function notMadeLabel({ state, error }: SummaryMessage): string {
  if (state === 'stopped') return t`No summary was made.`
  if (state === 'interrupted') return t`No summary was made.`
  return error ? `${t`No summary was made.`} ${describeError(error).message}` : t`No summary was made.`
}

function UndoButton({ message }: { readonly message: SummaryMessage }) {
  const actions = useActions()
  const { conversationId, id, undone = false } = message
  const busy = useBusy(conversationId)
  return (
    <SmallButton
      disabled={busy}
      title={busy ? t`After the answer` : undefined}
      onClick={() => actions.go('conversation.changeSummary', { id: conversationId, messageId: id, undone: !undone })}
    >
      {undone ? t`Use it again` : t`Undo`}
    </SmallButton>
  )
}

function DoneSummary({ message }: { readonly message: SummaryMessage }) {
  const { id, covers, undone, tokens, text, edited } = message
  const places = use(SummaryPlaces)
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const moreId = useId()
  const inForce = places.inForce === id
  const opened = places.opened.has(id)
  const label = t`Summary of ${messageCount(covers.messages)}`
  return (
    <section className="summary" aria-label={label}>
      <div className="summary-row">
        <button type="button" className="summary-open" aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
          {edited ? `${label} · ${t`edited by you`}` : label}
        </button>
        {tokens && !undone && <span className="faint num">{tx`${formatCount(tokens.before)} → ${formatCount(tokens.after)} tokens`}</span>}
        <span className="row">
          {inForce && (
            <SmallButton aria-pressed={opened} onClick={() => places.toggle(id)}>
              {t`Messages`}
            </SmallButton>
          )}
          <UndoButton message={message} />
        </span>
      </div>
      <div id={moreId} hidden={!open} className="summary-text">
        {open && !editing && (
          <>
            <Markdown text={text} streaming={false} />
            <p className="row">
              <SmallButton onClick={() => setEditing(true)}>{t`Edit`}</SmallButton>
              <span className="help">{message.keep !== undefined && t`You asked to keep: ${message.keep}`}</span>
            </p>
          </>
        )}
        {open && editing && <SummaryEdit message={message} onDone={() => setEditing(false)} />}
      </div>
    </section>
  )
}
