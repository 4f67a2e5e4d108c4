// Keeps a view from taking the focus, since the person's next keys would go to it. The frame is inert unless the pointer is over it
// or the focus is in it; a button enters it by keyboard. A script in the frame can still take the focus: it is then moved back, and
// a view that repeats that is ended.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

/** Focus thefts that end a view. Some views focus one of their fields when they are drawn. */
const mostThefts = 5

/** `onPointerEnter`, `onPointerLeave`: handlers of the element around the frame. `enter`: moves the focus into the frame. */
export function useInert(frame: RefObject<HTMLIFrameElement | null>, onThief: () => void) {
  const [inert, setInert] = useState(true)
  const over = useRef<boolean>(false)
  const thefts = useRef<number>(0)
  const endThief = useEffectEvent(onThief)
  useEffect(() => {
    let before: Element | null = document.activeElement
    let back: ReturnType<typeof setTimeout> | undefined
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target !== frame.current) before = target
      // The focus left the frame for an element of this page.
      if (!over.current && document.activeElement !== frame.current) setInert(true)
    }
    const onBlur = (): void => {
      if (!inert || frame.current === null || document.activeElement !== frame.current) return
      thefts.current += 1
      // The browser completes the move into the frame first.
      back = setTimeout(() => {
        window.focus()
        frame.current?.blur()
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        if (thefts.current >= mostThefts) endThief()
      })
    }
    document.addEventListener('focusin', onFocusIn)
    addEventListener('blur', onBlur)
    return () => {
      clearTimeout(back)
      document.removeEventListener('focusin', onFocusIn)
      removeEventListener('blur', onBlur)
    }
  }, [inert, frame])
  return {
    inert,
    onPointerEnter(): void {
      over.current = true
      setInert(false)
    },
    onPointerLeave(): void {
      over.current = false
      if (document.activeElement !== frame.current) setInert(true)
    },
    enter(): void {
      // Set directly: the frame must be focusable within this click.
      if (frame.current) frame.current.inert = false
      setInert(false)
      frame.current?.focus()
    },
  }
}
