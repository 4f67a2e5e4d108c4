// The sidebar's chats as rows: the pinned, then the folders with what lies in them, then the loose ones by date. A row that
// stands for what is not fetched yet ends each shelf of which there is more.

import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { folderShelf, type ShelfName } from '#app/chat/shelf.ts'
import { formatLocale } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { type ConversationsState, onShelf } from '#renderer/stores/conversations.ts'
import { type Day, dateGroup } from './date-group.ts'

export type ChatRow =
  | { readonly kind: 'heading'; readonly key: string; readonly title: string }
  | { readonly kind: 'folder'; readonly key: string; readonly folder: ChatFolder }
  /** `inside`: below the row of its folder. */
  | { readonly kind: 'chat'; readonly key: string; readonly conversation: Conversation; readonly inside: boolean }
  | { readonly kind: 'empty'; readonly key: string; readonly text: string }
  | { readonly kind: 'more'; readonly key: string; readonly shelf: ShelfName }

export type Known = Pick<ConversationsState, 'list' | 'shelves' | 'folders'>

const byName = new Intl.Collator(formatLocale(), { numeric: true, sensitivity: 'base' })
export const inOrder = (folders: readonly ChatFolder[]): readonly ChatFolder[] =>
  [...folders].sort((a, b) => byName.compare(a.name, b.name) || a.createdAt - b.createdAt)

export function chatRows(known: Known, now: number, dayOf?: (time: number) => Day): readonly ChatRow[] {
  const rows: ChatRow[] = []
  const shelf = (name: ShelfName, inside: boolean): readonly Conversation[] => {
    const found = onShelf(known, name)
    for (const conversation of found) rows.push({ kind: 'chat', key: conversation.id, conversation, inside })
    more(name)
    return found
  }
  const more = (name: ShelfName): void => {
    if (known.shelves[name]?.end !== null) rows.push({ kind: 'more', key: `more ${name}`, shelf: name })
  }
  const heading = (title: string): void => void rows.push({ kind: 'heading', key: `heading ${title}`, title })

  if (onShelf(known, 'pinned').length > 0) {
    heading(t`Pinned`)
    shelf('pinned', false)
  }
  if (known.folders.length > 0) heading(t`Folders`)
  for (const folder of inOrder(known.folders)) {
    rows.push({ kind: 'folder', key: folder.id, folder })
    if (folder.closed) continue
    const name = folderShelf(folder.id)
    if (shelf(name, true).length === 0 && known.shelves[name]?.end === null)
      rows.push({ kind: 'empty', key: `empty ${folder.id}`, text: t`No chats in it` })
  }
  let last = ''
  for (const conversation of onShelf(known, 'loose')) {
    const title = dateGroup(conversation.updatedAt, now, dayOf)
    if (title !== last) heading(title)
    last = title
    rows.push({ kind: 'chat', key: conversation.id, conversation, inside: false })
  }
  more('loose')
  return rows
}

/** Rows that the arrows stop at. */
export const canHaveFocus = (row: ChatRow | undefined): boolean => row?.kind === 'chat' || row?.kind === 'folder'

/** The row that a key leads to from `at`; `at` itself where there is no further one. */
export function rowAfterKey(rows: readonly ChatRow[], at: number, key: string): number {
  const step = key === 'ArrowDown' || key === 'Home' ? 1 : -1
  const from = key === 'Home' ? 0 : key === 'End' ? rows.length - 1 : at + step
  for (let next = from; next >= 0 && next < rows.length; next += step) if (canHaveFocus(rows[next])) return next
  return at
}

/** The chats from one row to another, either way round. */
export function chatsBetween(rows: readonly ChatRow[], from: number, to: number): readonly string[] {
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => (row.kind === 'chat' ? [row.conversation.id] : []))
}
