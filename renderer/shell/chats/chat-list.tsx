// biome-ignore-all lint/a11y/useFocusableInteractive: what has the focus is the link or button in a cell
// biome-ignore-all lint/a11y/useSemanticElements: a table lays itself out, and cannot leave out the rows that are out of sight
// The sidebar's chats: a grid, virtualised if long, whose rows the arrow keys walk through. Tab reaches one row only.
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { t } from '#app/i18n/translate.ts'
import { MoveDialog } from '#renderer/features/chat/organize/move-dialog.tsx'
import { type ChatChanges, useChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import { type ChatRow, canHaveFocus, chatRows, chatsBetween, rowAfterKey, rowAfterRemoval } from '#renderer/features/history/chat-rows.ts'
import { focusSoon, takeFocus } from '#renderer/navigation/focus.ts'
import { useActions, useConsent, useConversations, useShallow } from '#renderer/stores/store-hooks.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ChatMenu, FolderMenu, type MenuPosition } from './chat-menu.tsx'
import { ChatListRow, type RowEvents } from './chat-row.tsx'
import { dragChats, type Selection, useChatDrop, useSelection } from './drag.ts'
import './chat-list.css'
import { useScaledRows } from '#renderer/ui/lib/use-visible-rows.ts'

interface GridControls {
  readonly rows: readonly ChatRow[]
  /** Index of the row that the arrows stand at. */
  readonly active: number
  readonly selection: Selection
  readonly changes: ChatChanges
  readonly between: (from: string, to: string) => readonly string[]
  readonly focusRow: (key: string) => void
  /** Returns the element of a row that `selector` names; null where the row is not drawn. */
  readonly find: (key: string, selector: string) => HTMLElement | null
  readonly setRenaming: (key: string | undefined) => void
  readonly setMenu: (menu: OpenMenu) => void
}

const rowButton = '[aria-haspopup]'
const rowLink = '[data-main]'

/** Returns what a key does to the active row; undefined: the key is not the grid's. `inButton`: the row's own button has the focus. */
function gridAction(event: KeyboardEvent, row: ChatRow, inButton: boolean, grid: GridControls): (() => void) | undefined {
  const { selection, changes, find } = grid
  const { key } = row
  const folder = row.kind === 'folder' ? row.folder : undefined
  const focus = (selector: string) => () => find(key, selector)?.focus()
  const remove = () => (folder ? void changes.removeFolder(folder.id, folder.name) : removeChats(key, grid))
  const openMenu = () => grid.setMenu({ key, anchor: find(key, rowButton) })
  if (event.altKey) return undefined
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
    case 'Home':
    case 'End': {
      const next = grid.rows[rowAfterKey(grid.rows, grid.active, event.key)]
      return () => {
        if (!next) return
        if (event.shiftKey) selection.extend(next.key, key, grid.between)
        grid.focusRow(next.key)
      }
    }
    case 'ArrowRight':
    case 'ArrowLeft': {
      const right = event.key === 'ArrowRight'
      if (folder && !inButton && (folder.closed ?? false) === right) return () => find(key, rowLink)?.click()
      return focus(right ? rowButton : rowLink)
    }
    case 'Escape':
      return selection.chosen.size > 0 ? selection.clear : undefined
    case ' ':
      return folder || inButton ? undefined : () => selection.toggle(key)
    case 'F2':
      return folder ? undefined : () => grid.setRenaming(key)
    case 'Backspace':
      return event.metaKey ? remove : undefined
    case 'Delete':
      return remove
    case 'ContextMenu':
      return openMenu
    case 'F10':
      return event.shiftKey ? openMenu : undefined
    default:
      return undefined
  }
}

/** Deletes the chat, or all selected ones where it is one of them; a remaining row takes the focus. */
function removeChats(id: string, { rows, active, selection, changes, focusRow }: GridControls): void {
  const removed = new Set(selection.targetsOf(id))
  const next = rowAfterRemoval(rows, active, removed)
  selection.clear()
  if (next) focusRow(next.key)
  void changes.change([...removed], { kind: 'delete' })
}

/** Lists of up to so many rows are drawn whole. */
const plainUpTo = 80
const heightOf = (row: ChatRow | undefined): number => (row?.kind === 'heading' ? 40 : 28)
const indexOfKey = (rows: readonly ChatRow[], key: string | undefined): number => rows.findIndex((row) => row.key === key)

