// The list of all chats: its query, the chats that match it (fetched piece by piece, and again when chats change), the selection
// among them, and the bar with what can be done with the selected chats.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ChatChange, ChatChoice, ChatFilter } from '#app/chat/chat-filter.ts'
import { type Conversation, listPositionOf } from '#app/chat/conversation.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/field.tsx'
import { chatCount } from '../chat/organize/use-chat-changes.ts'

export const tabs = ['chats', 'archived', 'deleted'] as const
export type ChatTab = (typeof tabs)[number]

export const chatPeriods = {
  any: t`Any time`,
  week: t`Last 7 days`,
  month: t`Last 30 days`,
  year: t`Past year`,
  older: t`Over a year ago`,
} as const
type ChatPeriod = keyof typeof chatPeriods

export interface ChatListQuery {
  readonly text: string
  /** Empty: any; `none`: in no folder; `in <id>`: in that folder. */
  readonly folder: string
  /** Empty: any. */
  readonly model: string
  readonly period: ChatPeriod
}

export const emptyChatListQuery: ChatListQuery = { text: '', folder: '', model: '', period: 'any' }

/** Time at the beginning of the day `days` before today, in milliseconds. */
function daysBefore(now: number, days: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days)
  return day.getTime()
}

const daysOf = { week: 7, month: 30, year: 365 } as const

/** Filter of the list; undefined: the deleted chats, which are not filtered. */
export function filterOf(tab: ChatTab, { text, folder, model, period }: ChatListQuery, now: number): ChatFilter | undefined {
  if (tab === 'deleted') return undefined
  return {
    archived: tab === 'archived',
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(folder === '' ? {} : { folderId: folder === 'none' ? null : folder.slice(3) }),
    ...(model === '' ? {} : { model }),
    ...(period === 'any' ? {} : period === 'older' ? { until: daysBefore(now, 365) } : { since: daysBefore(now, daysOf[period]) }),
  }
}

export type Listed = { readonly conversation: Conversation; readonly deletedAt?: number }

export type FoundChats = ReturnType<typeof useFoundChats>

const PIECE = 100
const MOST_AT_ONCE = 500
const QUIET_MS = 120
/** `found`: number of chats that match; undefined: not known yet, or not counted (deleted chats). */
const nothing = { items: [] as readonly Listed[], found: undefined as number | undefined, more: false }

/** Chats that match; `filter` undefined: the deleted ones. */
export function useFoundChats(filter: ChatFilter | undefined) {
  const { hostConnection } = useStores()
  const { attempt } = useActions()
  const online = useConnection((state) => state.status === 'open')
  const [known, setKnown] = useState(nothing)
  const [loading, setLoading] = useState(true)
  const key = JSON.stringify(filter ?? null)
  /** Number of the latest request; answers to earlier ones are dropped. */
  const asked = useRef(0)

  const fetchPiece = useCallback(
    async (limit: number, after: Listed | undefined): Promise<typeof nothing | undefined> => {
      const wanted = JSON.parse(key) as ChatFilter | null
      if (wanted === null) {
        const place = after && { deletedAt: after.deletedAt ?? 0, id: after.conversation.id }
        const answer = await attempt('conversation.deleted', { limit, ...(place ? { after: place } : {}) })
        return answer.ok ? { items: answer.value.deleted, found: undefined, more: answer.value.more } : undefined
      }
      const place = after && listPositionOf(after.conversation)
      const answer = await attempt('conversation.find', { filter: wanted, limit, ...(place ? { after: place } : {}) })
      if (!answer.ok) return undefined
      const { conversations, found, more } = answer.value
      return { items: conversations.map((conversation) => ({ conversation })), found, more }
    },
    [attempt, key],
  )
  const load = useCallback(
    async (limit: number, after?: Listed): Promise<void> => {
      const question = ++asked.current
      setLoading(true)
      const piece = await fetchPiece(limit, after)
      if (question !== asked.current) return
      setLoading(false)
      if (piece) setKnown((before) => (after ? { ...before, items: [...before.items, ...piece.items], more: piece.more } : piece))
    },
    [fetchPiece],
  )
  const shown = useRef(PIECE)
  shown.current = Math.min(MOST_AT_ONCE, Math.max(PIECE, known.items.length))

  useEffect(() => {
    if (online) void load(PIECE)
  }, [load, online])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const off = hostConnection.onEvent(({ name }) => {
      if (name !== 'conversation.changed' && name !== 'conversation.removed' && name !== 'history.changed') return
      clearTimeout(timer)
      timer = setTimeout(() => void load(shown.current), QUIET_MS)
    })
    return () => {
      clearTimeout(timer)
      off()
    }
  }, [hostConnection, load])

  const loadMore = useCallback(() => {
    if (!loading && known.more) void load(PIECE, known.items.at(-1))
  }, [load, known, loading])
  return { ...known, loading, loadMore }
}

