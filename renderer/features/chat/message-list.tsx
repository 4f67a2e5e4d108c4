// The messages of a conversation. A long one is virtualised: only what is near the window is in the page.

import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, memo, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import type { AssistantMessage, AssistantPart, Citation, Message, ToolCall } from '#app/chat/message.ts'
import { formatWait } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConversations, useStores, useTranscripts } from '#renderer/stores/store-hooks.tsx'
import type { Transcripts } from '#renderer/stores/transcripts.ts'
import { Badge, Spinner } from '#renderer/ui/badges.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { LongVisibleText } from '#renderer/ui/long-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CallGroup } from './calls/call-group.tsx'
import { SummaryView } from './context/summary-view.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { AnswerFoot, UserMessageView } from './messages/user-message.tsx'

// One message. It takes only its own message from the store, so that text streaming into one renders no other. Where an answer
// has something from, under the text that says so: the documents' own words, as the provider quotes them. What stands where the
// answer will be, until it begins. Why the model is not answering yet and when it is asked again, from the activity's `retry`.
// Pure.

type PartGroup =
  | { readonly kind: 'text' | 'thinking'; readonly index: number }
  /** Calls that follow each other stand together. */
  | { readonly kind: 'calls'; readonly index: number; readonly calls: readonly ToolCall[] }

/** The parts of an answer in order; empty text is left out. */
export function groupParts(parts: readonly AssistantPart[]): readonly PartGroup[] {
  const groups: PartGroup[] = []
  parts.forEach((part, index) => {
    const last = groups.at(-1)
    if (part.kind !== 'tool-call') {
      if (part.text.trim() !== '' || part.kind === 'thinking') groups.push({ kind: part.kind, index })
    } else if (last?.kind === 'calls') groups[groups.length - 1] = { ...last, calls: [...last.calls, part.call] }
    else groups.push({ kind: 'calls', index, calls: [part.call] })
  })
  return groups
}

const reasons: Readonly<Record<string, string>> = {
  'model.overloaded': t`The model is overloaded`,
  'model.rate-limited': t`The limit of your key is reached`,
  'model.server-error': t`The model’s API failed`,
  'model.offline': t`The model is out of reach`,
}

/** `reason` is an error code of the host; one that is not known here is not shown as it is. */
export function retryLabel({ at, reason }: { readonly at: number; readonly reason: string }, now: number): string {
  const why = reasons[reason] ?? t`The model did not answer`
  return at > now ? t`${why}, tries again in ${formatWait(at - now)}` : t`${why}, trying again`
}

export function WorkingLine({ conversationId }: { readonly conversationId: string }) {
  const retry = useConversations((state) => {
    const activity = state.list.find(({ id }) => id === conversationId)?.activity
    return activity?.kind === 'working' ? activity.retry : undefined
  })
  const now = useNow(1000, retry !== undefined)
  return (
    <p className="row faint waiting-first">
      {retry ? (
        <>
          <Spinner />
          <span className="num">{retryLabel(retry, now)}</span>
        </>
      ) : (
        <Spinner label={t`The model is at work`} />
      )}
    </p>
  )
}

function CitedSources({ citations }: { readonly citations: readonly Citation[] }) {
  const sources = unlike(citations)
  return (
    <details className="thinking">
      <summary>{sources.length === 1 ? t`1 source` : t`${sources.length} sources`}</summary>
      <ol className="thinking-text">
        {sources.map((one) => (
          <li key={keyOf(one)}>
            <VisibleText text={one.title ?? t`A document`} />
            {one.pages && <span className="dim">, {pageWords(one.pages)}</span>}: “<VisibleText text={one.quote.trim()} />”
          </li>
        ))}
      </ol>
    </details>
  )
}

const keyOf = ({ title, pages, quote }: Citation): string => JSON.stringify([title, pages, quote])

function unlike(citations: readonly Citation[]): readonly Citation[] {
  return [...new Map(citations.map((one) => [keyOf(one), one])).values()]
}

const pageWords = ([first, last]: readonly [number, number]): string => (first === last ? t`page ${first}` : t`pages ${first}–${last}`)

interface MessageViewProps {
  readonly conversationId: string
  readonly messageId: string
  /** It is the first answer of the practice model: said above it. */
  readonly practice: boolean
  readonly last: boolean
}

