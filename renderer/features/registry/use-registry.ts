// The list of the registry as somebody looks through it: a page at a time, and what was typed last counts. Servers that a
// further page names again are passed over, and a registry whose pages never end is not followed for ever.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { RegistryEntry } from '#app/server/registry/entry.ts'
import type { RegistryPage } from '#app/server/registry/page.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface FoundEntries {
  readonly entries: readonly RegistryEntry[]
  /** Entries of the registry that could not be read. */
  readonly unread: number
  /** Of the page that is the oldest. */
  readonly at: number
  readonly source: RegistryPage['source']
  /** Why the registry itself was not asked, where that failed. */
  readonly error?: ErrorValue
  readonly next: string | undefined
  /** Its pages go on without anything new: no more of them are asked for. */
  readonly circles: boolean
}

export interface RegistryList {
  /** What fits `text`, or what fitted before while that is asked for; undefined: nothing yet. */
  readonly found: FoundEntries | undefined
  readonly loading: boolean
  /** Nothing can be shown, or no more of it. */
  readonly error: ErrorValue | undefined
  readonly more: () => void
  readonly again: () => void
}

const typingMs = 250
const mostEntries = 10_000
/** Pages in a row that bring nothing new. */
const mostIdle = 3

export function useRegistry(text: string, address: string): RegistryList {
  const { attempt } = useActions()
  const [searcher] = useState(() => crypto.randomUUID())
  const [found, setFound] = useState<FoundEntries | undefined>(undefined)
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const latest = useRef(0)
  const known = useRef<FoundEntries | undefined>(undefined)
  const walk = useRef({ cursors: new Set<string>(), idle: 0 })

  const ask = useCallback(
    async (cursor?: string, again = false): Promise<void> => {
      latest.current += 1
      const mine = latest.current
      setLoading(true)
      setError(undefined)
      if (cursor === undefined) walk.current = { cursors: new Set(), idle: 0 }
      const outcome = await attempt('registry.find', {
        searcher,
        text: text.slice(0, 200),
        ...(cursor === undefined ? {} : { cursor }),
        ...(again ? { again } : {}),
      })
      if (mine !== latest.current) return
      setLoading(false)
      if (!outcome.ok) {
        setError(outcome.error)
        if (cursor === undefined) setFound(undefined)
        return
      }
      const page = outcome.value
      const before = cursor === undefined ? undefined : known.current
      known.current = joined(before, page, walk.current)
      setFound(known.current)
    },
    [attempt, searcher, text],
  )

  const first = useRef<boolean>(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another registry is asked anew.
  useEffect(() => {
    setLoading(true)
    const timer = setTimeout(() => void ask(), first.current ? 0 : typingMs)
    first.current = false
    return () => {
      latest.current += 1
      clearTimeout(timer)
    }
  }, [ask, address])
  useEffect(() => () => void attempt('registry.cancel', { searcher }), [attempt, searcher])

  const next = found?.next
  const more = useCallback(() => {
    if (!loading && error === undefined && next !== undefined) void ask(next)
  }, [loading, error, next, ask])
  return { found, loading, error, more, again: () => void ask(undefined, true) }
}

function joined(before: FoundEntries | undefined, page: RegistryPage, walk: { readonly cursors: Set<string>; idle: number }): FoundEntries {
  const known = new Set(before?.entries.map(({ name }) => name))
  const fresh = page.entries.filter(({ name }) => !known.has(name))
  walk.idle = fresh.length === 0 ? walk.idle + 1 : 0
  const goesRound = page.next !== undefined && walk.cursors.has(page.next)
  if (page.next !== undefined) walk.cursors.add(page.next)
  const entries = [...(before?.entries ?? []), ...fresh]
  // One page that could not be asked for is reason enough to say so.
  const error = page.error ?? before?.error
  const circles = page.next !== undefined && (goesRound || walk.idle >= mostIdle || entries.length >= mostEntries)
  return {
    entries,
    unread: (before?.unread ?? 0) + page.unread,
    at: Math.min(before?.at ?? page.at, page.at),
    source: page.source === 'registry' && before ? before.source : page.source,
    ...(error ? { error } : {}),
    next: circles ? undefined : page.next,
    circles,
  }
}
