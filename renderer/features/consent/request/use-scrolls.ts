import { type RefObject, useLayoutEffect, useState } from 'react'

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
