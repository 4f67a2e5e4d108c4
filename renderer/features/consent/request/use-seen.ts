// Which parts of a request were in view, and how much of it still lies below or above. Measured by geometry: other values can push a
// value out of the card. Changed content, width or height begins anew; content that changes by itself stands in `data-ticks`. What the
// page scrolls past, or shows before it scrolls to the card, was not in view.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Part of a height, in pixels. */
export type Range = readonly [from: number, to: number]

/** Pixels; a smaller gap is rounding. */
const LEAST_GAP = 3

/** Adds a range. Returns the ranges in order, with those that touch joined. */
export function withRange(ranges: readonly Range[], range: Range): readonly Range[] {
  if (range[1] <= range[0]) return ranges
  const merged: Range[] = []
  for (const next of [...ranges, range].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && next[0] <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], next[1])]
    else merged.push(next)
  }
  return merged
}

/** Parts of the height that no range covers, in order. */
export function gapsIn(height: number, ranges: readonly Range[]): readonly Range[] {
  const gaps: Range[] = []
  let end = 0
  for (const [from, to] of [...ranges, [height, height] as const]) {
    if (from - end >= LEAST_GAP) gaps.push([end, Math.min(from, height)])
    end = Math.max(end, to)
  }
  return gaps
}

/** Height of a line, and the overlap after scrolling, in pixels. */
const LINE = 20
const OVERLAP = 24
const lookEveryMs = 250
/** Time until what changed is laid out anyway. */
const frameMs = 16
/** Time for which a part has to stand at its place. */
const stillMs = 100
/** Time after which a card that does not scroll says what is missing; before, it may still be coming into view. */
const patientMs = 400

export interface Seen {
  /** Number of lines that were never in view. */
  readonly lines: number
  /** Direction of the next such line. `cut`: they are left out here, and stand at full size. */
  readonly where: 'below' | 'above' | 'cut'
  readonly shown: boolean
  /** Scrolls to the next such line, or to the beginning where there is none. */
  readonly goOn: () => void
}

/** `since`: when it came to the height `top` in the window. */
type Region = { readonly element: HTMLElement; size: string; ranges: readonly Range[]; top: number; since: number }

type Clip = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/** The part of the window in which an element can be seen, by the panes around it. */
function clipOf(element: HTMLElement): Clip {
  let clip: Clip = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight }
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    const box = at.getBoundingClientRect()
    clip = {
      left: Math.max(clip.left, box.left),
      top: Math.max(clip.top, box.top),
      right: Math.min(clip.right, box.right),
      bottom: Math.min(clip.bottom, box.bottom),
    }
  }
  return clip
}

/** Part of the element's content that is in view now: none while it is cut at a side, or something lies over it. */
function rangeInView(element: HTMLElement): Range {
  const box = element.getBoundingClientRect()
  const { left, top, right, bottom } = clipOf(element)
  const [from, to] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
  if (to <= from || left > box.left + 1 || right < box.right - 1) return [0, 0]
  const over = document.elementFromPoint((box.left + box.right) / 2, (from + to) / 2)
  if (!over || !element.contains(over)) return [0, 0]
  const start = box.top - element.scrollTop
  return [from - start, to - start]
}

const sizeOf = ({ scrollHeight, clientWidth }: HTMLElement): string => `${clientWidth} ${scrollHeight}`
const scrolls = ({ scrollHeight, clientHeight }: HTMLElement): boolean => scrollHeight > clientHeight + 1

type Missing = { readonly element: HTMLElement; readonly gap: Range }

/** Button in a region that opens it at full size, where lines are left out here. */
const cutIn = (regions: readonly Region[]): HTMLElement | null =>
  regions.map(({ element }) => element.querySelector<HTMLElement>('[data-cut]')).find((one) => one !== null) ?? null

const linesOf = (missing: readonly Missing[]): number => Math.ceil(missing.reduce((sum, { gap: [from, to] }) => sum + to - from, 0) / LINE)

