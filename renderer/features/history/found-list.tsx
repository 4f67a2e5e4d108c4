// The list itself: a row a chat, virtualised when it is long; the next piece is fetched before its end is reached.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef } from 'react'
import { t } from '#app/words/translate.ts'
import { whenWords } from '#app/words/when.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConversations, useModels } from '#renderer/stores/react.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import type { ChatTab } from './chat-view.ts'
import type { FoundChats, Listed } from './use-found-chats.ts'
import type { Picked } from './use-picked.ts'

const plainUpTo = 60
const rowHeight = 44

interface FoundListProps {
  readonly label: string
  readonly found: FoundChats
  readonly picked: Picked
  readonly tab: ChatTab
}

export function FoundList({ label, found, picked, tab }: FoundListProps) {
  const { items, more, loadMore } = found
  const box = useRef<HTMLDivElement | null>(null)
  const long = items.length > plainUpTo
  const virtualizer = useVirtualizer({
    count: items.length,
    enabled: long,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]?.conversation.id ?? index,
    overscan: 10,
  })
  const shown = virtualizer.getVirtualItems()
  const last = long ? (shown.at(-1)?.index ?? 0) : items.length
  useEffect(() => {
    if (more && last >= items.length - 20) loadMore()
  }, [more, last, items.length, loadMore])
  const rowAt = (index: number, style?: React.CSSProperties): React.ReactNode => {
    const item = items[index]
    return (
      item && (
        <li
          key={item.conversation.id}
          className={cx('chat-line', style && 'virtual-item')}
          style={style}
          aria-setsize={found.found ?? -1}
          aria-posinset={index + 1}
        >
          <ChatLine item={item} picked={picked} tab={tab} />
        </li>
      )
    )
  }
  return (
    <div ref={box} className="chat-lines">
      <ul aria-label={label} className={cx(long && 'virtual')} style={long ? { height: virtualizer.getTotalSize() } : undefined}>
        {long
          ? shown.map((item) => rowAt(item.index, { transform: `translateY(${item.start}px)` }))
          : items.map((_, index) => rowAt(index))}
      </ul>
    </div>
  )
}

function ChatLine({ item: { conversation, deletedAt }, picked, tab }: { item: Listed; picked: Picked; tab: ChatTab }) {
  const { id, title, folderId } = conversation
  const folder = useConversations((state) => state.folders.find((one) => one.id === folderId)?.name)
  const model = useModels((state) => state.models.find((one) => one.id === conversation.model)?.name) ?? conversation.model
  const pick = (event: MouseEvent<HTMLInputElement>): void => (event.shiftKey ? picked.extend(id) : picked.toggle(id))
  const on = picked.has(id)
  return (
    <>
      {/* A press with Shift must not select the text between. */}
      <label className="opt" onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
        <input type="checkbox" className="sr" checked={on} aria-label={title} onClick={pick} onChange={() => {}} />
        <span className={cx('tick', on && 'on')} aria-hidden="true">
          <Icon name="check" />
        </span>
      </label>
      {tab === 'deleted' ? (
        <span className="t" title={title}>
          {title}
        </span>
      ) : (
        <a className="t" title={title} href={hrefOf({ page: 'chat', id })}>
          {title}
        </a>
      )}
      {conversation.pinned && tab === 'chats' && <span className="badge">{t`pinned`}</span>}
      {folder !== undefined && (
        <span className="row dim wide-only cut">
          <Icon name="folder" small />
          {folder}
        </span>
      )}
      <span className="dim wide-only cut model">{model}</span>
      <time className="faint num" dateTime={new Date(deletedAt ?? conversation.updatedAt).toISOString()}>
        {whenWords(deletedAt ?? conversation.updatedAt, Date.now())}
      </time>
    </>
  )
}
