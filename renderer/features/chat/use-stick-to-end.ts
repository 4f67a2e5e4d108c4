// Keeps a scrolling box at its end while it grows, until the person scrolls up; then it leaves them where they are.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as the end. */
const nearEnd = 48

interface StickToEnd {
  readonly atEnd: boolean
  readonly toEnd: () => void
}

export function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string): StickToEnd {
  const [atEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    const element = box.current
    if (element) element.scrollTop = element.scrollHeight
    setAtEnd(true)
  }, [box])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins at its end
  useEffect(() => {
    const element = box.current
    const inner = content.current
    if (!element || !inner) return
    let stick = true
    let lastTop = 0
    const onScroll = (): void => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd
      // Growing content moves the end away without the person's doing: only scrolling up lets go.
      if (near) stick = true
      else if (element.scrollTop < lastTop - 1) stick = false
      lastTop = element.scrollTop
      setAtEnd(near || stick)
    }
    const follow = (): void => {
      if (stick) element.scrollTop = element.scrollHeight
      else onScroll()
    }
    // What the person opens themselves stays under their pointer. A card is not among it: it rests on the composer.
    const onClick = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('[aria-expanded], summary, [data-stays]') && !target.closest('.ask')) stick = false
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    inner.addEventListener('click', onClick, { capture: true })
    toEnd()
    return () => {
      observer.disconnect()
      inner.removeEventListener('click', onClick, { capture: true })
      element.removeEventListener('scroll', onScroll)
    }
  }, [box, content, key, toEnd])

  return { atEnd, toEnd }
}

/**
 * What the person adds brings the end into view, wherever they were reading. `own`: their last message on the path that is shown,
 * which is `ids`. One that stands in another's place, as in another branch, adds nothing.
 */
export function useEndAtOwnMessage(own: string | undefined, ids: readonly string[], toEnd: () => void): void {
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (own === undefined || own === before.current) return
    if (before.current !== undefined && ids.includes(before.current)) toEnd()
    before.current = own
  }, [own, ids, toEnd])
}