/** Records the parts that are in view. Returns those that never were. */
function lookAt(regions: readonly Region[], now: number): { readonly below: readonly Missing[]; readonly above: readonly Missing[] } {
  const missing = { below: [] as Missing[], above: [] as Missing[] }
  for (const region of regions) {
    const { element } = region
    const size = sizeOf(element)
    if (size !== region.size) region.ranges = []
    region.size = size
    const { top } = element.getBoundingClientRect()
    if (top !== region.top) region.since = now
    region.top = top
    // A hidden card has no height, and so no gaps; a long text is drawn in parts.
    if (!element.checkVisibility() || element.querySelector('[data-growing]')) missing.below.push({ element, gap: [0, LINE] })
    if (gapsIn(element.scrollHeight, region.ranges).length === 0) continue
    const range = rangeInView(element)
    if (document.visibilityState === 'visible' && now - region.since >= stillMs) region.ranges = withRange(region.ranges, range)
    const end = range[1] > range[0] ? range[1] : top - element.scrollTop >= clipOf(element).top ? 0 : Number.POSITIVE_INFINITY
    for (const gap of gapsIn(element.scrollHeight, region.ranges)) missing[gap[0] >= end - 1 ? 'below' : 'above'].push({ element, gap })
  }
  return missing
}

function bringIntoView(element: HTMLElement, at: number): void {
  if (scrolls(element)) element.scrollTop = at - OVERLAP
  const { parentElement: parent } = element
  if (!parent) return
  const clip = clipOf(parent)
  const y = element.getBoundingClientRect().top + at - element.scrollTop
  if (y >= clip.top && y + LINE <= clip.bottom) return
  for (let box: HTMLElement | null = parent; box; box = box.parentElement) {
    if (!scrolls(box) || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue
    box.scrollTop += y - clip.top - OVERLAP
    return
  }
}

const ticks = ({ target }: MutationRecord): boolean =>
  (target instanceof Element ? target : target.parentElement)?.closest('[data-ticks]') !== null

/** `parts`: stable refs, in reading order. */
export function useSeen(...parts: readonly RefObject<HTMLElement | null>[]): Seen {
  const [state, setState] = useState({ lines: 1, where: 'below' as Seen['where'], shown: false })
  const regions = useRef<readonly Region[]>([])
  const since = useRef<number | undefined>(undefined)
  const refs = useRef(parts)
  const soon = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const look = useCallback(() => {
    clearTimeout(soon.current)
    soon.current = undefined
    const now = performance.now()
    const { below, above } = lookAt(regions.current, now)
    const here = linesOf(below.length > 0 ? below : above)
    const cut = Number(cutIn(regions.current)?.dataset['cut'] ?? 0)
    const lines = here || cut
    const where = here === 0 && cut > 0 ? 'cut' : below.length > 0 || above.length === 0 ? 'below' : 'above'
    since.current = lines === 0 ? undefined : (since.current ?? now)
    const late = since.current !== undefined && now - since.current >= patientMs
    const shown = late || regions.current.some(({ element }) => scrolls(element))
    setState((last) => (last.lines === lines && last.where === where && last.shown === shown ? last : { lines, where, shown }))
  }, [])

  /** Looks once what changes in this frame is laid out: a long text grows part by part. */
  const lookSoon = useCallback(() => {
    soon.current ??= setTimeout(look, frameMs)
  }, [look])

  useLayoutEffect(() => {
    const elements = refs.current.flatMap(({ current }) => current ?? [])
    regions.current = elements.map((element) => ({ element, size: '', ranges: [], top: Number.NaN, since: 0 }))
    const changes = new MutationObserver((records) => {
      if (records.every(ticks)) return
      for (const region of regions.current) region.ranges = []
      setState((last) => (last.lines === 0 ? { ...last, lines: 1, where: 'below' } : last))
      lookSoon()
    })
    for (const element of elements) changes.observe(element, { childList: true, characterData: true, subtree: true })
    window.addEventListener('scroll', look, true)
    window.addEventListener('resize', look)
    const interval = setInterval(look, lookEveryMs)
    look()
    return () => {
      changes.disconnect()
      clearTimeout(soon.current)
      window.removeEventListener('scroll', look, true)
      window.removeEventListener('resize', look)
      clearInterval(interval)
    }
  }, [look, lookSoon])
  useEffect(look)

  const goOn = (): void => {
    const { below, above } = lookAt(regions.current, performance.now())
    const [next] = below.length > 0 ? below : above
    const cut = cutIn(regions.current)
    if (next) bringIntoView(next.element, next.gap[0])
    else if (cut) cut.click()
    else for (const { element } of regions.current) bringIntoView(element, 0)
    look()
  }
  return { ...state, goOn }
}

/** Whether there is more in the box than it shows: then it takes focus, so that the keyboard can scroll it. */
export function useScrolls(box: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = (): void => setScrolls(element.scrollHeight > element.clientHeight)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    look()
    return () => observer.disconnect()
  })
  return scrolls
}
