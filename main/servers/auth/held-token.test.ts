import { describe, expect, it } from 'vitest'
import { isDueForRenewal } from './held-token.ts'

const obtainedAt = 1_000_000
const token = { obtainedAt, refreshToken: 'r', grant: 'authorization-code' } as const

describe('a token is due for renewal', () => {
  it.each([
    ['a minute before it is too old', { ...token, expiresAt: obtainedAt + 3_600_000 }, 3_540_000],
    ['after three quarters of a short life', { ...token, expiresAt: obtainedAt + 40_000 }, 30_000],
    [
      'without a refresh token where a machine gets another',
      { obtainedAt, refreshToken: undefined, grant: 'client-credentials', expiresAt: obtainedAt + 40_000 } as const,
      30_000,
    ],
  ])('%s', (_when, held, due) => {
    expect([due - 1, due].map((age) => isDueForRenewal(held, obtainedAt + age))).toEqual([false, true])
  })

  it.each([
    ['its end is not known', { ...token, expiresAt: undefined }],
    ['only the person could get another', { ...token, refreshToken: undefined, expiresAt: obtainedAt + 1 }],
  ])('never, while %s', (_why, held) => {
    expect(isDueForRenewal(held, obtainedAt + 1_000_000_000)).toBe(false)
  })
})
