// The pause before Allow works, where frames of the page (views of tools, diagrams) take the focus, give it back, and grow above the card.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { armAfterMs, useArming } from './use-arming.ts'

let pressed: boolean[] = []
let top = 100
let windowIsFront = true
let active: Element | null = null
const nothing = { observe: () => undefined, disconnect: () => undefined }

function Card() {
  const box = useRef<HTMLDivElement>(null)
  const { armed, mayPress } = useArming(box, 'the same')
  return (
    <div ref={box}>
      <button type="button" aria-disabled={!armed} onClick={() => pressed.push(mayPress())}>
        Allow
      </button>
    </div>
  )
}
const isArmed = (): boolean => screen.getByRole('button').getAttribute('aria-disabled') === 'false'
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))
/** The window’s focus goes into a frame of the page, or comes back from it. */
const toFrame = (): void => {
  active = document.createElement('iframe')
  fireEvent.blur(window)
}
const fromFrame = (): void => {
  active = document.body
  fireEvent.focus(window)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  vi.stubGlobal('IntersectionObserver', function Unmoved() {
    return nothing
  })
  vi.spyOn(document, 'hasFocus').mockImplementation(() => windowIsFront)
  vi.spyOn(document, 'activeElement', 'get').mockImplementation(() => active)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => ({ left: 0, top }) as DOMRect)
  pressed = []
  top = 100
  windowIsFront = true
  active = document.body
  render(<Card />)
  pass(armAfterMs)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('stays armed when the focus goes into a frame of the page and comes back', () => {
  toFrame()
  pass(300)
  fromFrame()
  fireEvent.click(screen.getByRole('button'))
  expect([isArmed(), pressed]).toEqual([true, [true]])
})

it('begins anew when the window was away meanwhile', () => {
  toFrame()
  windowIsFront = false
  pass(300)
  windowIsFront = true
  fromFrame()
  fireEvent.click(screen.getByRole('button'))
  expect([isArmed(), pressed]).toEqual([false, [false]])
  pass(armAfterMs)
  expect(isArmed()).toBe(true)
})

it('begins anew when the window comes to the front by itself', () => {
  fireEvent.blur(window)
  fireEvent.focus(window)
  expect(isArmed()).toBe(false)
})

it('counts no press on a card that a frame above it has just pushed down', () => {
  top = 180
  fireEvent.click(screen.getByRole('button'))
  expect(pressed).toEqual([false])
  pass(armAfterMs - 1)
  fireEvent.click(screen.getByRole('button'))
  pass(1)
  fireEvent.click(screen.getByRole('button'))
  expect(pressed).toEqual([false, false, true])
})

it('is never armed under a frame that does not come to rest', () => {
  for (let times = 0; times < 20; times += 1) {
    top += 40
    pass(300)
    expect(isArmed()).toBe(false)
  }
})
