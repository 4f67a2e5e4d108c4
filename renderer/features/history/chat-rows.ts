// Rows of the sidebar: pinned chats, folders with theirs, then the others by date. `more` ends a section that is not wholly fetched.
import { type ChatFolder, inOrder } from '#app/chat/chat-folder.ts'
import { type Conversation, folderSection, type SectionName } from '#app/chat/conversation.ts'
import { monthName } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type ConversationsState, inSection } from '#renderer/stores/conversations-store.ts'

/** `month`: counted from 1. */
export type Day = Readonly<Record<'year' | 'month' | 'day', number>>

/** Day in the person's time zone. */
function localDay(time: number): Day {
  const date = new Date(time)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

/** Number of a calendar day. Days are not stretches of 24 hours: where a clock changes, a day has 23 or 25. */
const dayNumber = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day) / 86_400_000

/** Heading for a time. A time ahead of the clock counts as today. */
export function dateGroup(time: number, now: number, dayOf: (time: number) => Day = localDay): string {
  const [then, today] = [dayOf(time), dayOf(now)]
  const ago = dayNumber(today) - dayNumber(then)
  if (ago <= 0) return t`Today`
  if (ago === 1) return t`Yesterday`
  if (ago <= 7) return t`Previous 7 days`
  return then.year === today.year ? monthName(new Date(then.year, then.month - 1).getTime()) : String(then.year)
}

export type ChatRow =
  | { readonly kind: 'heading'; readonly key: string; readonly title: string }
  | { readonly kind: 'folder'; readonly key: string; readonly folder: ChatFolder }
  /** `inside`: below the row of its folder. */
  | { readonly kind: 'chat'; readonly key: string; readonly conversation: Conversation; readonly inside: boolean }
  | { readonly kind: 'empty'; readonly key: string; readonly text: string }
  | { readonly kind: 'more'; readonly key: string; readonly section: SectionName }

export type Known = Pick<ConversationsState, 'list' | 'sections' | 'folders'>

export function chatRows(known: Known, now: number, dayOf?: (time: number) => Day): readonly ChatRow[] {
  const rows: ChatRow[] = []
  const addSection = (name: SectionName, inside: boolean): readonly Conversation[] => {
    const found = inSection(known, name)
    for (const conversation of found) rows.push({ kind: 'chat', key: conversation.id, conversation, inside })
    more(name)
    return found
  }
  const more = (name: SectionName): void => {
    if (known.sections[name]?.end !== null) rows.push({ kind: 'more', key: `more ${name}`, section: name })
  }
  const heading = (title: string): void => void rows.push({ kind: 'heading', key: `heading ${title}`, title })

  if (inSection(known, 'pinned').length > 0) {
    heading(t`Pinned`)
    addSection('pinned', false)
  }
  if (known.folders.length > 0) heading(t`Folders`)
  for (const folder of inOrder(known.folders)) {
    rows.push({ kind: 'folder', key: folder.id, folder })
    if (folder.closed) continue
    const name = folderSection(folder.id)
    if (addSection(name, true).length === 0 && known.sections[name]?.end === null)
      rows.push({ kind: 'empty', key: `empty ${folder.id}`, text: t`No chats` })
  }
  let last = ''
  for (const conversation of inSection(known, 'loose')) {
    const title = dateGroup(conversation.updatedAt, now, dayOf)
    if (title !== last) heading(title)
    last = title
    rows.push({ kind: 'chat', key: conversation.id, conversation, inside: false })
  }
  more('loose')
  return rows
}

/** Whether the arrow keys stop at a row. */
export const canHaveFocus = (row: ChatRow | undefined): boolean => row?.kind === 'chat' || row?.kind === 'folder'

/** Row that a key leads to from `at`; `at` itself where there is no further one. */
export function rowAfterKey(rows: readonly ChatRow[], at: number, key: string): number {
  const step = key === 'ArrowDown' || key === 'Home' ? 1 : -1
  const from = key === 'Home' ? 0 : key === 'End' ? rows.length - 1 : at + step
  for (let next = from; next >= 0 && next < rows.length; next += step) if (canHaveFocus(rows[next])) return next
  return at
}

/** Row that gets the focus when those in `gone` go: the next one from `at` that stays, else the last one before it. */
export function rowAfterRemoval(rows: readonly ChatRow[], at: number, gone: ReadonlySet<string>): ChatRow | undefined {
  const stays = (row: ChatRow): boolean => canHaveFocus(row) && !gone.has(row.key)
  return rows.slice(at).find(stays) ?? rows.slice(0, at).findLast(stays)
}

/** Ids of the chats from one row to another, either way round. */
export function chatsBetween(rows: readonly ChatRow[], from: number, to: number): readonly string[] {
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => (row.kind === 'chat' ? [row.conversation.id] : []))
}
