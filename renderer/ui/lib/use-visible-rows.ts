// Of a long list only the rows in sight are drawn, in the pane that scrolls it; a short one is drawn whole, for the
// browser's own search too. The list is given room for those that are not there.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react'

interface Options {
  readonly count: number
  /** Pixels; what differs is measured where `measure` is set on the row, beside `data-index`. */
  readonly rowHeight: number
  readonly keyOf: (index: number) => string | number
  /** Up to so many all are drawn. */
  readonly plainUpTo?: number
}

interface VisibleRows {
  readonly list: RefObject<HTMLDivElement | null>
  /** Of the list. */
  readonly style: CSSProperties | undefined
  readonly indexes: readonly number[]
  /** Undefined: all rows are there. */
  readonly measure: ((row: HTMLElement | null) => void) | undefined
  readonly scrollTo: (index: number) => void
}

export function useVisibleRows({ count, rowHeight, keyOf, plainUpTo = 100 }: Options): VisibleRows {
  const list = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const long = count > plainUpTo
  const virtualizer: Virtualizer<HTMLElement, HTMLElement> = useVirtualizer({
    count,
    enabled: long,
    getScrollElement: () => paneOf(list.current),
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    scrollMargin: above,
    overscan: 8,
  })
  // What stands above the list grows and goes: a failure, a search.
  useLayoutEffect(() => {
    const pane = paneOf(list.current)
    if (!list.current || !pane) return
    setAbove(Math.round(list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop))
  })
  const scrollTo = (index: number): void => {
    if (long) virtualizer.scrollToIndex(index)
  }
  if (!long) return { list, style: undefined, indexes: [...Array(count).keys()], measure: undefined, scrollTo }
  const items = virtualizer.getVirtualItems()
  const start = (items[0]?.start ?? above) - above
  const end = (items.at(-1)?.end ?? above) - above
  return {
    list,
    style: { paddingTop: start, paddingBottom: Math.max(0, virtualizer.getTotalSize() - end) },
    indexes: items.map(({ index }) => index),
    measure: virtualizer.measureElement,
    scrollTo,
  }
}

/** The nearest that scrolls: another one where the window is narrow. */
function paneOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return document.documentElement
}
