import { describe, expect, it } from 'vitest'
import type { ListedResource } from '#app/server/library-listing.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createTreeBuilder, type LibrarySection, type SectionRow, searchTextOf, withOpened } from '../list/library-sections.ts'
import { findResources, folderKey, resourceRows, serverKey } from './resource-rows.ts'

function sectionOf(uris: readonly string[], offers: Partial<NonNullable<LibrarySection['offers']>> = {}): LibrarySection {
  const resources: ListedResource[] = uris.map((uri) => ({ uri, name: uri }))
  const builder = createTreeBuilder()
  resources.forEach(({ uri }, index) => {
    builder.add(uri, index)
  })
  return {
    offers: { templates: [], prompts: [], resources: uris.length, fetchedAt: 1, ...offers },
    list: { resources, words: resources.map(searchTextOf), tree: builder.finish() },
    error: undefined,
    loading: false,
  }
}
const files = makeServer({ name: 'files', state: { kind: 'stopped', reason: 'never-started' } })
const many = Array.from({ length: 100 }, (_, index) => `f://big/${index}`)
const said = (rows: readonly SectionRow[]) =>
  rows.map(({ kind, text, level, aside }) => [level, kind, text, ...(aside === undefined ? [] : [aside])])
const noneOpened = new Map<string, boolean>()

describe('the rows of resources', () => {
  it('few are open, many wait until they are opened, and what does not run was last seen', () => {
    const sections = { files: sectionOf([...many, 'f://a/1']) }
    expect(said(resourceRows({ servers: [files], sections, opened: noneOpened }))).toEqual([[1, 'server', 'files', 'not running']])
    const opened = withOpened(noneOpened, serverKey('files'), true)
    expect(said(resourceRows({ servers: [files], sections, opened }))).toEqual([
      [1, 'server', 'files', 'not running'],
      [2, 'folder', 'big', '100'],
      [2, 'folder', 'a'],
      [3, 'resource', '1'],
    ])
    const all = withOpened(opened, folderKey('files', sections.files.list?.tree.folders[0]?.id ?? ''), true)
    expect(resourceRows({ servers: [files], sections, opened: all })).toHaveLength(104)
  })

  it('a server whose list nobody knows, or that has none, says so', () => {
    const unknown: LibrarySection = { ...sectionOf([]), offers: { templates: [], prompts: [], resources: 0 } }
    const servers = [files, makeServer({ name: 'none', state: { kind: 'stopped', reason: 'never-started' } })]
    expect(said(resourceRows({ servers, sections: { files: unknown, none: sectionOf([]) }, opened: noneOpened }))).toEqual([
      [1, 'server', 'files'],
      [2, 'note', 'Listed once the server has run.'],
      [1, 'server', 'none', 'not running'],
      [2, 'note', 'No resources'],
    ])
  })

  it('what is looked for is found by its words in any order, templates too', async () => {
    const template = { uriTemplate: 'f://big/{n}', name: 'one of many' }
    const sections = { files: sectionOf([...many, 'f://a/1'], { templates: [template] }), other: sectionOf(['g://x']) }
    const text = '7 BIG'
    const found = await findResources(sections, text, new AbortController().signal)
    const servers = [files, makeServer({ name: 'other' })]
    const rows = resourceRows({ servers, sections, opened: noneOpened, search: { text, found: found ?? {} } })
    expect([rows.length, rows.slice(0, 2).map(({ item, aside }) => [item, aside])]).toEqual([
      20,
      [
        [undefined, '19'],
        ['f://big/7', undefined],
      ],
    ])
    const big = resourceRows({ servers, sections, opened: noneOpened, search: { text: 'many', found: {} } })
    expect(said(big)).toEqual([
      [1, 'server', 'files', '1'],
      [2, 'template', 'one of many'],
    ])
  })

  it('what was called off finds nothing', async () => {
    expect(await findResources({ files: sectionOf(['f://1']) }, 'f', AbortSignal.abort())).toBeUndefined()
  })
})
