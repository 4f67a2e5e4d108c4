import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { walkPages } from './catalogue.ts'

const limits = { pages: 5, items: 8 }
const walk = (pages: readonly (JsonObject | Error)[]) => {
  let at = 0
  const cursors: (string | undefined)[] = []
  const walked = walkPages(
    'tools',
    (cursor) => {
      cursors.push(cursor)
      const page = pages[Math.min(at, pages.length - 1)]
      at += 1
      return page instanceof Error || !page ? Promise.reject(page) : Promise.resolve(page)
    },
    limits,
  )
  return { walked, cursors }
}

describe('walkPages', () => {
  it('follows the cursors to the end', async () => {
    const { walked, cursors } = walk([{ tools: [1], nextCursor: 'a' }, { tools: [], nextCursor: '' }, { tools: [2, 3] }])
    expect([await walked, cursors]).toEqual([{ items: [1, 2, 3] }, [undefined, 'a', '']])
  })

  it.each<[title: string, pages: (JsonObject | Error)[], items: number[]]>([
    [
      'a cursor that comes back',
      [
        { tools: [1], nextCursor: 'a' },
        { tools: [2], nextCursor: 'b' },
        { tools: [3], nextCursor: 'a' },
      ],
      [1, 2, 3],
    ],
    ['a page that fails', [{ tools: [1], nextCursor: 'a' }, new Error('no')], [1]],
    ['a page without a list', [{ tools: [1], nextCursor: 'a' }, { other: [] }], [1]],
    ['a cursor that is no text', [{ tools: [1], nextCursor: 7 }], [1]],
    ['too many items', [{ tools: [1, 2, 3, 4, 5, 6, 7, 8, 9] }], [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('keeps what it had at %s', async (_title, pages, items) => {
    expect(await walk(pages).walked).toEqual({ items, problem: expect.any(String) })
  })

  it('does not walk for ever', async () => {
    let page = 0
    const walked = await walkPages('tools', () => Promise.resolve({ tools: [], nextCursor: `c${page++}` }), limits)
    expect([page, walked]).toEqual([5, { items: [], problem: expect.any(String) }])
  })

  it('fails when not even the first page comes', async () => {
    await expect(walk([new Error('no')]).walked).rejects.toThrow('no')
  })
})
