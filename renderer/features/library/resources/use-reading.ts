// A resource as it was last read. Where the server tells that it changed, it is read again, one reading at a time; what it said
// before stays to be compared.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import type { ShownContent } from '#app/server/shelf.ts'
import { useActions } from '#renderer/stores/react.tsx'

export interface ReadResource {
  readonly contents: readonly ShownContent[]
  /** Contents that are not shown. */
  readonly left: number
  readonly at: number
}

export interface Reading {
  readonly now: ReadResource | undefined
  /** What it said before its last change. */
  readonly before: ReadResource | undefined
  readonly error: ErrorValue | undefined
  readonly busy: boolean
  readonly read: () => void
}

interface State {
  readonly now?: ReadResource
  readonly before?: ReadResource
  readonly error?: ErrorValue
  readonly busy: boolean
}

/** The same bytes in the same order. */
export const isSame = (a: ReadResource, b: ReadResource): boolean =>
  a.contents.length === b.contents.length && a.contents.every(({ blob }, at) => blob.sha256 === b.contents[at]?.blob.sha256)

export const withRead = ({ now, before }: State, next: ReadResource): State => {
  const changed = now !== undefined && !isSame(now, next)
  const old = changed ? now : before
  return { now: next, busy: false, ...(old === undefined ? {} : { before: old }) }
}

/** `wanted`: read by itself. `updates`: counts up with each word of the server that it changed. */
export function useReading(server: string, uri: string, wanted: boolean, updates: number): Reading {
  const { attempt, go } = useActions()
  const [state, setState] = useState<State>({ busy: false })
  const running = useRef<string | undefined>(undefined)
  const again = useRef<boolean>(false)
  const gone = useRef<boolean>(false)

  const read = useCallback(() => {
    if (running.current !== undefined) {
      again.current = true
      return
    }
    const work = async (): Promise<void> => {
      do {
        again.current = false
        const fetch = crypto.randomUUID()
        running.current = fetch
        setState((before) => ({ ...before, busy: true }))
        const outcome = await attempt('offer.read', { fetch, server, uri })
        if (gone.current) return
        setState((before) =>
          outcome.ok ? withRead(before, { ...outcome.value, at: Date.now() }) : { ...before, error: outcome.error, busy: false },
        )
      } while (again.current)
      running.current = undefined
    }
    void work()
  }, [attempt, server, uri])

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      if (running.current !== undefined) go('offer.cancel', { fetch: running.current })
      running.current = undefined
    }
  }, [go])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each word of the server is a reason to read
  useEffect(() => {
    if (wanted) read()
  }, [wanted, read, updates])

  return { now: state.now, before: state.before, error: state.error, busy: state.busy, read }
}
