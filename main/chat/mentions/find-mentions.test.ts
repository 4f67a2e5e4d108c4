import { expect, test } from 'vitest'
import { emptyCatalogue } from '#app/server/catalogue.ts'
import { mostMentions } from '#app/server/mentions.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import { createFindMentions } from './find-mentions.ts'

const resources = Array.from({ length: 50_000 }, (_, index) => ({ uri: `r://${index}`, name: `entry ${index}.txt` }))
const views = [
  { name: 'many', state: { kind: 'stopped' } },
  { name: 'new', state: { kind: 'stopped' } },
  { name: 'off', state: { kind: 'disabled' } },
]
const servers: Pick<Servers, 'views' | 'catalogue'> = {
  // Only name and state are read.
  views: () => views as unknown as ReturnType<Servers['views']>,
  catalogue: (name) => (name === 'new' ? emptyCatalogue : { ...emptyCatalogue, resources, fetchedAt: 1 }),
}

test('of 50,000 the best few are shown, all are counted, and servers that nobody knows are named', async () => {
  const { offers, found, unknown } = await createFindMentions(servers)('resource', '49999')
  expect([offers[0], found >= 1, unknown]).toEqual([
    { kind: 'resource', server: 'many', uri: 'r://49999', name: 'entry 49999.txt' },
    true,
    ['new'],
  ])
  expect((await createFindMentions(servers)('resource', '')).offers).toHaveLength(mostMentions)
})

test('others get their turn while it looks, and a later search ends an earlier one', async () => {
  const find = createFindMentions(servers)
  const earlier = find('resource', 'e').then(
    () => 'found',
    (error: { code: string }) => error.code,
  )
  await find('resource', 'entry')
  expect(await earlier).toBe('cancelled')
})
