import { expect, it } from 'vitest'
import { expiry } from './obtain-token.ts'

it.each([
  [3600, { expiresAt: 3_601_000 }],
  [undefined, {}],
  [0, {}],
  [-5, {}],
  [Number.NaN, {}],
  [1e300, { expiresAt: 1000 + 10 * 365 * 24 * 3600 * 1000 }],
])('a life of %s seconds is taken for what it can mean', (life, expected) => {
  expect(expiry(life, 1000)).toEqual(expected)
})
