// What starts with the host waits until the first page is painted: programs that start would take the processors from
// it. Not for long, though, for a page may not come; and not at all where there is none.
import type { Clock } from '#main/base/clock.ts'

export interface FirstPage {
  /** A page says that the person sees it. */
  shown(): void
  dispose(): void
}

/** From the start of the host. A page takes half a second; a browser that has to be started first, longer than anybody should wait. */
const withinMs = 2000

/** `begin` is called once, in a later turn, unless it was disposed of before. */
export function awaitFirstPage({ clock, isExpected, begin }: { clock: Clock; isExpected: boolean; begin: () => void }): FirstPage {
  let begun = false
  const once = (): void => {
    if (begun) return
    begun = true
    cancel()
    begin()
  }
  const cancel = clock.after(isExpected ? withinMs : 0, once)
  return {
    shown: once,
    dispose() {
      begun = true
      cancel()
    },
  }
}
