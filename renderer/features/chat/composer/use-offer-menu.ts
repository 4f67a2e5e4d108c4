// The menu of what servers offer, while its sign is being typed. It is searched by the host; the last answer stays in sight until
// the next one is there, but nothing is chosen from it: who types and presses Enter at once means what they typed.
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Offer, OffersFound } from '#app/server/offers.ts'
import { t } from '#app/words/translate.ts'
import { useServers, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { findTrigger, type Trigger } from './trigger.ts'

/** What was found for what was typed; no `answer`: it could not be asked. */
interface Found {
  readonly kind: Trigger['kind']
  readonly text: string
  readonly answer: OffersFound | undefined
}

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
  const [found, setFound] = useState<Found | undefined>(undefined)
  /** Enter was pressed before the answer to what is typed was there. */
  const held = useRef<boolean>(false)
  const [active, setActive] = useState(0)
  /** Lists that come meanwhile are searched too. */
  const revisions = useServers((state) => state.list.reduce((sum, one) => sum + one.catalogueRevision, 0))
  const open = trigger !== undefined && trigger.from !== closedAt ? trigger : undefined
  const kind = open?.kind
  const text = open?.query

  const take = (offer: Offer): void => {
    if (!open) return
    setTrigger(undefined)
    choose(offer, open)
  }
  const chooseHeld = useEffectEvent((answer: OffersFound) => {
    const [offer] = answer.offers
    if (held.current && offer) take(offer)
    held.current = false
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists are a reason to search again
  useEffect(() => {
    if (kind === undefined || text === undefined) return setFound(undefined)
    let current = true
    link.request('offer.find', { kind, text }).then(
      (answer) => {
        if (!current) return
        setFound({ kind, text, answer })
        setActive(0)
        announce(view, answer.found === 0 ? t`Nothing fits.` : t`${answer.found} found.`)
        chooseHeld(answer)
      },
      // A later search took its place, or the connection is gone, which is said elsewhere.
      () => current && setFound({ kind, text, answer: undefined }),
    )
    return () => {
      current = false
    }
  }, [link, view, kind, text, revisions])

  const isAnswered = found !== undefined && found.kind === kind && found.text === text
  const offers = found?.answer?.offers ?? []
  const close = (): void => setClosedAt(trigger?.from)
  return {
    trigger: open,
    found: open && found?.answer,
    active,
    setActive,
    look() {
      const at = field.current
      const next = at && at.selectionStart === at.selectionEnd ? findTrigger(at.value, at.selectionStart) : undefined
      if (next?.query !== trigger?.query) held.current = false
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
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !isAnswered) held.current = true
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && offer) take(offer)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
