// The list above the composer. Focus stays in the text; the option that is meant is named there. Names and descriptions are the
// servers' words.

import { useEffect, useRef } from 'react'
import type { Offer } from '#app/server/offers.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { Matched } from '#renderer/ui/matched.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { OfferMenu } from './use-offer-menu.ts'

export const offerListId = 'offers'
export const offerId = (index: number): string => `offer-${index}`
const icons = { resource: 'file', template: 'edit', prompt: 'text' } as const

interface OfferListProps {
  readonly menu: OfferMenu
  readonly onChoose: (offer: Offer) => void
}

export function OfferList({ menu, onChoose }: OfferListProps) {
  const { go } = useActions()
  const list = useRef<HTMLDivElement>(null)
  const { trigger, found, active } = menu
  // biome-ignore lint/correctness/useExhaustiveDependencies: another option is meant
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [active])
  if (!trigger || !found) return null
  const { offers, unknown } = found
  const what = trigger.kind === 'prompt' ? t`prompts` : t`resources`
  return (
    <div className="offer-menu">
      <div
        ref={list}
        id={offerListId}
        className="offer-list"
        role="listbox"
        aria-label={trigger.kind === 'prompt' ? t`Prompts` : t`Resources`}
      >
        {offers.map((offer, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard where the focus is, in the text
          <div
            key={`${offer.server} ${offer.kind} ${offer.kind === 'resource' ? offer.uri : offer.name}`}
            id={offerId(index)}
            className="offer"
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => menu.setActive(index)}
            onClick={() => onChoose(offer)}
          >
            <Icon name={icons[offer.kind]} small />
            <span className="offer-name">
              <Matched text={trigger.kind === 'prompt' ? `/${offer.name}` : offer.name} query={trigger.query} />
            </span>
            <span className="offer-about">
              <Revealed text={aboutOf(offer)} />
            </span>
            <ServerMark name={offer.server} />
            <span className="faint">
              <Revealed text={offer.server} />
            </span>
          </div>
        ))}
      </div>
      {offers.length === 0 && <p className="help offer-note">{tx`No ${what} fit.`}</p>}
      {found.found > offers.length && (
        <p className="help offer-note">{tx`The best ${offers.length} of ${numberWords(found.found)}. Type on to find others.`}</p>
      )}
      {unknown.slice(0, 3).map((server) => (
        <p key={server} className="row help offer-note">
          <span className="grow">{tx`${<ServerName name={server} />} has not run yet.`}</span>
          <Button size="sm" onMouseDown={(event) => event.preventDefault()} onClick={() => go('server.start', { name: server })}>
            {t`Start it`}
          </Button>
        </p>
      ))}
    </div>
  )
}

const aboutOf = (offer: Offer): string => offer.title ?? offer.description ?? (offer.kind === 'resource' ? offer.uri : '')
