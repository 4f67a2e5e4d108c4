// biome-ignore-all lint/a11y/useFocusableInteractive: what has the focus is the link or button in a cell
// biome-ignore-all lint/a11y/useSemanticElements: a table lays itself out, and cannot leave out the rows that are out of sight
// The sidebar's chats. What can be done to them stands in one menu for all rows. The rows as a grid that arrows walk through;
// Tab goes to one of them. A long one is virtualised. What a key means on a row of the sidebar's chats, and what it does there.

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentProps, type CSSProperties, type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { MoveDialog } from '#renderer/features/chat/organize/move-dialog.tsx'
import { type ChatChanges, useChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import { type ChatRow, canHaveFocus, chatRows, chatsBetween, rowAfterKey, rowAfterRemoval } from '#renderer/features/history/chat-rows.ts'
import { focusSoon } from '#renderer/navigation/focus.ts'
import { useActions, useConsent, useConversations, useShallow } from '#renderer/stores/store-hooks.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ChatMenu, FolderMenu, type MenuPosition } from './chat-menu.tsx'
import { ChatListRow, type RowEvents } from './chat-row.tsx'
import { dragChats, type Selection, useChatDrop, useSelection } from './drag.ts'
import './chat-list.css'

interface Key {
  readonly key: string
  readonly shiftKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

type GridAction =
  | { readonly kind: 'move'; readonly key: 'ArrowDown' | 'ArrowUp' | 'Home' | 'End'; readonly extend: boolean }
  | { readonly kind: 'clear' | 'toggle' | 'rename' | 'delete' | 'delete-folder' | 'menu' | 'fold' | 'to-button' | 'to-row' }

/** `inButton`: the focus is on the row's own button. Undefined: the key is not the list's. */
function gridAction(key: Key, row: ChatRow, inButton: boolean, anyChosen: boolean): GridAction | undefined {
  if (key.altKey) return undefined
  const folder = row.kind === 'folder' ? row.folder : undefined
  switch (key.key) {
    case 'ArrowDown':
    case 'ArrowUp':
    case 'Home':
    case 'End':
      return { kind: 'move', key: key.key, extend: key.shiftKey }
    case 'ArrowRight':
    case 'ArrowLeft': {
      const right = key.key === 'ArrowRight'
      if (folder && !inButton && (folder.closed ?? false) === right) return { kind: 'fold' }
      return { kind: right ? 'to-button' : 'to-row' }
    }
    case 'Escape':
      return anyChosen ? { kind: 'clear' } : undefined
    case ' ':
      return folder || inButton ? undefined : { kind: 'toggle' }
    case 'F2':
      return folder ? undefined : { kind: 'rename' }
    case 'Backspace':
      return key.metaKey ? { kind: folder ? 'delete-folder' : 'delete' } : undefined
    case 'Delete':
      return { kind: folder ? 'delete-folder' : 'delete' }
    case 'ContextMenu':
      return { kind: 'menu' }
    case 'F10':
      return key.shiftKey ? { kind: 'menu' } : undefined
    default:
      return undefined
  }
}

/** The grid as its keys act on it. */
interface GridControls {
  readonly rows: readonly ChatRow[]
  /** Index of the row that the arrows stand at. */
  readonly active: number
  readonly selection: Selection
  readonly changes: ChatChanges
  readonly between: (from: string, to: string) => readonly string[]
  readonly focusRow: (key: string) => void
  /** The element of a row that `selector` names. */
  readonly find: (key: string, selector: string) => HTMLElement | null
  readonly setRenaming: (key: string | undefined) => void
  readonly setMenu: (menu: Pick<MenuPosition, 'anchor'> & { readonly key: string }) => void
}

function runGridAction(action: GridAction, row: ChatRow, grid: GridControls): void {
  const { selection, changes, find } = grid
  switch (action.kind) {
    case 'move':
      moveTo(action.key, row, action.extend, grid)
      break
    case 'clear':
      selection.clear()
      break
    case 'toggle':
      selection.toggle(row.key)
      break
    case 'rename':
      grid.setRenaming(row.key)
      break
    case 'delete':
      removeChats(row.key, grid)
      break
    case 'delete-folder':
      if (row.kind === 'folder') void changes.removeFolder(row.folder.id, row.folder.name)
      break
    case 'menu':
      grid.setMenu({ key: row.key, anchor: find(row.key, '[aria-haspopup]') })
      break
    case 'fold':
      find(row.key, '[data-main]')?.click()
      break
    case 'to-button':
      find(row.key, '[aria-haspopup]')?.focus()
      break
    case 'to-row':
      find(row.key, '[data-main]')?.focus()
      break
  }
}

function moveTo(key: string, row: ChatRow, extend: boolean, { rows, active, selection, between, focusRow }: GridControls): void {
  const next = rows[rowAfterKey(rows, active, key)]
  if (!next) return
  if (extend) selection.extend(next.key, row.key, between)
  focusRow(next.key)
}

/** Deletes the chat, or all chosen ones where it is one of them; a row that stays takes the focus. */
function removeChats(id: string, { rows, active, selection, changes, focusRow }: GridControls): void {
  const gone = new Set(selection.meant(id))
  const left = rowAfterRemoval(rows, active, gone)
  selection.clear()
  if (left) focusRow(left.key)
  void changes.change([...gone], { kind: 'delete' })
}

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
    focusSoon(() => {
      const main = find(key, '[data-main]')
      main?.scrollIntoView({ block: 'nearest' })
      main?.focus({ preventScroll: true })
      return main !== null && document.activeElement === main
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active]
    if (!row || renaming !== undefined || event.defaultPrevented) return
    const inButton = (event.target as Element).closest('[aria-haspopup]') !== null
    const action = gridAction(event, row, inButton, selection.chosen.size > 0)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    runGridAction(action, row, { rows, active, selection, changes, between, focusRow, find, setRenaming, setMenu })
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
    if (menu) focusSoon(() => focusUnlessElsewhere(find(menu.key, '[data-main]')), 2)
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
          chats={selection.meant(menuRow.key).flatMap((id) => list.find((one) => one.id === id) ?? [])}
          changes={changes}
          onRename={setRenaming}
          onMove={onMove}
        />
      )}
    </>
  )
}

