// The menu of what servers offer, while its sign is being typed. It is searched by the host; the last answer stays until the
// next one is there.
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { Offer, OffersFound } from '#app/server/offers.ts'
import { t } from '#app/words/translate.ts'
import { useServers, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { findTrigger, type Trigger } from './trigger.ts'

export interface OfferMenu {
  readonly trigger: Trigger | undefined
  readonly found: OffersFound | undefined
  readonly active: number
  readonly setActive: (index: number) => void
  /** What is typed, or where the caret is, has changed. */
  readonly look: () => void
  readonly close: () => void
  /** Whether the key was the menu's. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

export function useOfferMenu(field: RefObject<HTMLTextAreaElement | null>, choose: (offer: Offer, trigger: Trigger) => void): OfferMenu {
  const { link, view } = useStores()
  const [trigger, setTrigger] = useState<Trigger | undefined>(undefined)
  const [closedAt, setClosedAt] = useState<number | undefined>(undefined)
  const [found, setFound] = useState<OffersFound | undefined>(undefined)
  const [active, setActive] = useState(0)
  /** Lists that come meanwhile are searched too. */
  const revisions = useServers((state) => state.list.reduce((sum, one) => sum + one.catalogueRevision, 0))
  const open = trigger !== undefined && trigger.from !== closedAt ? trigger : undefined
  const kind = open?.kind
  const text = open?.query

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists are a reason to search again
  useEffect(() => {
    if (kind === undefined || text === undefined) return setFound(undefined)
    let current = true
    link.request('offer.find', { kind, text }).then(
      (answer) => {
        if (!current) return
        setFound(answer)
        setActive(0)
        announce(view, answer.found === 0 ? t`Nothing fits.` : t`${answer.found} found.`)
      },
      () => undefined, // A later search took its place, or the connection is gone, which is said elsewhere.
    )
    return () => {
      current = false
    }
  }, [link, view, kind, text, revisions])

  const offers = found?.offers ?? []
  const close = (): void => setClosedAt(trigger?.from)
  return {
    trigger: open,
    found: open && found,
    active,
    setActive,
    look() {
      const at = field.current
      const next = at && at.selectionStart === at.selectionEnd ? findTrigger(at.value, at.selectionStart) : undefined
      // What was closed stays so as long as it is the same sign that is typed on.
      setClosedAt((before) => (next?.from === before && next?.kind === trigger?.kind ? before : undefined))
      setTrigger(next)
    },
    close,
    onKey(event) {
      if (!open) return false
      const offer = offers[active]
      if (event.key === 'Escape') close()
      else if (event.key === 'ArrowDown' && offers.length > 0) setActive((active + 1) % offers.length)
      else if (event.key === 'ArrowUp' && offers.length > 0) setActive((active + offers.length - 1) % offers.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && offer) {
        setTrigger(undefined)
        choose(offer, open)
      } else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
