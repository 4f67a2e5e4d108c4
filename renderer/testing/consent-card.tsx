// A card as its tests show it: with others beside it, above a composer, and under a clock of the test's own.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { ConsentRequest } from '#app/consent/request.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { composerId } from '#renderer/navigation/focus.ts'
import { createFakeConnection } from './fake-link.ts'
import { renderWith } from './render.tsx'

/** Where the cards are in the window; a test may move them. */
export const cardPosition = { top: 100 }

export function withCardClock(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    cardPosition.top = 100
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, cardPosition.top, 700, 200))
  })
  afterEach(() => {
    cleanup()
    expect(vi.getTimerCount()).toBe(0)
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}

const accepted = { 'consent.answer': () => ({ accepted: true }) }

export async function show(request: ConsentRequest, others: readonly ConsentRequest[] = []) {
  const link = createFakeConnection({ snapshot: { consentRequests: [request, ...others] }, answers: accepted })
  const view = await renderWith(
    <>
      {[request, ...others].map((one) => (
        <ConsentCard key={one.id} request={one} />
      ))}
      <textarea id={composerId} aria-label="Message" />
    </>,
    link,
  )
  return { ...view, answers: () => link.paramsOf('consent.answer') }
}

export const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
export const first = (name: RegExp): HTMLElement => {
  const [element] = screen.getAllByRole('button', { name })
  if (!element) throw new Error(`no button ${String(name)}`)
  return element
}
export const allowButton = (): HTMLElement => first(/^Allow/)
