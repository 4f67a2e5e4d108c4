// Messages one below the other in lines of one height, virtualised. One is chosen at a time, by a press or with the arrow keys. The
// list follows the end until the person chooses a message or scrolls up.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { WireMessage } from '#app/server/wire-message.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { visibleTextOf } from '#renderer/ui/visible-text.tsx'
import { answerTo, exactTime, type Followers, headOf, wireKindLabels } from './message-rows.ts'

const rowHeight = 26

interface MessageListProps {
  readonly label: string
  readonly messages: readonly WireMessage[]
  readonly followers: Followers
  readonly chosen: number | undefined
  readonly onChoose: (seq: number) => void
  readonly follow: boolean
  readonly onFollow: (follow: boolean) => void
}

export function WireMessageList({ label, messages, followers, chosen, onChoose, follow, onFollow }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null)
  const top = useRef<number>(0)
  const id = useId()
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => messages[index]?.seq ?? index,
    overscan: 10,
  })
  const at = messages.findIndex(({ seq }) => seq === chosen)
  const last = messages.at(-1)?.seq

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last one is the reason to scroll.
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follow, last])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only choosing another scrolls, not the messages that come.
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at)
  }, [chosen])

  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight * 10) / rowHeight) - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at === -1 ? messages.length - 1 : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: messages.length - 1,
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = steps[event.key]
    const next = to === undefined ? undefined : messages[Math.min(Math.max(to, 0), messages.length - 1)]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onChoose(next.seq)
  }
  const onScroll = (element: HTMLElement): void => {
    const up = element.scrollTop < top.current - 2
    top.current = element.scrollTop
    const away = element.scrollHeight - element.scrollTop - element.clientHeight >= rowHeight
    if (away && up) onFollow(false)
  }

  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      {...(at === -1 ? {} : { 'aria-activedescendant': `${id}-${chosen}` })}
      className="message-box"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => onScroll(currentTarget)}
    >
      <div className="virtual" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const message = messages[item.index]
          if (!message) return null
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the list box's.
            <div
              key={item.key}
              id={`${id}-${message.seq}`}
              role="option"
              tabIndex={-1}
              aria-selected={message.seq === chosen}
              aria-setsize={messages.length}
              aria-posinset={item.index + 1}
              className={cx('message-row virtual-item', message.kind, message.direction, message.seq === chosen && 'current')}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              onClick={() => onChoose(message.seq)}
            >
              <MessageRow message={message} answer={answerTo(followers, message)} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function MessageRow({ message, answer }: { readonly message: WireMessage; readonly answer: WireMessage | undefined }) {
  const { time, direction, kind, id, ms, size } = message
  const took = kind === 'request' ? answer?.ms : ms
  return (
    <>
      <span className="message-time num">{exactTime(time)}</span>
      <span className="message-way" aria-hidden="true">
        {direction === 'sent' ? '→' : '←'}
      </span>
      <span className="message-head cut">
        <span className="sr">{direction === 'sent' ? t`sent` : t`received`} </span>
        {visibleTextOf(headOf(message))}
        <span className="message-kind">{kind === 'http' || kind === 'notification' ? '' : ` ${wireKindLabels[kind]}`}</span>
      </span>
      <span className="message-id num cut">{id === undefined ? '' : `#${visibleTextOf(String(id))}`}</span>
      <span className="message-took num">{took === undefined ? '' : formatDuration(took)}</span>
      <span className="message-size num">{size === 0 ? '' : formatBytes(size)}</span>
    </>
  )
}
