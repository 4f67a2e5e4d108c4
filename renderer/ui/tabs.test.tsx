import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Tabs, tabScroll } from './tabs.tsx'

it.each([
  ['a tab that is whole in view', 10, 60, 0],
  ['one that begins before the strip', -34, 50, -34],
  ['one that ends behind it', 80, 130, 30],
  ['one that is wider than the strip, from its beginning', 20, 200, 20],
])('the strip scrolls to %s', (_title, left, right, by) => {
  expect(tabScroll({ left: 0, right: 100 }, { left, right })).toBe(by)
})

it.each([
  ['before', 4, 50, -6],
  ['behind', 50, 96, 6],
])('and clear of what is faded %s it', (_title, left, right, by) => {
  expect(tabScroll({ left: 0, right: 100 }, { left, right }, 10)).toBe(by)
})

describe('a strip of 300 px in a window of 100', () => {
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
  })

  const shown = (direction: 'ltr' | 'rtl', tabs = ['a', 'b', 'c']) => {
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(tabs.length * 100)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100)
    render(
      <div style={{ direction }}>
        <Tabs label="Parts" value="a" tabs={tabs.map((value) => ({ value, label: value }))} onChange={() => undefined}>
          {null}
        </Tabs>
      </div>,
    )
    const strip = screen.getByRole('tablist')
    return {
      goesOn: () => ['left', 'right'].filter((side) => strip.hasAttribute(`data-more-${side}`)),
      scrollTo: (to: number) => {
        strip.scrollLeft = to
        fireEvent.scroll(strip)
      },
    }
  }

  it.each([
    ['ltr', 0, ['right']],
    ['ltr', 60, ['left', 'right']],
    ['ltr', 200, ['left']],
    ['rtl', 0, ['left']],
    ['rtl', -60, ['left', 'right']],
    ['rtl', -200, ['right']],
  ] as const)('tells at which ends it goes on: %s at %d, %j', (direction, at, sides) => {
    const { goesOn, scrollTo } = shown(direction)
    scrollTo(at)
    expect(goesOn()).toEqual(sides)
  })

  it('tells nothing where all of it is in view', () => {
    expect(shown('ltr', ['a']).goesOn()).toEqual([])
  })
})
