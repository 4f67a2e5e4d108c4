// biome-ignore-all lint/a11y/useFocusableInteractive: what has the focus is the link or button in a cell
// biome-ignore-all lint/a11y/useSemanticElements: a table lays itself out, and cannot leave out the rows that are out of sight
// One row of the sidebar's chats. Tab reaches only the row that the arrow keys stand at.
import { type DragEvent, type MouseEvent, memo, type ReactNode, useEffect } from 'react'
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/i18n/translate.ts'
import { RenameField } from '#renderer/features/chat/rename-field.tsx'
import type { ChatRow } from '#renderer/features/history/chat-rows.ts'
import { hrefOf } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { Dot, Icon, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'

/** Events of a row; `key` is the row's. */
export interface RowEvents {
  readonly onClick: (event: MouseEvent, key: string) => void
  readonly onMenu: (event: MouseEvent, key: string) => void
  readonly onFocus: (key: string) => void
  readonly onToggle: (folder: ChatFolder) => void
  readonly onRenamed: (key: string) => void
  readonly onDrag: (event: DragEvent, key: string) => void
}

interface ChatListRowProps {
  readonly row: ChatRow
  readonly events: RowEvents
  /** Whether the chat is open. */
  readonly current: boolean
  /** Whether Tab reaches this row. */
  readonly active: boolean
  readonly renaming: boolean
  /** Whether a request of the chat, or of one in the folder, waits for the person. */
  readonly waits: boolean
  readonly menuOpen: boolean
}

function StateMark({ conversation, waits }: { readonly conversation: Conversation; readonly waits: boolean }) {
  const { activity, unread } = conversation
  if (waits || activity.kind === 'waiting') return <Dot tone="you" label={t`waits for you`} />
  switch (activity.kind) {
    case 'working':
      return <Spinner label={t`working`} />
    case 'failed':
      return <Dot tone="bad" label={t`failed`} />
    case 'paused':
    case 'interrupted':
      return <Dot tone="off" label={activity.kind} />
    case 'idle':
      return unread ? <Dot tone="new" label={t`unread answer`} /> : null
  }
}

function MoreButton({ label, row, active, menuOpen, events }: ChatListRowProps & { readonly label: string }) {
  return (
    <button
      type="button"
      className="btn ghost icon sm"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={menuOpen}
      tabIndex={active ? 0 : -1}
      onClick={(event) => events.onMenu(event, row.key)}
    >
      <Icon name="more" small />
    </button>
  )
}

function NextPiece({ section }: { readonly section: string }) {
  const { loadSection, conversations } = useStores()
  useEffect(() => {
    loadSection(section)
    // Fetches the next piece while this row stays in sight.
    return conversations.subscribe((state, before) => {
      if (state.sections[section] !== before.sections[section]) loadSection(section)
    })
  }, [section, loadSection, conversations])
  return <span className="none">{t`Loading…`}</span>
}

export const ChatListRow = memo(function ChatListRow(props: ChatListRowProps) {
  const { row, events, current, active, renaming, waits } = props
  const cell = (main: ReactNode, more?: ReactNode): ReactNode => (
    <>
      <div role="gridcell">{main}</div>
      {more && <div role="gridcell">{more}</div>}
    </>
  )
  const main = {
    'data-main': true,
    tabIndex: active ? 0 : -1,
    onContextMenu: (event: MouseEvent) => events.onMenu(event, row.key),
    onFocus: () => events.onFocus(row.key),
  }
  switch (row.kind) {
    case 'heading':
      return (
        <div role="rowheader">
          <h2>{row.title}</h2>
        </div>
      )
    case 'empty':
      return cell(<span className="none">{row.text}</span>)
    case 'more':
      return cell(<NextPiece section={row.section} />)
    case 'folder': {
      const { folder } = row
      return cell(
        <button
          type="button"
          className="fold"
          {...main}
          aria-expanded={!folder.closed}
          title={folder.name}
          onClick={() => events.onToggle(folder)}
        >
          <Icon name={folder.closed ? 'chevron-right' : 'chevron-down'} small />
          <Icon name="folder" small />
          <span className="t">{folder.name}</span>
          {folder.closed && waits && <Dot tone="you" label={t`waits for you`} />}
        </button>,
        <MoreButton label={t`More about ${folder.name}`} {...props} />,
      )
    }
    case 'chat': {
      const { conversation } = row
      if (renaming) return cell(<RenameField conversation={conversation} onDone={() => events.onRenamed(row.key)} />)
      return cell(
        <a
          href={hrefOf({ page: 'chat', id: conversation.id })}
          {...main}
          className={cx(conversation.unread && !current && 'unread')}
          aria-current={current ? 'page' : undefined}
          title={conversation.title}
          draggable
          onDragStart={(event) => events.onDrag(event, row.key)}
          onClick={(event) => events.onClick(event, row.key)}
        >
          <span className="t">{conversation.title}</span>
          <StateMark conversation={current ? { ...conversation, unread: false } : conversation} waits={waits} />
        </a>,
        <MoreButton label={t`More about ${conversation.title}`} {...props} />,
      )
    }
  }
})
