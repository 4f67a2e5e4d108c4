import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { diagramPath } from '#app/contract/csp.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { Diagram } from './diagram.tsx'

/** All that is on the page is near the window. */
function Seen(told: IntersectionObserverCallback) {
  const observer = {
    observe: () => told([{ isIntersecting: true } as IntersectionObserverEntry], observer as never),
    disconnect: () => undefined,
  }
  return observer
}
beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', Seen)
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is drawn in a frame that may run scripts and nothing else: no origin of ours, no pop-up, no way to the top, no address told', async () => {
  await renderWith(<Diagram source="flowchart LR" />)
  expect(document.querySelector('iframe')).toBeNull()
  act(() => vi.advanceTimersByTime(1000))
  // The next diagram's turn.
  act(() => vi.advanceTimersByTime(100))
  const frame = screen.getByTitle('Diagram: flowchart LR')
  const of = (name: string): string | null => frame.getAttribute(name)
  expect([of('src'), of('srcdoc'), of('sandbox'), of('referrerpolicy'), of('allow')]).toEqual([
    diagramPath,
    null,
    'allow-scripts',
    'no-referrer',
    null,
  ])
})

it('makes one frame between two frames of the window, however many diagrams are near', async () => {
  const sources = Array.from({ length: 30 }, (_, at) => `flowchart LR\n  a${at}`)
  await renderWith(sources.map((source) => <Diagram key={source} source={source} />))
  const counts: number[] = []
  for (let step = 0; step < 200; step += 1) {
    act(() => vi.advanceTimersByTime(16))
    counts.push(document.querySelectorAll('iframe').length)
  }
  const most = Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)))
  expect([most, counts.at(-1)]).toEqual([1, 30])
})
