import { expect, it, vi } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { awaitFirstPage } from './background-tasks.ts'

function make(isExpected: boolean) {
  const clock = manualClock()
  const begin = vi.fn()
  return { clock, begin, page: awaitFirstPage({ clock, isExpected, begin }) }
}

it('begins when the first page is there, once', () => {
  const { page, begin, clock } = make(true)
  expect(begin).not.toHaveBeenCalled()
  page.shown()
  page.shown()
  clock.advance(60_000)
  expect(begin).toHaveBeenCalledOnce()
})

it('begins without a page that does not come, and where none is expected at once', () => {
  const late = make(true)
  late.clock.advance(60_000)
  late.page.shown()
  const none = make(false)
  none.clock.advance(0)
  expect([late.begin.mock.calls.length, none.begin.mock.calls.length]).toEqual([1, 1])
})

it('begins nothing once it is disposed of', () => {
  const { page, begin, clock } = make(true)
  page.dispose()
  page.shown()
  clock.advance(60_000)
  expect([begin.mock.calls.length, clock.pending]).toEqual([0, 0])
})
