import { expect, it } from 'vitest'
import { type Catalogue, emptyCatalogue } from '#app/server/catalogue.ts'
import { type Fetched, mergeLists } from './catalogue.ts'

const now = 1_000_000
const prompt = (name: string) => ({ name })
const before: Catalogue = { ...emptyCatalogue, prompts: [{ name: 'old', arguments: [] }] }
const none: Fetched = { items: [] }
const merge = (prompts: Fetched) =>
  mergeLists(before, [none, none, none, prompts], {
    tools: { entries: [], warnings: [] },
    resources: { entries: [], warnings: [] },
    now,
  }).next
const namesIn = ({ prompts, stale }: Catalogue) => ({ names: prompts.map(({ name }) => name), isStale: stale !== undefined })

it('keeps the list of before where the new one failed or is empty for a problem', () => {
  const failed: Fetched = { failed: 'gone', error: new Error('gone'), lapsed: false }
  expect([failed, { items: [], problem: 'p' }].map((fetched) => namesIn(merge(fetched)))).toEqual([
    { names: ['old'], isStale: true },
    { names: ['old'], isStale: true },
  ])
})

it('takes what was read before a problem, and an empty list without one', () => {
  expect([{ items: [prompt('new')], problem: 'p' }, none].map((fetched) => namesIn(merge(fetched)))).toEqual([
    { names: ['new'], isStale: true },
    { names: [], isStale: false },
  ])
})

it('holds for everybody only as long as nothing was left out', () => {
  const hints = { ttlMs: 60_000, scope: 'public' } as const
  const all = (more: object): Fetched => ({ items: [prompt('new')], hints, ...more })
  expect([all({}), all({ problem: 'p' })].map((fetched) => merge(fetched))).toMatchObject([
    { expiresAt: now + 60_000, cacheScope: 'public' },
    { expiresAt: now + 60_000, cacheScope: 'private' },
  ])
})