export type SelectedChats = ReturnType<typeof useSelectedChats>

type State = { readonly kind: 'these' | 'all-but'; readonly ids: ReadonlySet<string>; readonly last: string | undefined }
const none: State = { kind: 'these', ids: new Set(), last: undefined }

export function useSelectedChats({ items, found }: FoundChats, filter: ChatFilter | undefined) {
  const [state, setState] = useState(none)
  const clear = useCallback(() => setState(none), [])
  return useMemo(() => {
    const shown = items.map(({ conversation }) => conversation.id)
    const isAll = state.kind === 'all-but'
    const has = (id: string): boolean => state.ids.has(id) !== isAll
    const set = (ids: readonly string[], on: boolean, last: string): void =>
      setState((before) => {
        const next = new Set(before.ids)
        for (const id of ids) {
          if (on === (before.kind === 'these')) next.add(id)
          else next.delete(id)
        }
        return { ...before, ids: next, last }
      })
    // Only selected chats that are still there count.
    const ids = isAll ? [...state.ids] : shown.filter((id) => state.ids.has(id))
    const count = isAll ? Math.max(0, (found ?? shown.length) - ids.length) : ids.length
    const choice: ChatChoice =
      isAll && filter ? { kind: 'fitting', filter, except: ids } : { kind: 'these', ids: isAll ? shown.filter(has) : ids }
    return {
      count,
      all: isAll && ids.length === 0 ? true : count > 0 && count === (found ?? shown.length),
      choice,
      has,
      toggle: (id: string): void => set([id], !has(id), id),
      /** Selects from the chat that was toggled last to this one. */
      extend(id: string): void {
        const [from, to] = [shown.indexOf(state.last ?? id), shown.indexOf(id)]
        set(shown.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1), true, id)
      },
      setAll: (on: boolean): void => setState(on ? { kind: 'all-but', ids: new Set(), last: undefined } : none),
      clear,
    }
  }, [items, found, filter, state, clear])
}

interface SelectionBarProps {
  readonly tab: ChatTab
  readonly picked: SelectedChats
  readonly found: FoundChats
  readonly onChange: (change: ChatChange) => void
  readonly onMove: () => void
  readonly onPurge: () => void
}

export function SelectionBar({ tab, picked, found, onChange, onMove, onPurge }: SelectionBarProps) {
  const { count } = picked
  const total = found.found ?? found.items.length
  if (total === 0) return null
  const change = (label: string, kind: 'archive' | 'unarchive' | 'restore' | 'delete') => ({ label, run: () => onChange({ kind }) })
  const move = { label: t`Move to folder …`, run: onMove }
  const remove = { ...change(t`Delete`, 'delete'), danger: true }
  const actions: Record<ChatTab, readonly { label: string; danger?: boolean; run: () => void }[]> = {
    chats: [change(t`Archive`, 'archive'), move, remove],
    archived: [change(t`Unarchive`, 'unarchive'), move, remove],
    deleted: [change(t`Restore`, 'restore'), { label: t`Delete for good`, danger: true, run: onPurge }],
  }
  const every = found.found === undefined && found.more ? t`Select all` : t`All ${chatCount(total)}`
  return (
    <div className="row wrap selection-bar">
      <Checkbox
        label={<span aria-live="polite">{count > 0 ? t`${chatCount(count)} chosen` : total === 1 ? chatCount(1) : every}</span>}
        checked={picked.all}
        onChange={picked.setAll}
      />
      <span className="grow" />
      {count > 0 &&
        actions[tab].map(({ label, danger, run }) => (
          <SmallButton key={label} danger={danger} onClick={run}>
            {label}
          </SmallButton>
        ))}
    </div>
  )
}
