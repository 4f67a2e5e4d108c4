import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { warmUp } from './warm-up.ts'

it('goes from the first word to a list of tools, as with a server', async () => {
  expect(await warmUp(manualClock())).toEqual(['nothing'])
})
