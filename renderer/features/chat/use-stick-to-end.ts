// Keeps a scrolling box at its end while its content grows, until the person scrolls up.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Pixels from the end that still count as the end. */
const nearEnd = 48

/** `key`: another one begins at the end again. */
export function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: string) {
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
      // Growing content moves the end away too: only scrolling up lets go.
      if (near) stick = true
      else if (element.scrollTop < lastTop - 1) stick = false
      lastTop = element.scrollTop
      setAtEnd(near || stick)
    }
    const follow = (): void => {
      if (stick) element.scrollTop = element.scrollHeight
      else onScroll()
    }
    // What the person opens stays under the pointer, except cards, which rest on the composer.
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
 * Scrolls to the end when the person adds a message. `own`: their last message on the shown path `ids`. A message of another
 * branch, in the place of the one before, is no addition.
 */
export function useEndAtOwnMessage(own: string | undefined, ids: readonly string[], toEnd: () => void): void {
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (own === undefined || own === before.current) return
    if (before.current !== undefined && ids.includes(before.current)) toEnd()
    before.current = own
  }, [own, ids, toEnd])
}