interface ChatGridProps {
  readonly rows: readonly ChatRow[]
  readonly currentId: string | undefined
  readonly changes: ChatChanges
  readonly onMove: (ids: readonly string[]) => void
}

/** The row whose menu is open, and where the menu stands. */
type OpenMenu = Pick<MenuPosition, 'anchor'> & { readonly key: string }

function ChatGrid({ rows, currentId, changes, onMove }: ChatGridProps) {
  const { box, virtualizer, find, scrollTo } = useDrawnRows(rows)
  const selection = useSelection()
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  const [renaming, setRenaming] = useState<string | undefined>(undefined)
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined)
  const waiting = useConsent(useShallow((state) => state.requests.flatMap(({ conversationId }) => conversationId ?? [])))
  const list = useConversations((state) => state.list)

  const active = [activeKey, currentId].map((key) => indexOfKey(rows, key)).find((index) => index >= 0) ?? rows.findIndex(canHaveFocus)
  const between = (from: string, to: string): readonly string[] => chatsBetween(rows, indexOfKey(rows, from), indexOfKey(rows, to))
  const focusRow = (key: string): void => {
    setActiveKey(key)
    scrollTo(key)
    focusSoon(() => takeFocus(find(key, rowLink), 'nearest'))
  }
  // The chat on the page is in sight, also one that has just begun.
  const isListed = indexOfKey(rows, currentId) >= 0
  const reveal = useEffectEvent(() => {
    if (currentId !== undefined) scrollTo(currentId)
  })
  useEffect(() => {
    if (isListed && currentId !== undefined) reveal()
  }, [isListed, currentId])
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active]
    if (!row || renaming !== undefined || event.defaultPrevented) return
    const inButton = (event.target as Element).closest(rowButton) !== null
    const act = gridAction(event, row, inButton, { rows, active, selection, changes, between, focusRow, find, setRenaming, setMenu })
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const events = useRowEvents({ selection, between, currentId, focusRow }, { setActiveKey, setMenu, setRenaming })
  const { over, ...drop } = useChatDrop(rows, selection, changes)

  const waits = (row: ChatRow): boolean =>
    row.kind === 'folder' ? list.some(({ id, folderId }) => folderId === row.folder.id && waiting.includes(id)) : waiting.includes(row.key)
  const rowAt = (index: number, style?: CSSProperties): React.ReactNode => {
    const row = rows[index]
    if (!row) return null
    return (
      <GridRow
        key={row.key}
        row={row}
        index={index}
        style={style}
        chosen={selection.chosen.has(row.key)}
        over={over === row.key}
        events={events}
        current={row.key === currentId}
        active={index === active}
        renaming={row.key === renaming}
        waits={waits(row)}
        menuOpen={row.key === menu?.key}
      />
    )
  }
  const closeMenu = (): void => {
    setMenu(undefined)
    if (menu) focusSoon(() => focusUnlessElsewhere(find(menu.key, rowLink)), 2)
  }
  const place = menu && { anchor: menu.anchor, onClosed: closeMenu }
  const menuRow = rows[indexOfKey(rows, menu?.key)]
  return (
    <>
      <div
        ref={box}
        role="grid"
        aria-label={t`Chats`}
        aria-multiselectable
        aria-rowcount={rows.length}
        className="list"
        onKeyDown={onKeyDown}
        {...drop}
      >
        {virtualizer ? (
          <div role="rowgroup" className="virtual" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map((item) => rowAt(item.index, { transform: `translateY(${item.start}px)` }))}
          </div>
        ) : (
          rows.map((_, index) => rowAt(index))
        )}
      </div>
      {place && menuRow?.kind === 'folder' && <FolderMenu {...place} folder={menuRow.folder} changes={changes} />}
      {place && menuRow?.kind === 'chat' && (
        <ChatMenu
          {...place}
          chats={selection.targetsOf(menuRow.key).flatMap((id) => list.find((one) => one.id === id) ?? [])}
          changes={changes}
          onRename={setRenaming}
          onMove={onMove}
        />
      )}
    </>
  )
}

