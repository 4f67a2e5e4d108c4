// A view over the whole page. It becomes a popover in its place: a frame that is moved in the document would begin anew.
import { type RefObject, useEffect, useRef } from 'react'
import type { ViewMode } from './use-host-context.ts'

export function useFull(box: RefObject<HTMLElement | null>, mode: ViewMode, onLeave: () => void): void {
  const leave = useRef(onLeave)
  useEffect(() => {
    leave.current = onLeave
  })
  useEffect(() => {
    const element = box.current
    if (!element || mode !== 'fullscreen') return
    element.setAttribute('popover', 'manual')
    element.showPopover()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave.current()
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      element.hidePopover()
      element.removeAttribute('popover')
    }
  }, [box, mode])
}