const MessageView = memo(function MessageView({ conversationId, messageId, practice, last }: MessageViewProps) {
  const message = useTranscripts((state): Message | undefined => {
    const transcript = state.byConversation[conversationId]
    return transcript?.kind === 'ready' ? transcript.messages[messageId] : undefined
  })
  if (!message) return null
  if (message.role === 'user') {
    return <UserMessageView message={message} last={last} />
  }
  if (message.role === 'summary') return <SummaryView message={message} />
  return <Answer message={message} practice={practice} last={last} />
})

interface AnswerProps extends Pick<MessageViewProps, 'practice' | 'last'> {
  readonly message: AssistantMessage
}

function Answer({ message, practice, last }: AnswerProps) {
  const actions = useActions()
  const groups = useMemo(() => groupParts(message.parts), [message.parts])
  const streaming = message.state === 'streaming'
  const lastIndex = message.parts.length - 1
  return (
    <article className="answer" aria-label={t`Answer`}>
      {practice && <p className="row help">{tx`Practice model ${<Badge>{t`no AI`}</Badge>} It matches words to tools.`}</p>}
      {groups.map((group) => {
        if (group.kind === 'calls') {
          return <CallGroup key={group.index} conversationId={message.conversationId} calls={group.calls} />
        }
        const part = message.parts[group.index] as Extract<AssistantPart, { kind: 'text' | 'thinking' }>
        const growing = streaming && group.index === lastIndex
        return group.kind === 'text' ? (
          <Fragment key={group.index}>
            <Markdown text={part.text} streaming={growing} />
            {part.kind === 'text' && part.citations && <CitedSources citations={part.citations} />}
          </Fragment>
        ) : (
          <Thinking
            key={group.index}
            text={part.text}
            redacted={part.kind === 'thinking' && (part.redacted ?? part.details) !== undefined}
            growing={growing}
          />
        )
      })}
      {streaming && groups.length === 0 && <WorkingLine conversationId={message.conversationId} />}
      {message.error && <ErrorNotice error={message.error} onRetry={last ? () => actions.resume(message.conversationId) : undefined} />}
      {message.cut === 'max-tokens' && (
        <p className="help warntext">{t`It ends here because it reached the limit of its length. Ask it to go on for the rest.`}</p>
      )}
      {message.state === 'stopped' && <p className="help">{t`You stopped it here.`}</p>}
      {message.state === 'interrupted' && <p className="help warntext">{t`It was cut off here.`}</p>}
      {!streaming && <AnswerFoot conversationId={message.conversationId} messageId={message.id} last={last} />}
    </article>
  )
}

function Thinking({ text, redacted, growing }: { readonly text: string; readonly redacted: boolean; readonly growing: boolean }) {
  if (text.trim() === '') return redacted ? <p className="help">{t`The provider keeps some of its thinking hidden.`}</p> : null
  return (
    <details className="thinking">
      <summary>
        {growing ? t`Thinking` : t`Thought`}
        {growing && <Spinner />}
      </summary>
      <p className="thinking-text">
        <LongVisibleText text={text} />
      </p>
    </details>
  )
}

/** Pixels in the column of a chat: a line of text, what stands around a message, and a row that is closed. */
const line = 22
const around = 48
const closedRow = 40
/** Characters of an answer for each of its lines, which headings, lists and tables leave half empty. */
const answerLine = 60
const questionLine = 80

const linesOf = (text: string, characters: number): number => Math.ceil(text.length / characters) * line

/** Pixels that a message will about take, guessed by its length; it is measured as soon as it is drawn. */
export function expectedHeight(message: Message | undefined): number {
  if (message?.role === 'user') return around + linesOf(message.text, questionLine)
  if (message?.role !== 'assistant') return around
  return message.parts.reduce((sum, part) => sum + (part.kind === 'text' ? linesOf(part.text, answerLine) : closedRow), around)
}

/** Where to begin so that what stands from there to the end fills a window of that height with something to spare. */
export function firstToFill(heights: readonly number[], height: number): number {
  let room = height * 1.5
  for (let index = heights.length - 1; index > 0; index--) {
    room -= heights[index] ?? 0
    if (room <= 0) return index
  }
  return 0
}

const plainUpTo = 60

/** Messages drawn on each side of the window in a long chat, before it was first painted and from then on. */
const firstBeyond = 1
const beyond = 4
const gap = 14

interface MessageListProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  readonly box: RefObject<HTMLDivElement | null>
  /** It is shown in the midst of the page, and marked. */
  readonly found: string | undefined
}

