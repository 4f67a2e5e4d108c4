// Asks the host while somebody types. What was found before stays until the next answer is there; an answer that nobody
// waits for any more is not heard. While an older profile is still being indexed it asks again now and then.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { SearchFound } from '#app/chat/search/found.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { type SearchQuestion, sameQuestion } from '#renderer/stores/search-memory.ts'

export interface SearchState {
  /** Undefined: nothing was asked yet. */
  readonly found: SearchFound | undefined
  /** What `found` answers. */
  readonly answered: SearchQuestion | undefined
  readonly loading: boolean
  readonly error: ErrorValue | undefined
}
export interface Search extends SearchState {
  readonly more: () => void
  readonly retry: () => void
}

const typingMs = 70
const indexingMs = 2000

export function useSearch(question: SearchQuestion): Search {
  const { attempt } = useActions()
  const { searchMemory } = useStores()
  const [searcher] = useState(() => crypto.randomUUID())
  const remembered = useRef(searchMemory.last)
  const [state, setState] = useState<SearchState>(() => ({
    found: remembered.current?.found,
    answered: remembered.current?.question,
    loading: false,
    error: undefined,
  }))
  const latest = useRef(0)
  const { text, where, chat } = question

  const ask = useCallback(
    async (before?: number): Promise<void> => {
      latest.current += 1
      const mine = latest.current
      setState((now) => ({ ...now, loading: true, error: undefined }))
      const outcome = await attempt('search.find', {
        searcher,
        text,
        where,
        ...(chat === undefined ? {} : { conversationId: chat }),
        ...(before === undefined ? {} : { before }),
      })
      if (mine !== latest.current || (!outcome.ok && outcome.error.code === 'cancelled')) return
      setState((now) => {
        if (!outcome.ok) return { ...now, loading: false, error: outcome.error }
        const found = before === undefined || !now.found ? outcome.value : joined(now.found, outcome.value)
        return { found, answered: { text, where, chat }, loading: false, error: undefined }
      })
    },
    [attempt, searcher, text, where, chat],
  )

  useEffect(() => {
    const known = remembered.current
    remembered.current = undefined
    // Back from a message: it is all there.
    if (known && sameQuestion(known.question, { text, where, chat })) return
    const timer = setTimeout(() => void ask(), typingMs)
    return () => {
      latest.current += 1
      clearTimeout(timer)
    }
  }, [ask, text, where, chat])

  const indexing = state.found !== undefined && state.found.indexed < 1
  useEffect(() => {
    if (!indexing) return
    const timer = setInterval(() => void ask(), indexingMs)
    return () => clearInterval(timer)
  }, [indexing, ask])

  const next = state.found?.next ?? null
  return { ...state, more: () => next !== null && void ask(next), retry: () => void ask() }
}

function joined(before: SearchFound, page: SearchFound): SearchFound {
  const more = { ...before.more }
  for (const [id, count] of Object.entries(page.more)) more[id] = (more[id] ?? 0) + count
  return { ...before, hits: [...before.hits, ...page.hits], more, next: page.next, indexed: page.indexed }
}
