// Arrow keys, Home and End between the rows of a list of links. Tab goes from link to link as anywhere.
import type { KeyboardEvent } from 'react'

/** Handles `onKeyDown` of a list. `rows`: selector of the elements to move between. */
export function moveBetween(event: KeyboardEvent<HTMLElement>, rows: string): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(rows)]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  all[Math.min(all.length - 1, Math.max(0, to))]?.focus()
}
