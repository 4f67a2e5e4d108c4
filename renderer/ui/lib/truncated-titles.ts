// Gives the whole text as the title of an element that cuts it off with "…", as the pointer enters; its own title stays.

import { useEffect } from 'react'
import { listen } from './listen.ts'

const mark = 'cutTitle'

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, overflowY, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true
  const clamped = webkitLineClamp !== undefined && webkitLineClamp !== '' && webkitLineClamp !== 'none'
  return clamped && overflowY === 'hidden' && element.scrollHeight > element.clientHeight
}

/** Sets the title that the element needs now, or removes the one that was set here. */
function entitle(element: HTMLElement): void {
  const ours = element.dataset[mark] !== undefined
  if (!ours && element.closest('[title]:not([data-cut-title])')) return
  if (isCut(element) && !element.matches('input, textarea, select')) {
    element.dataset[mark] = ''
    element.title = (element.innerText || element.textContent || '').trim()
  } else if (ours) {
    delete element.dataset[mark]
    element.removeAttribute('title')
  }
}

/** Starts to set titles. Returns its undo. */
export function titleWhatIsCut(root: Document): () => void {
  const onOver = ({ target }: Event): void => {
    let element = target instanceof HTMLElement ? target : target instanceof Element ? target.parentElement : null
    // The cut element is the word under the pointer or a line around it; panes stand farther out.
    for (let steps = 0; element && steps < 4; steps += 1) {
      entitle(element)
      element = element.parentElement
    }
  }
  return listen(root, { pointerover: onOver }, { passive: true })
}

export const useTruncatedTitles = (): void => useEffect(() => titleWhatIsCut(document), [])