/** Draws all rows of a short list; of a long one those in sight, which `virtualizer` places. */
function useDrawnRows(rows: readonly ChatRow[]) {
  const box = useRef<HTMLDivElement>(null)
  const isLong = rows.length > plainUpTo
  const virtualizer = useScaledRows({
    count: rows.length,
    enabled: isLong,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  })
  const find = (key: string, selector: string): HTMLElement | null =>
    box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] ${selector}`) ?? null
  return {
    box,
    virtualizer: isLong ? virtualizer : undefined,
    find,
    scrollTo(key: string): void {
      if (isLong) virtualizer.scrollToIndex(indexOfKey(rows, key))
      else find(key, rowLink)?.scrollIntoView?.({ block: 'nearest' })
    },
  }
}

type RowEventState = Pick<GridControls, 'selection' | 'between' | 'focusRow'> & { readonly currentId: string | undefined }
type RowEventSetters = Pick<GridControls, 'setMenu' | 'setRenaming'> & { readonly setActiveKey: (key: string) => void }

/** Returns the same event handlers at every render, so that only rows that changed are rendered. */
function useRowEvents(state: RowEventState, { setActiveKey, setMenu, setRenaming }: RowEventSetters): RowEvents {
  const { go } = useActions()
  const latest = useRef(state)
  latest.current = state
  return useMemo<RowEvents>(
    () => ({
      onClick(event, key) {
        const now = latest.current
        if (!event.shiftKey && !event.metaKey && !event.ctrlKey) {
          now.selection.start(key)
          return
        }
        event.preventDefault()
        if (event.shiftKey) now.selection.extend(key, now.currentId ?? key, now.between)
        else now.selection.toggle(key)
      },
      onMenu(event, key) {
        event.preventDefault()
        setActiveKey(key)
        setMenu({ key, anchor: event.type === 'contextmenu' ? pointOf(event) : event.currentTarget })
      },
      onFocus: setActiveKey,
      onToggle: ({ id, closed }) => go('chatFolder.setClosed', { id, closed: !closed }),
      onRenamed(key) {
        setRenaming(undefined)
        latest.current.focusRow(key)
      },
      onDrag: (event, key) => dragChats(event, latest.current.selection.targetsOf(key)),
    }),
    [go, setActiveKey, setMenu, setRenaming],
  )
}

interface GridRowProps extends ComponentProps<typeof ChatListRow> {
  readonly index: number
  readonly style: CSSProperties | undefined
  readonly chosen: boolean
  /** Whether a drop would go here. */
  readonly over: boolean
}

function GridRow({ index, style, chosen, over, ...content }: GridRowProps) {
  const { row } = content
  const inside = row.kind === 'empty' || (row.kind === 'chat' && row.inside)
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={row.kind === 'chat' ? chosen : undefined}
      data-row={row.key}
      className={cx('entry', row.kind, inside && 'inside', chosen && 'chosen', over && 'over', style && 'virtual-item')}
      style={style}
    >
      <ChatListRow {...content} />
    </div>
  )
}

/** Anchor at the pointer; a context menu that the keyboard opens has no position, so it gets the row. */
function pointOf(event: MouseEvent): MenuPosition['anchor'] {
  if (event.clientX === 0 && event.clientY === 0) return event.currentTarget
  const rect = DOMRect.fromRect({ x: event.clientX, y: event.clientY })
  return { getBoundingClientRect: () => rect }
}

/** Focuses the element unless the chosen item of the menu moved the focus, to a field for the name or to a dialog. */
function focusUnlessElsewhere(element: HTMLElement | null): boolean {
  const at = document.activeElement
  if (at === null || at === document.body || at.closest('.menu-list')) element?.focus()
  return element !== null && document.activeElement === element
}

export function ChatList({ currentId }: { readonly currentId: string | undefined }) {
  const known = useConversations(useShallow(({ list, sections, folders }) => ({ list, sections, folders })))
  const now = useNow(60_000)
  const rows = useMemo(() => chatRows(known, now), [known, now])
  const changes = useChatChanges()
  const [moving, setMoving] = useState<readonly string[] | undefined>(undefined)
  const folders = new Set(moving?.map((id) => known.list.find((one) => one.id === id)?.folderId))
  const [from] = folders
  if (rows.length === 0) {
    return (
      <div className="list">
        <h2>{t`Chats`}</h2>
        <p className="none">{t`No chats`}</p>
      </div>
    )
  }
  return (
    <>
      <ChatGrid rows={rows} currentId={currentId} changes={changes} onMove={setMoving} />
      {moving && (
        <MoveDialog
          from={folders.size === 1 ? from : undefined}
          onMove={(folderId) => void changes.change(moving, { kind: 'move', folderId })}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  )
}
