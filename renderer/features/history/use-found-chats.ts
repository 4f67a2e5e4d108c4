// The chats that fit a filter, fetched piece by piece, and anew when some of them change anywhere.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { placeOf } from '#app/chat/shelf.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'

export interface Listed {
  readonly conversation: Conversation
  /** Of a deleted one. */
  readonly deletedAt?: number
}

export interface FoundChats {
  readonly items: readonly Listed[]
  /** Undefined: not known yet, or (of deleted ones) not counted. */
  readonly found: number | undefined
  readonly more: boolean
  readonly loading: boolean
  readonly loadMore: () => void
}

const PIECE = 100
const MOST_AT_ONCE = 500
const QUIET_MS = 120
const nothing = { items: [] as readonly Listed[], found: undefined as number | undefined, more: false }

/** `filter` undefined: the deleted ones. */
export function useFoundChats(filter: ChatFilter | undefined): FoundChats {
  const { link } = useStores()
  const { attempt } = useActions()
  const online = useConnection((state) => state.link === 'open')
  const [known, setKnown] = useState(nothing)
  const [loading, setLoading] = useState(true)
  const key = JSON.stringify(filter ?? null)
  /** The latest question; an answer to an earlier one does not count. */
  const asked = useRef(0)

  const fetchPiece = useCallback(
    async (limit: number, after: Listed | undefined): Promise<typeof nothing | undefined> => {
      const wanted = JSON.parse(key) as ChatFilter | null
      if (wanted === null) {
        const place = after && { deletedAt: after.deletedAt ?? 0, id: after.conversation.id }
        const answer = await attempt('conversation.deleted', { limit, ...(place ? { after: place } : {}) })
        return answer.ok ? { items: answer.value.deleted, found: undefined, more: answer.value.more } : undefined
      }
      const place = after && placeOf(after.conversation)
      const answer = await attempt('conversation.find', { filter: wanted, limit, ...(place ? { after: place } : {}) })
      if (!answer.ok) return undefined
      const { conversations, found, more } = answer.value
      return { items: conversations.map((conversation) => ({ conversation })), found, more }
    },
    [attempt, key],
  )
  const refresh = useCallback(
    async (limit: number): Promise<void> => {
      const question = ++asked.current
      setLoading(true)
      const piece = await fetchPiece(limit, undefined)
      if (question !== asked.current) return
      setLoading(false)
      if (piece) setKnown(piece)
    },
    [fetchPiece],
  )
  const shown = useRef(PIECE)
  shown.current = Math.min(MOST_AT_ONCE, Math.max(PIECE, known.items.length))

  useEffect(() => {
    if (online) void refresh(PIECE)
  }, [refresh, online])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const off = link.onEvent(({ name }) => {
      if (name !== 'conversation.changed' && name !== 'conversation.removed' && name !== 'history.changed') return
      clearTimeout(timer)
      timer = setTimeout(() => void refresh(shown.current), QUIET_MS)
    })
    return () => {
      clearTimeout(timer)
      off()
    }
  }, [link, refresh])

  const loadMore = useCallback(() => {
    if (loading || !known.more) return
    const question = ++asked.current
    setLoading(true)
    void fetchPiece(PIECE, known.items.at(-1)).then((piece) => {
      if (question !== asked.current) return
      setLoading(false)
      if (piece) setKnown((before) => ({ ...before, items: [...before.items, ...piece.items], more: piece.more }))
    })
  }, [fetchPiece, known, loading])
  return { ...known, loading, loadMore }
}
