import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.ts'
import { rehearse } from './rehearsal.ts'

it('goes from the first word to a list of tools, as with a server', async () => {
  expect(await rehearse(manualClock())).toEqual(['nothing'])
})
