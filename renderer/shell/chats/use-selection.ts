// Chats that are chosen together: a click with Control or Command adds or takes one, with Shift all from the last one on.
import { useCallback, useMemo, useRef, useState } from 'react'

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
