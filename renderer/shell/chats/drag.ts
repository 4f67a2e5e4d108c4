// Chats are dragged as the list of their ids, in a type of our own: nothing else that is dropped is taken for them.
import type { DragEvent } from 'react'
import type { ChatRow } from './chat-rows.ts'

const type = 'application/x-assent-chats'

export function dragChats(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(type, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'move'
}

/** Empty: it is none of ours. */
export function droppedChats(event: DragEvent): readonly string[] {
  try {
    const ids: unknown = JSON.parse(event.dataTransfer.getData(type))
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return [] // Text that another program, or another part of the page, gave that type.
  }
}

/** Where what is dragged would go: a folder, by its row or one in it, or none, by what lies below the folders. */
export function dropTarget(
  event: DragEvent,
  rows: readonly ChatRow[],
): { readonly key: string; readonly folderId: string | null } | undefined {
  if (!event.dataTransfer.types.includes(type)) return undefined
  const key = (event.target as Element).closest('[data-row]')?.getAttribute('data-row')
  const row = rows.find((one) => one.key === key)
  if (row?.kind === 'folder') return { key: row.key, folderId: row.folder.id }
  if (row?.kind !== 'chat' || row.conversation.pinned) return undefined
  const { folderId } = row.conversation
  return { key: folderId ?? row.key, folderId: folderId ?? null }
}
