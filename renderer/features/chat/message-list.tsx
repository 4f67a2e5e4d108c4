// The messages of a conversation, each with its answer's parts. A long list is virtualised.
import { Fragment, memo, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import type { AssistantMessage, AssistantPart, Citation, Message, ToolCall } from '#app/chat/message.ts'
import { formatWait } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConversation, useStores, useTranscript } from '#renderer/stores/store-hooks.tsx'
import type { Transcripts } from '#renderer/stores/transcripts.ts'
import { Badge, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { useScaledRows, useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { LongVisibleText, VisibleText } from '#renderer/ui/visible-text.tsx'
import { WithArtifacts } from './artifacts/artifact-card.tsx'
import { CallGroup } from './calls/call-group.tsx'
import { SummaryView } from './context/summary-view.tsx'
import { ExternalLink } from './markdown/external-link.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { AnswerFoot, UserMessageView } from './messages/user-message.tsx'
import { BlobView } from './results/blob-view.tsx'

type PartGroup =
  | { readonly kind: 'text' | 'thinking' | 'image'; readonly index: number; readonly part: ShownPart }
  | { readonly kind: 'calls'; readonly index: number; readonly calls: readonly ToolCall[] }

/** Groups the parts of an answer in order, without empty text. */
export function groupParts(parts: readonly AssistantPart[]): readonly PartGroup[] {
  const groups: PartGroup[] = []
  parts.forEach((part, index) => {
    const last = groups.at(-1)
    if (part.kind !== 'tool-call') {
      if (part.kind !== 'text' || part.text.trim() !== '') groups.push({ kind: part.kind, index, part })
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

/** Says why the model has not answered and when it is asked again. `reason`: an error code; an unknown one gets a general text. */
export function retryLabel({ at, reason }: { readonly at: number; readonly reason: string }, now: number): string {
  const why = reasons[reason] ?? t`The model did not answer`
  return at > now ? t`${why}, tries again in ${formatWait(at - now)}` : t`${why}, trying again`
}

export function WorkingLine({ conversationId }: { readonly conversationId: string }) {
  const retry = useConversation(conversationId, ({ activity }) => (activity.kind === 'working' ? activity.retry : undefined))
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

/** Passages and pages that an answer cites; equal ones once. */
function CitedSources({ citations }: { readonly citations: readonly Citation[] }) {
  const sources = [...new Map(citations.map((one) => [keyOf(one), one])).values()]
  return (
    <details className="thinking">
      <summary>{t`${sources.length} {source|sources}`}</summary>
      <ol className="thinking-text">
        {sources.map((one) => (
          <li key={keyOf(one)}>
            <SourceName {...one} />
            {one.pages && <span className="dim">, {pagesLabel(one.pages)}</span>}
            {one.quote.trim() !== '' && (
              <>
                : “<VisibleText text={one.quote.trim()} />”
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Title of a source; of a page its address too, as a link that first shows where it leads. */
function SourceName({ title, url }: Pick<Citation, 'title' | 'url'>) {
  if (url === undefined) return <VisibleText text={title ?? t`Untitled`} />
  return (
    <>
      {title !== undefined && (
        <>
          <VisibleText text={title} />,{' '}
        </>
      )}
      <ExternalLink target={url}>
        <VisibleText className="dim" text={url} />
      </ExternalLink>
    </>
  )
}

const keyOf = ({ title, url, pages, quote }: Citation): string => JSON.stringify([title, url, pages, quote])

const pagesLabel = ([first, last]: readonly [number, number]): string => (first === last ? t`page ${first}` : t`pages ${first}–${last}`)

interface MessageViewProps {
  readonly conversationId: string
  readonly messageId: string
  /** Whether it is the first answer of the practice model, which gets a note above it. */
  readonly practice: boolean
  readonly last: boolean
  /** One of two answers beside each other, which have a foot of their own. */
  readonly compared?: 'shown' | 'beside'
}

/** Selects only its own message, so that text that streams into another renders nothing here. */
export const MessageView = memo(function MessageView({ conversationId, messageId, practice, last, compared }: MessageViewProps) {
  const message = useTranscript(conversationId, ({ messages }) => messages[messageId])
  if (!message) return null
  if (message.role === 'user') return <UserMessageView message={message} last={last} />
  if (message.role === 'summary') return <SummaryView message={message} />
  return <Answer message={message} practice={practice} last={last} compared={compared} />
})

type AnswerProps = Pick<MessageViewProps, 'practice' | 'last'> & {
  readonly message: AssistantMessage
  readonly compared: MessageViewProps['compared']
}

function Answer({ message, practice, last, compared }: AnswerProps) {
  const actions = useActions()
  const groups = useMemo(() => groupParts(message.parts), [message.parts])
  const streaming = message.state === 'streaming'
  const lastIndex = message.parts.length - 1
  return (
    <article className="answer" aria-label={t`Answer`} data-message={message.id}>
      {practice && (
        <p className="row help">
          {t`Practice model`} <Badge>{t`not an AI`}</Badge>
        </p>
      )}
      {groups.map((group) => {
        if (group.kind === 'calls') return <CallGroup key={group.index} conversationId={message.conversationId} calls={group.calls} />
        const { part, index } = group
        const growing = streaming && index === lastIndex
        if (part.kind === 'image') return <BlobView key={index} blob={part.blob} name={t`image`} what={t`Image`} />
        if (part.kind === 'thinking') return <Thinking key={index} part={part} growing={growing} />
        return (
          <Fragment key={index}>
            <WithArtifacts conversationId={message.conversationId} messageId={message.id} part={index}>
              <Markdown text={part.text} streaming={growing} />
            </WithArtifacts>
            {part.citations && <CitedSources citations={part.citations} />}
          </Fragment>
        )
      })}
      {streaming && groups.length === 0 && <WorkingLine conversationId={message.conversationId} />}
      {message.error && (
        <ErrorNotice
          error={message.error}
          onRetry={last ? () => actions.resume(message.conversationId, compared === 'beside') : undefined}
        />
      )}
      {message.cut === 'max-tokens' && <p className="help warntext">{t`Cut at the length limit. Ask it to continue.`}</p>}
      {message.state === 'stopped' && <p className="help">{t`You stopped it.`}</p>}
      {message.state === 'interrupted' && <p className="help warntext">{t`The answer broke off.`}</p>}
      {!(streaming || compared) && <AnswerFoot conversationId={message.conversationId} messageId={message.id} last={last} />}
    </article>
  )
}

type ShownPart = Exclude<AssistantPart, { kind: 'tool-call' }>
type ThinkingPart = Extract<AssistantPart, { kind: 'thinking' }>

function Thinking({ part: { text }, growing }: { readonly part: ThinkingPart; readonly growing: boolean }) {
  if (text.trim() === '') return null
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

/** Expected heights in pixels: a line of text, the space around a message, a closed row. */
const line = 22
const around = 48
const closedRow = 40
/** Expected characters a line; headings, lists and tables leave lines of answers half empty. */
const answerLine = 60
const questionLine = 80

const linesOf = (text: string, characters: number): number => Math.ceil(text.length / characters) * line

/** Expected height of a message in pixels, by its length; it is measured once it is drawn. */
export function expectedHeight(message: Message | undefined): number {
  if (message?.role === 'user') return around + linesOf(message.text, questionLine)
  if (message?.role !== 'assistant') return around
  return message.parts.reduce((sum, part) => sum + (part.kind === 'text' ? linesOf(part.text, answerLine) : closedRow), around)
}

/** Index of the first message that is needed to fill a window of that height in pixels, with half of it to spare. */
export function firstToFill(heights: readonly number[], height: number): number {
  let room = height * 1.5
  for (let index = heights.length - 1; index > 0; index--) {
    room -= heights[index] ?? 0
    if (room <= 0) return index
  }
  return 0
}

const plainUpTo = 60

/** Messages drawn on each side of the window in a long chat, before the first paint and after it. */
const firstBeyond = 1
const beyond = 4
const gap = 14

interface MessageListProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  readonly box: RefObject<HTMLDivElement | null>
  /** Message of a search, scrolled to the centre and marked. */
  readonly found: string | undefined
  /** Message that the find bar shows. */
  readonly sought: string | undefined
}

function usePracticeAnswer(conversationId: string): string | undefined {
  return useTranscript(conversationId, ({ earlier, ids, messages }) => {
    const first = earlier > 0 ? undefined : ids.find((id) => messages[id]?.role === 'assistant')
    const message = messages[first ?? '']
    return message?.role === 'assistant' && message.model.startsWith('practice/') ? first : undefined
  })
}

/** Fetched messages that are kept above the window; with fewer, earlier ones are fetched. */
const keptAbove = 30

/** Fetches the beginning of a chat once the person comes near it. `first`: index of the first drawn message. */
function useEarlier(conversationId: string, first: number): void {
  const { transcripts } = useStores()
  const near = first < keptAbove
  const more = useTranscript(conversationId, ({ earlier }) => earlier > 0)
  useEffect(() => {
    if (near && more) transcripts.wantWhole(conversationId)
  }, [near, more, transcripts, conversationId])
}

/** Whether the chat was painted; what is out of sight is drawn only then, and gives way to input. */
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

/** Height of the box in pixels; of the window before the box is laid out. */
const boxHeight = (box: RefObject<HTMLDivElement | null>): number => box.current?.clientHeight || window.innerHeight

/** Reads the expected height of a message without a subscription: its changes draw nothing again. */
const heightOf = (transcripts: Transcripts, conversationId: string, id = ''): number =>
  expectedHeight(transcripts.ready(conversationId)?.messages[id])

function PlainList({ conversationId, ids, box, found }: MessageListProps) {
  useEarlier(conversationId, 0)
  const practice = usePracticeAnswer(conversationId)
  const marked = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found === undefined) return
    return afterLayout(() => marked.current?.scrollIntoView({ block: 'center' }))
  }, [found])
  const { transcripts } = useStores()
  const scale = useTextScale()
  const whole = usePainted(conversationId) || found !== undefined
  const heights = whole ? [] : ids.map((id) => heightOf(transcripts, conversationId, id))
  const shown = whole ? ids : ids.slice(firstToFill(heights, boxHeight(box) / scale))
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

/** Scrolls after the opening list was put at its end. Returns its undo. */
function afterLayout(scroll: () => void): () => void {
  const frame = requestAnimationFrame(scroll)
  return () => cancelAnimationFrame(frame)
}

function LongList({ conversationId, ids, box, found, sought }: MessageListProps) {
  const practice = usePracticeAnswer(conversationId)
  const { transcripts } = useStores()
  const painted = usePainted(conversationId)
  const expected = (index: number): number => heightOf(transcripts, conversationId, ids[index])
  const scale = useTextScale()
  const virtualizer = useScaledRows({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: expected,
    getItemKey: (index) => ids[index] ?? index,
    overscan: painted ? beyond : firstBeyond,
    gap,
    anchorTo: 'end',
    initialOffset: () => ids.reduce((sum, _id, index) => sum + expected(index) * scale + gap, -boxHeight(box)),
  })
  useEarlier(conversationId, virtualizer.getVirtualItems()[0]?.index ?? keptAbove)
  const goal = sought ?? found
  const at = goal === undefined ? -1 : ids.indexOf(goal)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message found, wherever it may move
  useEffect(() => {
    // What is drawn is in the reach of the find bar itself.
    if (at < 0 || (sought !== undefined && box.current?.querySelector(`[data-message="${CSS.escape(sought)}"]`))) return
    return afterLayout(() => virtualizer.scrollToIndex(at, { align: 'center' }))
  }, [goal])
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
