// The messages of a conversation. A long one is virtualised: only what is near the window is in the page.
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject } from 'react'
import { useTranscripts } from '#renderer/stores/react.tsx'
import { MessageView } from './message-view.tsx'

const plainUpTo = 60

interface MessageListProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  readonly box: RefObject<HTMLDivElement | null>
}

/** The first answer in the conversation, when the practice model gave it. */
function usePracticeAnswer(conversationId: string): string | undefined {
  return useTranscripts((state) => {
    const transcript = state.byConversation[conversationId]
    if (transcript?.kind !== 'ready') return undefined
    for (const id of transcript.ids) {
      const message = transcript.messages[id]
      if (message?.role === 'assistant') return message.model.startsWith('practice/') ? id : undefined
    }
    return undefined
  })
}

export const MessageList = memo(function MessageList(props: MessageListProps) {
  return props.ids.length > plainUpTo ? <LongList {...props} /> : <PlainList {...props} />
})

function PlainList({ conversationId, ids }: MessageListProps) {
  const practice = usePracticeAnswer(conversationId)
  return ids.map((id) => (
    <MessageView key={id} conversationId={conversationId} messageId={id} practice={id === practice} last={id === ids.at(-1)} />
  ))
}

function LongList({ conversationId, ids, box }: MessageListProps) {
  const practice = usePracticeAnswer(conversationId)
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: () => 140,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 8,
    gap: 14,
    anchorTo: 'end',
    initialOffset: () => ids.length * 154,
  })
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
            className="virtual-item"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <MessageView conversationId={conversationId} messageId={id} practice={id === practice} last={id === ids.at(-1)} />
          </div>
        )
      })}
    </div>
  )
}
