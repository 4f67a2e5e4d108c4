import { expect, it } from 'vitest'
import { tabScroll } from './tabs.tsx'

it.each([
  ['a tab that is whole in view', 10, 60, 0],
  ['one that begins before the strip', -34, 50, -34],
  ['one that ends behind it', 80, 130, 30],
  ['one that is wider than the strip, from its beginning', 20, 200, 20],
])('the strip scrolls to %s', (_title, left, right, by) => {
  expect(tabScroll({ left: 0, right: 100 }, { left, right })).toBe(by)
})
