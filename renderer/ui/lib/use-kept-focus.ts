// Keeps focus in a part of the page whose content changes, as when an editor replaces the button that opened it.

import { type RefObject, useEffect } from 'react'
import { listen } from './listen.ts'

const fields = 'textarea, input:not([type="checkbox"], [type="radio"]), [contenteditable="true"]'

/** The first field in the added nodes, else an element with `data-focus-back`, else the frame's heading or first such element. */
function nextIn(frame: HTMLElement, added: readonly Node[]): HTMLElement | null {
  const within = added.filter((node) => node instanceof HTMLElement && frame.contains(node)) as HTMLElement[]
  const field = within.map((one) => (one.matches(fields) ? one : one.querySelector<HTMLElement>(fields))).find((one) => one !== null)
  const back = within.map((one) => (one.matches('[data-focus-back]') ? one : one.querySelector<HTMLElement>('[data-focus-back]')))
  return field ?? back.find((one) => one !== null) ?? frame.querySelector<HTMLElement>('h2[tabindex], [data-focus-back]')
}

export function useKeptFocus(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current
    if (!element) return
    let held: Element | undefined
    const onFocusIn = ({ target }: FocusEvent): void => {
      held = target instanceof Element ? target : undefined
    }
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) held = undefined
    }
    const changes = new MutationObserver((records) => {
      if (!held || held.isConnected || document.activeElement !== document.body) return
      held = undefined
      nextIn(
        element,
        records.flatMap(({ addedNodes }) => [...addedNodes]),
      )?.focus({ preventScroll: true })
    })
    const ignore = listen(element, { focusin: onFocusIn, focusout: onFocusOut })
    changes.observe(element, { childList: true, subtree: true })
    return () => {
      changes.disconnect()
      ignore()
    }
  }, [frame])
}