/** The first answer in the conversation, when the practice model gave it. */
function usePracticeAnswer(conversationId: string): string | undefined {
  return useTranscripts((state) => {
    const transcript = state.byConversation[conversationId]
    if (transcript?.kind !== 'ready' || transcript.earlier > 0) return undefined
    for (const id of transcript.ids) {
      const message = transcript.messages[id]
      if (message?.role === 'assistant') return message.model.startsWith('practice/') ? id : undefined
    }
    return undefined
  })
}

/** Messages that are in the page above the first one in the window; fewer, and those before them are fetched. */
const keptAbove = 30

/** Fetches the beginning of a chat that was opened by its end, once the person comes near it. `first`: the first one shown. */
function useEarlier(conversationId: string, first: number): void {
  const { transcripts } = useStores()
  const near = first < keptAbove
  const more = useTranscripts((state) => {
    const transcript = state.byConversation[conversationId]
    return transcript?.kind === 'ready' && transcript.earlier > 0
  })
  useEffect(() => {
    if (near && more) transcripts.wantWhole(conversationId)
  }, [near, more, transcripts, conversationId])
}

/** Whether the chat has been painted: what nobody sees at once waits until then, and gives way to what the person does. */
function usePainted(conversationId: string): boolean {
  const [painted, setPainted] = useState<string>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(conversationId)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [conversationId])
  return painted === conversationId
}

export const MessageList = memo(function MessageList(props: MessageListProps) {
  if (props.ids.length === 0) return null
  return props.ids.length > plainUpTo ? <LongList {...props} /> : <PlainList {...props} />
})

/** Before it is laid out, the window's. */
const seenHeight = (box: RefObject<HTMLDivElement | null>): number => box.current?.clientHeight || window.innerHeight

/** As it is now: nothing is drawn again because of it. */
function heightOf({ store }: Transcripts, conversationId: string, id: string | undefined): number {
  const transcript = store.getState().byConversation[conversationId]
  return expectedHeight(transcript?.kind === 'ready' && id !== undefined ? transcript.messages[id] : undefined)
}

function PlainList({ conversationId, ids, box, found }: MessageListProps) {
  useEarlier(conversationId, 0)
  const practice = usePracticeAnswer(conversationId)
  const marked = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found === undefined) return
    return afterLayout(() => marked.current?.scrollIntoView({ block: 'center' }))
  }, [found])
  const { transcripts } = useStores()
  const whole = usePainted(conversationId) || found !== undefined
  const heights = whole ? [] : ids.map((id) => heightOf(transcripts, conversationId, id))
  const shown = whole ? ids : ids.slice(firstToFill(heights, seenHeight(box)))
  return shown.map((id) => {
    const view = <MessageView key={id} conversationId={conversationId} messageId={id} practice={id === practice} last={id === ids.at(-1)} />
    return id === found ? (
      <div key={id} ref={marked} className="found-message">
        {view}
      </div>
    ) : (
      view
    )
  })
}

/** After the list was put at its end, as any list is that opens. Returns its undo. */
function afterLayout(scroll: () => void): () => void {
  const frame = requestAnimationFrame(scroll)
  return () => cancelAnimationFrame(frame)
}

function LongList({ conversationId, ids, box, found }: MessageListProps) {
  const practice = usePracticeAnswer(conversationId)
  const { transcripts } = useStores()
  const painted = usePainted(conversationId)
  const expected = (index: number): number => heightOf(transcripts, conversationId, ids[index])
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: expected,
    getItemKey: (index) => ids[index] ?? index,
    overscan: painted ? beyond : firstBeyond,
    gap,
    anchorTo: 'end',
    initialOffset: () => ids.reduce((sum, _id, index) => sum + expected(index) + gap, -seenHeight(box)),
  })
  useEarlier(conversationId, virtualizer.getVirtualItems()[0]?.index ?? keptAbove)
  const at = found === undefined ? -1 : ids.indexOf(found)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message found, wherever it may move
  useEffect(() => {
    if (at < 0) return
    return afterLayout(() => virtualizer.scrollToIndex(at, { align: 'center' }))
  }, [found])
  return (
    <div className="virtual" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const id = ids[item.index]
        if (id === undefined) return null
        return (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className={cx('virtual-item', id === found && 'found-message')}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <MessageView conversationId={conversationId} messageId={id} practice={id === practice} last={id === ids.at(-1)} />
          </div>
        )
      })}
    </div>
  )
}
