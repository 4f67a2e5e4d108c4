// Chats are dragged as the list of their ids, in a type of our own: nothing else that is dropped is taken for them. Chats that
// are chosen together: a click with Control or Command adds or takes one, with Shift all from the last one on.
import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react'
import type { ChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import type { ChatRow } from '#renderer/features/history/chat-rows.ts'

const none: ReadonlySet<string> = new Set()

export interface Selection {
  readonly chosen: ReadonlySet<string>
  /** The chosen ones where it is one of them, else it alone. */
  meant(id: string): readonly string[]
  toggle(id: string): void
  /** All of `between(anchor, id)`; `from`: the anchor where there is none yet. */
  extend(id: string, from: string, between: (from: string, to: string) => readonly string[]): void
  /** It is where the next range begins. */
  start(id: string): void
  clear(): void
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState(none)
  const anchor = useRef<string | undefined>(undefined)
  const clear = useCallback(() => setChosen((before) => (before.size > 0 ? none : before)), [])
  return useMemo(
    () => ({
      chosen,
      meant: (id) => (chosen.has(id) ? [...chosen] : [id]),
      toggle(id) {
        anchor.current = id
        setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
      },
      extend(id, from, between) {
        const start = anchor.current ?? from
        anchor.current = start
        setChosen(new Set(between(start, id)))
      },
      start(id) {
        anchor.current = id
        clear()
      },
      clear,
    }),
    [chosen, clear],
  )
}

const type = 'application/x-assent-chats'

export function dragChats(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(type, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'move'
}

/** Empty: it is none of ours. */
function droppedChats(event: DragEvent): readonly string[] {
  try {
    const ids: unknown = JSON.parse(event.dataTransfer.getData(type))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return [] // Text that another program, or another part of the page, gave that type.
  }
}

/** Where what is dragged would go: a folder, by its row or one in it, or none, by what lies below the folders. */
function dropTarget(event: DragEvent, rows: readonly ChatRow[]): { readonly key: string; readonly folderId: string | null } | undefined {
  if (!event.dataTransfer.types.includes(type)) return undefined
  const key = (event.target as Element).closest('[data-row]')?.getAttribute('data-row')
  const row = rows.find((one) => one.key === key)
  if (row?.kind === 'folder') return { key: row.key, folderId: row.folder.id }
  if (row?.kind !== 'chat' || row.conversation.pinned) return undefined
  const { folderId } = row.conversation
  return { key: folderId ?? row.key, folderId: folderId ?? null }
}

/** Moves chats to the folder that they are dropped on. `over`: the key of the row that they would go to now. */
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
