// The pause before Allow works: 600 ms in which nothing about the card changed. It restarts when the card appears, when its content
// changes, when it moves or scrolls into view, when the window comes to the front, and when focus enters the card other than by a
// press on it. So no click or key that was meant for something else allows anything, nor the second stroke of a key that answered
// the card before. The press itself checks once more.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { listen } from '#renderer/ui/lib/listen.ts'

export const armAfterMs = 600
const lookEveryMs = 100
/** Pixels; a smaller move is rounding. */
const movedBy = 3
/** Time in which focus that follows a press inside belongs to that press. */
const pressMs = 1000

export interface Arming {
  readonly armed: boolean
  /** Whether a press counts now. A moved card restarts the pause. */
  readonly mayPress: () => boolean
}

type Place = Pick<DOMRect, 'left' | 'top'> | undefined

const moved = (a: Place, b: Place): boolean =>
  a !== undefined && b !== undefined && (Math.abs(a.left - b.left) >= movedBy || Math.abs(a.top - b.top) >= movedBy)

const isInFrame = (): boolean => document.activeElement instanceof HTMLIFrameElement

/** `content`: all that is shown, as text; a change restarts the pause. */
export function useArming(card: RefObject<HTMLElement | null>, content: string): Arming {
  const [armed, setArmed] = useState(false)
  const since = useRef(Number.POSITIVE_INFINITY)
  const place = useRef<Place>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const restart = useCallback(() => {
    since.current = performance.now()
    place.current = card.current?.getBoundingClientRect()
    setArmed(false)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setArmed(true), armAfterMs)
  }, [card])

  const look = useCallback((): boolean => {
    const still = !moved(place.current, card.current?.getBoundingClientRect())
    if (!still) restart()
    return still
  }, [card, restart])

  // biome-ignore lint/correctness/useExhaustiveDependencies: changed content starts the pause anew
  useEffect(() => {
    restart()
    return () => clearTimeout(timer.current)
  }, [restart, content])

  useEffect(() => {
    const element = card.current
    const onShown = (): void => void (document.visibilityState === 'visible' && restart())
    // Focus that returns from a frame of the page is not the window coming to the front, unless the window was away.
    let inFrame = isInFrame()
    let away = !document.hasFocus()
    const onBlur = (): void => {
      inFrame = isInFrame()
    }
    const onFocus = (): void => {
      if (!inFrame || away) restart()
      inFrame = false
    }
    const ignores = [listen(window, { blur: onBlur, focus: onFocus }), listen(document, { visibilitychange: onShown })]
    const interval = setInterval(() => {
      away = !document.hasFocus()
      look()
    }, lookEveryMs)
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) restart()
      },
      { threshold: [0, 1] },
    )
    if (element) observer.observe(element)
    let pressedAt = Number.NEGATIVE_INFINITY
    const onPress = (): void => {
      pressedAt = performance.now()
    }
    const onFocusIn = ({ relatedTarget }: FocusEvent): void => {
      const isInside = relatedTarget instanceof Node && element?.contains(relatedTarget)
      if (!isInside && performance.now() - pressedAt > pressMs) restart()
    }
    if (element) ignores.push(listen(element, { pointerdown: onPress }, { capture: true }), listen(element, { focusin: onFocusIn }))
    return () => {
      for (const ignore of ignores) ignore()
      clearInterval(interval)
      observer.disconnect()
    }
  }, [card, look, restart])

  const mayPress = useCallback(() => look() && performance.now() - since.current >= armAfterMs, [look])
  return { armed, mayPress }
}
