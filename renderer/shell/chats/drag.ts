// Selection and dragging of the sidebar's chats. A click with Control or Command toggles a chat, one with Shift extends the
// selection. Dragged chats carry their ids under a MIME type of our own, so that no other drop is taken for them.
import { type DragEvent, useRef, useState } from 'react'
import type { ChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import type { ChatRow } from '#renderer/features/history/chat-rows.ts'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

export function useSelection() {
  const [chosen, setChosen] = useState(none)
  const anchor = useRef<string | undefined>(undefined)
  const clear = (): void => setChosen((before) => (before.size > 0 ? none : before))
  return {
    chosen,
    /** Returns the selected chats where the chat is one of them, else the chat alone. */
    targetsOf: (id: string): readonly string[] => (chosen.has(id) ? [...chosen] : [id]),
    toggle(id: string): void {
      anchor.current = id
      setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
    },
    /** Selects `between(anchor, id)`; `from`: the anchor where there is none yet. */
    extend(id: string, from: string, between: (from: string, to: string) => readonly string[]): void {
      anchor.current ??= from
      setChosen(new Set(between(anchor.current, id)))
    },
    /** Makes the chat the beginning of the next range. */
    start(id: string): void {
      anchor.current = id
      clear()
    },
    clear,
  }
}

const type = 'application/x-assent-chats'

export function dragChats(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(type, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'move'
}

/** Returns the ids of dropped chats; none for a foreign drop. */
function droppedChats(event: DragEvent): readonly string[] {
  try {
    const ids: unknown = JSON.parse(event.dataTransfer.getData(type))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return [] // Foreign text under our type.
  }
}

/** Target of a drop: a folder, by its row or one in it, or no folder, by the rows below the folders. */
function dropTarget(event: DragEvent, rows: readonly ChatRow[]): { readonly key: string; readonly folderId: string | null } | undefined {
  if (!event.dataTransfer.types.includes(type)) return undefined
  const key = (event.target as Element).closest('[data-row]')?.getAttribute('data-row')
  const row = rows.find((one) => one.key === key)
  if (row?.kind === 'folder') return { key: row.key, folderId: row.folder.id }
  if (row?.kind !== 'chat' || row.conversation.pinned) return undefined
  const { folderId } = row.conversation
  return { key: folderId ?? row.key, folderId: folderId ?? null }
}

/** Moves dropped chats to a folder. `over`: key of the row that they would go to now. */
export function useChatDrop(rows: readonly ChatRow[], selection: Selection, changes: ChatChanges) {
  const [over, setOver] = useState<string | undefined>(undefined)
  return {
    over,
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
}
