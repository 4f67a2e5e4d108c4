// The messages of a conversation. A long one is virtualised: only what is near the window is in the page.
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { useStores, useTranscripts } from '#renderer/stores/react.tsx'
import type { Transcripts } from '#renderer/stores/transcripts.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { expectedHeight, firstToFill } from './expected-height.ts'
import { MessageView } from './message-view.tsx'

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
