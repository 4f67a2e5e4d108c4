import { expect, test, vi } from 'vitest'
import type { RequestParams, RequestResult } from '#app/contract/requests.ts'
import { mostListed } from '#app/server/library-listing.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { createLibrarySections } from './library-sections.ts'

const listing = { templates: [], prompts: [], resources: 0, fetchedAt: 1 }

function make(resources: (params: RequestParams<'library.resources'>) => RequestResult<'library.resources'>) {
  const asked: string[] = []
  const attempt = (async (name: string, params: RequestParams<'library.resources'>) => {
    asked.push(`${name} ${params.server}`)
    return { ok: true, value: name === 'library.listing' ? listing : resources(params) }
  }) as unknown as Actions['attempt']
  return { asked, loader: createLibrarySections(attempt, true) }
}
const list = (from: number, length: number) =>
  Array.from({ length: Math.max(0, length - from) }, (_, index) => ({ uri: `f://${from + index}`, name: String(from + index) })).slice(
    0,
    mostListed,
  )

test('a long list comes in parts, in its order', async () => {
  const { loader } = make(({ from }) => ({ resources: list(from, 4500), revision: 1 }))
  loader.sync([{ name: 'a', revision: 1 }])
  await vi.waitFor(() => expect(loader.store.getState()['a']?.loading).toBe(false))
  const { list: whole } = loader.store.getState()['a'] ?? {}
  expect([whole?.resources.length, whole?.resources[4499]?.uri, whole?.words[2], whole?.tree.count]).toEqual([
    4500,
    'f://4499',
    '2  f://2',
    4500,
  ])
})

test('a list that changes while it is read is begun anew', async () => {
  let revision = 1
  const { loader } = make(({ from }) => {
    if (from > 0) revision = 2
    return { resources: list(from, revision === 1 ? 4500 : 2100), revision }
  })
  loader.sync([{ name: 'a', revision: 1 }])
  await vi.waitFor(() => expect(loader.store.getState()['a']?.loading).toBe(false))
  expect(loader.store.getState()['a']?.list?.resources).toHaveLength(2100)
})

test('only what is new or has changed is fetched, and what is gone is forgotten', async () => {
  const { asked, loader } = make(() => ({ resources: [], revision: 1 }))
  loader.sync([
    { name: 'a', revision: 1 },
    { name: 'b', revision: 1 },
  ])
  await vi.waitFor(() => expect(Object.values(loader.store.getState()).map(({ loading }) => loading)).toEqual([false, false]))
  asked.length = 0
  loader.sync([{ name: 'a', revision: 2 }])
  await vi.waitFor(() => expect(loader.store.getState()['a']?.loading).toBe(false))
  expect([asked, Object.keys(loader.store.getState())]).toEqual([['library.listing a', 'library.resources a'], ['a']])
})
