// A view may not take the focus by itself: what the person types next would go to it. So its frame is inert, seen but not
// reached, as long as the pointer is not over it and the focus not in it. Who goes by keys enters it by a button. Script in a
// frame can take the focus all the same: then it goes back to where it was, and a view that goes on taking it is ended.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

interface Inert {
  readonly inert: boolean
  /** For what lies around the frame. */
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
  /** Puts the focus into the frame. */
  readonly enter: () => void
}

/** Of one view. Some put the focus into a field of theirs when they are drawn. */
const mostThefts = 5

export function useInert(frame: RefObject<HTMLIFrameElement | null>, onThief: () => void): Inert {
  const [inert, setInert] = useState(true)
  const over = useRef<boolean>(false)
  const thefts = useRef<number>(0)
  const thief = useRef(onThief)
  useEffect(() => {
    thief.current = onThief
  })
  useEffect(() => {
    let before: Element | null = document.activeElement
    let back: ReturnType<typeof setTimeout> | undefined
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target !== frame.current) before = target
      // Focus that comes out of the frame again comes to something in this page.
      if (!over.current && document.activeElement !== frame.current) setInert(true)
    }
    const onBlur = (): void => {
      if (!inert || frame.current === null || document.activeElement !== frame.current) return
      thefts.current += 1
      // The browser is still on its way into the frame.
      back = setTimeout(() => {
        window.focus()
        frame.current?.blur()
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        if (thefts.current >= mostThefts) thief.current()
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
    onPointerEnter: useCallback(() => {
      over.current = true
      setInert(false)
    }, []),
    onPointerLeave: useCallback(() => {
      over.current = false
      if (document.activeElement !== frame.current) setInert(true)
    }, [frame]),
    enter: useCallback(() => {
      // At once, so that it can take the focus with this very press.
      if (frame.current) frame.current.inert = false
      setInert(false)
      frame.current?.focus()
    }, [frame]),
  }
}
