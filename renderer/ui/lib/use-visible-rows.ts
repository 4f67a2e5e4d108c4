// Draws only the rows of a long list that are in sight, in the pane that scrolls it; a short list is drawn whole, for the browser's own
// search too. Padding keeps the room of the other rows.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { textScale } from '#renderer/appearance.ts'
import { useSettings } from '#renderer/stores/store-hooks.tsx'

export const useTextScale = (): number => useSettings((state) => textScale(state.settings.textSize))

type RowOptions = Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0]

/** `useVirtualizer` with estimates in pixels at the usual text size; all rows are sized anew when that changes. */
export function useScaledRows(options: RowOptions): Virtualizer<HTMLElement, HTMLElement> {
  const scale = useTextScale()
  const virtualizer = useVirtualizer({ ...options, estimateSize: (index) => options.estimateSize(index) * scale })
  const sized = useRef(scale)
  useLayoutEffect(() => {
    if (sized.current !== scale) virtualizer.measure()
    sized.current = scale
  }, [scale, virtualizer])
  return virtualizer
}

interface Options {
  readonly count: number
  /** Estimate in pixels at the usual text size; rows with `measure` as their ref and `data-index` are measured. */
  readonly rowHeight: number
  readonly keyOf: (index: number) => string | number
  /** Number of rows up to which all are drawn. */
  readonly plainUpTo?: number
  /** Selector of what sticks to the top of the pane and covers rows there. */
  readonly sticky?: string
}

export function useVisibleRows({ count, rowHeight, keyOf, plainUpTo = 100, sticky }: Options) {
  const list = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const [covered, setCovered] = useState(0)
  const long = count > plainUpTo
  const virtualizer = useScaledRows({
    count,
    enabled: long,
    getScrollElement: () => paneOf(list.current),
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    scrollMargin: above,
    scrollPaddingStart: covered,
    overscan: 8,
  })
  // Notices and search fields above the list come and go.
  useLayoutEffect(() => {
    const pane = paneOf(list.current)
    if (!list.current || !pane) return
    if (sticky) setCovered(pane.querySelector(sticky)?.clientHeight ?? 0)
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

/** The nearest pane that scrolls, which differs between wide and narrow windows. */
function paneOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return document.documentElement
}
