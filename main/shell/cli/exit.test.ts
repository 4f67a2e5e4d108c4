import { expect, it } from 'vitest'
import { HostError, hostErrorCodes } from '#app/errors.ts'
import { exitCodeOf, exitCodes } from './exit.ts'

it('tells a no of the person or of the policy from whatever went wrong', () => {
  const refused = hostErrorCodes.filter((code) => exitCodeOf(new HostError(code, 'x')) === exitCodes.refused)
  expect(new Set(refused)).toEqual(new Set(['consent.denied', 'consent.withdrawn', 'server.refused', 'server.sign-in-refused']))
  expect(exitCodeOf(new Error('x'))).toBe(exitCodes.failed)
})
