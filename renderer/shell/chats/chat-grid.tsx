// biome-ignore-all lint/a11y/useFocusableInteractive: what has the focus is the link or button in a cell
// biome-ignore-all lint/a11y/useSemanticElements: a table lays itself out, and cannot leave out the rows that are out of sight
// The rows as a grid that arrows walk through; Tab goes to one of them. A long one is virtualised.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type DragEvent, type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { t } from '#app/words/translate.ts'
import type { ChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { useActions, useConsent, useConversations, useShallow } from '#renderer/stores/react.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { focusSoon } from '../focus.ts'
import { ChatMenu, FolderMenu, type MenuPlace } from './chat-menu.tsx'
import { ChatListRow, type RowEvents } from './chat-row.tsx'
import { type ChatRow, canHaveFocus, chatsBetween, rowAfterKey } from './chat-rows.ts'
import { dragChats, droppedChats, dropTarget } from './drag.ts'
import { type GridAction, gridAction } from './grid-keys.ts'
import { useSelection } from './use-selection.ts'

const plainUpTo = 80
const heightOf = (row: ChatRow | undefined): number => (row?.kind === 'heading' ? 40 : 28)

interface ChatGridProps {
  readonly rows: readonly ChatRow[]
  readonly currentId: string | undefined
  readonly changes: ChatChanges
  readonly onMove: (ids: readonly string[]) => void
}

export function ChatGrid({ rows, currentId, changes, onMove }: ChatGridProps) {
  const { go } = useActions()
  const box = useRef<HTMLDivElement>(null)
  const selection = useSelection()
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  const [renaming, setRenaming] = useState<string | undefined>(undefined)
  const [menu, setMenu] = useState<(Pick<MenuPlace, 'anchor'> & { readonly key: string }) | undefined>(undefined)
  const [over, setOver] = useState<string | undefined>(undefined)
  const waiting = useConsent(useShallow((state) => state.requests.flatMap(({ conversationId }) => conversationId ?? [])))
  const list = useConversations((state) => state.list)

  const indexOf = (key: string | undefined): number => rows.findIndex((row) => row.key === key)
  const active = [activeKey, currentId].map(indexOf).find((index) => index >= 0) ?? rows.findIndex(canHaveFocus)
  const long = rows.length > plainUpTo
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: long,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  })
  const between = (from: string, to: string): readonly string[] => chatsBetween(rows, indexOf(from), indexOf(to))
  const part = (key: string, selector: string): HTMLElement | null =>
    box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] ${selector}`) ?? null
  const focusRow = (key: string): void => {
    setActiveKey(key)
    if (long) virtualizer.scrollToIndex(indexOf(key))
    focusSoon(() => {
      const main = part(key, '[data-main]')
      main?.scrollIntoView({ block: 'nearest' })
      main?.focus({ preventScroll: true })
      return main !== null && document.activeElement === main
    })
  }

  function move(key: string, row: ChatRow, extend: boolean): void {
    const next = rows[rowAfterKey(rows, active, key)]
    if (!next) return
    if (extend) selection.extend(next.key, row.key, between)
    focusRow(next.key)
  }
  function act(action: GridAction, row: ChatRow): void {
    switch (action.kind) {
      case 'move':
        move(action.key, row, action.extend)
        break
      case 'clear':
        selection.clear()
        break
      case 'toggle':
        selection.toggle(row.key)
        break
      case 'rename':
        setRenaming(row.key)
        break
      case 'delete':
        remove(row.key)
        break
      case 'delete-folder':
        if (row.kind === 'folder') void changes.removeFolder(row.folder.id, row.folder.name)
        break
      case 'menu':
        setMenu({ key: row.key, anchor: part(row.key, '[aria-haspopup]') })
        break
      case 'fold':
        part(row.key, '[data-main]')?.click()
        break
      case 'to-button':
        part(row.key, '[aria-haspopup]')?.focus()
        break
      case 'to-row':
        part(row.key, '[data-main]')?.focus()
        break
    }
  }
  function remove(id: string): void {
    const gone = new Set(selection.meant(id))
    const stays = (row: ChatRow): boolean => canHaveFocus(row) && !gone.has(row.key)
    const left = rows.slice(active).find(stays) ?? rows.slice(0, active).findLast(stays)
    selection.clear()
    if (left) focusRow(left.key)
    void changes.change([...gone], { kind: 'delete' })
  }
  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active]
    if (!row || renaming !== undefined || event.defaultPrevented) return
    const inButton = (event.target as Element).closest('[aria-haspopup]') !== null
    const action = gridAction(event, row, inButton, selection.chosen.size > 0)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    act(action, row)
  }

  const latest = useRef({ selection, between, currentId, focusRow })
  latest.current = { selection, between, currentId, focusRow }
  // The same ones for as long as the list is there, so that only rows that changed are rendered.
  const events = useMemo<RowEvents>(
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
    [go],
  )
  const drop = {
    onDragOver(event: DragEvent): void {
      const target = dropTarget(event, rows)
      if (target) event.preventDefault()
      setOver(target?.key)
    },
    onDragLeave: (): void => setOver(undefined),
    onDrop(event: DragEvent): void {
      const target = dropTarget(event, rows)
      const ids = droppedChats(event)
      setOver(undefined)
      if (!target || ids.length === 0) return
      event.preventDefault()
      selection.clear()
      void changes.change(ids, { kind: 'move', folderId: target.folderId })
    },
  }

  const waits = (row: ChatRow): boolean =>
    row.kind === 'folder' ? list.some(({ id, folderId }) => folderId === row.folder.id && waiting.includes(id)) : waiting.includes(row.key)
  const rowAt = (index: number, style?: CSSProperties): React.ReactNode => {
    const row = rows[index]
    if (!row) return null
    const chosen = selection.chosen.has(row.key)
    const inside = row.kind === 'empty' || (row.kind === 'chat' && row.inside)
    return (
      <div
        key={row.key}
        role="row"
        aria-rowindex={index + 1}
        aria-selected={row.kind === 'chat' ? chosen : undefined}
        data-row={row.key}
        className={cx('entry', row.kind, inside && 'inside', chosen && 'chosen', over === row.key && 'over', style && 'virtual-item')}
        style={style}
      >
        <ChatListRow
          row={row}
          events={events}
          current={row.key === currentId}
          active={index === active}
          renaming={row.key === renaming}
          waits={waits(row)}
          menuOpen={row.key === menu?.key}
        />
      </div>
    )
  }
  const closeMenu = (): void => {
    setMenu(undefined)
    if (menu) focusSoon(() => focusUnlessElsewhere(part(menu.key, '[data-main]')), 2)
  }
  const place = menu && { anchor: menu.anchor, onClosed: closeMenu }
  const menuRow = rows[indexOf(menu?.key)]
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
        {long ? (
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

/** Where the pointer was; the keyboard's own event comes from the middle of nowhere, so it gets the row. */
function pointOf(event: MouseEvent): MenuPlace['anchor'] {
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
