import { expect, test } from 'vitest'
import { createPageOpener } from './open-page.ts'

const url = 'https://auth.example/authorize?state=s'

test.each([
  ['a terminal and a browser', true, true, 'host', 1],
  ['a terminal without a browser', true, false, 'page', 1],
  ['nobody at a terminal', false, true, 'page', 0],
] as const)('with %s', async (_what, terminal, works, by, tries) => {
  const told: string[] = []
  const tried: string[] = []
  const open = createPageOpener({ note: (line) => told.push(line), terminal, open: async (address) => tried.push(address) > 0 && works })
  expect(await open({ url })).toBe(by)
  expect([tried, told.length, told[0]?.includes(url)]).toEqual([Array(tries).fill(url), 1, true])
})

test('hidden characters of an address are told by name', async () => {
  const told: string[] = []
  await createPageOpener({ note: (line) => told.push(line), terminal: false })({ url: 'https://a.example/\u202e' })
  expect(told.join().includes('\u202e')).toBe(false)
})
