import { expect, test } from 'vitest'
import { createPageOpener } from './with-host.ts'

const url = 'https://auth.example/authorize?state=s'

test.each([
  ['a terminal and a browser', true, 'opened', 'host', 1, 1],
  ['a terminal without a browser', true, 'no-browser', 'page', 1, 1],
  ['a browser that cannot read the file', true, 'unreadable', 'page', 1, 1],
  ['nobody at a terminal', false, 'opened', 'page', 0, 1],
] as const)('with %s', async (_what, terminal, opened, by, tries, lines) => {
  const told: string[] = []
  const tried: string[] = []
  const browser = {
    async open(address: string) {
      tried.push(address)
      return opened
    },
  }
  const open = createPageOpener({ note: (line) => told.push(line), terminal, browser })
  expect(await open({ url })).toBe(by)
  expect([tried, told.length, told.at(-1)?.includes(url)]).toEqual([Array(tries).fill(url), lines, true])
})

test('hidden characters of an address are told by name', async () => {
  const told: string[] = []
  const browser = { open: async () => 'opened' as const }
  await createPageOpener({ note: (line) => told.push(line), terminal: false, browser })({ url: 'https://a.example/\u202e' })
  expect(told.join().includes('\u202e')).toBe(false)
})
