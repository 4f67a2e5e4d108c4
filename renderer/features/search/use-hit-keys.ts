import type { KeyboardEvent, RefObject } from 'react'
import { isTyping } from '#renderer/ui/typing.ts'

/** Arrows go from the field to the hits and between them; Enter in the field opens the first one. */
export function useHitKeys(page: RefObject<HTMLElement | null>, input: RefObject<HTMLInputElement | null>) {
  return (event: KeyboardEvent): void => {
    if (isTyping(event) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const hits = [...(page.current?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])]
    const at = target === input.current ? -1 : hits.indexOf(target)
    if (target !== input.current && at < 0) return
    const go = (next: HTMLElement | null | undefined): void => {
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    if (event.key === 'ArrowDown') go(hits[at + 1])
    else if (event.key === 'ArrowUp' && at >= 0) go(at === 0 ? input.current : hits[at - 1])
    else if (event.key === 'Enter' && at < 0) hits[0]?.click()
    else if (event.key === 'Escape') {
      event.stopPropagation()
      event.nativeEvent.stopImmediatePropagation()
      if (at >= 0) go(input.current)
    }
  }
}
