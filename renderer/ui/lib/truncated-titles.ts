// What a line cuts off with … is said whole in a title, by every line alike: looked at as the pointer comes to it, since
// only then is it known what has room. A title that an element has of its own is left as it is.
import { useEffect } from 'react'

const mark = 'cutTitle'

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, overflowY, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true
  const clamped = webkitLineClamp !== undefined && webkitLineClamp !== '' && webkitLineClamp !== 'none'
  return clamped && overflowY === 'hidden' && element.scrollHeight > element.clientHeight
}

/** Gives the element the title that it needs now, or takes away the one that it had from here. */
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

/** Returns its undo. */
export function titleWhatIsCut(root: Document): () => void {
  const onOver = ({ target }: Event): void => {
    let element = target instanceof HTMLElement ? target : target instanceof Element ? target.parentElement : null
    // What is cut is the word under the pointer or a line around it; farther out stand panes.
    for (let steps = 0; element && steps < 4; steps += 1) {
      entitle(element)
      element = element.parentElement
    }
  }
  root.addEventListener('pointerover', onOver, { passive: true })
  return () => root.removeEventListener('pointerover', onOver)
}

export const useTruncatedTitles = (): void => useEffect(() => titleWhatIsCut(document), [])