/** The rows in the page: all of a short list; of a long one those in sight, which `virtualizer` places. */
function useDrawnRows(rows: readonly ChatRow[]) {
  const box = useRef<HTMLDivElement>(null)
  const isLong = rows.length > plainUpTo
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: isLong,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  })
  return {
    box,
    virtualizer: isLong ? virtualizer : undefined,
    /** The element of a row that `selector` names; null where the row is not drawn. */
    find: (key: string, selector: string): HTMLElement | null =>
      box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] ${selector}`) ?? null,
    scrollTo(key: string): void {
      if (isLong) virtualizer.scrollToIndex(indexOfKey(rows, key))
    },
  }
}

interface RowEventState extends Pick<GridControls, 'selection' | 'between' | 'focusRow'> {
  readonly currentId: string | undefined
}

interface RowEventSetters extends Pick<GridControls, 'setMenu' | 'setRenaming'> {
  readonly setActiveKey: (key: string) => void
}

/** Events of the rows: the same functions for as long as it is there, so that only rows that changed are rendered. */
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
      onDrag: (event, key) => dragChats(event, latest.current.selection.meant(key)),
    }),
    [go, setActiveKey, setMenu, setRenaming],
  )
}

interface GridRowProps extends ComponentProps<typeof ChatListRow> {
  readonly index: number
  /** Set where the row is placed by the virtualizer. */
  readonly style: CSSProperties | undefined
  readonly chosen: boolean
  /** True while what is dragged would go here. */
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

/** Where the pointer was; the keyboard's own event comes from the middle of nowhere, so it gets the row. */
function pointOf(event: MouseEvent): MenuPosition['anchor'] {
  if (event.clientX === 0 && event.clientY === 0) return event.currentTarget
  const rect = DOMRect.fromRect({ x: event.clientX, y: event.clientY })
  return { getBoundingClientRect: () => rect }
}

/** What was chosen in the menu may have taken it: a field for the new name, a dialog. */
function focusUnlessElsewhere(element: HTMLElement | null): boolean {
  const at = document.activeElement
  if (at === null || at === document.body || at.closest('.menu-list')) element?.focus()
  return element !== null && document.activeElement === element
}

export function ChatList({ currentId }: { readonly currentId: string | undefined }) {
  const known = useConversations(useShallow(({ list, shelves, folders }) => ({ list, shelves, folders })))
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
        <p className="none">{t`Your chats will be listed here.`}</p>
      </div>
    )
  }
  return (
    <>
      <ChatGrid rows={rows} currentId={currentId} changes={changes} onMove={setMoving} />
      {moving && (
        <MoveDialog
          count={moving.length}
          from={folders.size === 1 ? from : undefined}
          onMove={(folderId) => void changes.change(moving, { kind: 'move', folderId })}
          onClose={() => setMoving(undefined)}
        />
      )}
    </>
  )
}
