import { describe, expect, it } from 'vitest'
import { createTreeBuilder, type Folder, foldersTo } from './library-sections.ts'
import { labelOf, pathOf } from './resource-path.ts'

function treeOf(...uris: string[]): Folder {
  const builder = createTreeBuilder()
  uris.forEach((uri, index) => {
    builder.add(uri, index)
  })
  return builder.finish()
}
interface Shape {
  readonly [name: string]: Shape | number
}
/** Folders by name; how many resources stand in each itself is under ''. */
const shape = ({ folders, leaves }: Folder): Shape => ({
  ...(leaves.length > 0 ? { '': leaves.length } : {}),
  ...Object.fromEntries(folders.map((folder) => [folder.name, shape(folder)])),
})

describe('where a resource stands', () => {
  it.each([
    ['invoices://2026/vendors.csv', 'invoices://', ['2026'], 'vendors.csv'],
    ['file:///home/maya/a%20b.txt', 'file://', ['home', 'maya'], 'a%20b.txt'],
    ['https://example.com/a/b?path=/c/d#e', 'https://', ['example.com', 'a'], 'b?path=/c/d#e'],
    ['https://example.com/a/?q=1', 'https://', ['example.com', 'a'], '?q=1'],
    ['urn:isbn:1', 'urn:', [], 'isbn:1'],
    ['demo://resource/{type}/{id}', 'demo://', ['resource'], '{type}/{id}'],
    ['file:///folder/', 'file://', [], 'folder'],
    ['plain', '', [], 'plain'],
    ['', '', [], ''],
  ])('%s', (uri, scheme, folders, last) => {
    expect(pathOf(uri)).toEqual({ scheme, folders, last })
  })

  it('no more than twenty folders deep', () => {
    expect(pathOf(`a://${'x/'.repeat(500)}end`).folders).toHaveLength(20)
  })

  it('it is called by its title, its name, or the end of its address', () => {
    expect([
      labelOf({ uri: 'a://b/c%20d', name: 'x', title: 'T' }),
      labelOf({ uri: 'a://b/c%20d', name: 'x' }),
      labelOf({ uri: 'a://b/c%20d', name: 'a://b/c%20d' }),
      labelOf({ uri: 'a://b/50%', name: '' }),
    ]).toEqual(['T', 'x', 'c d', '50%'])
  })
})

describe('the tree of a server', () => {
  it('has a folder for each that holds something, and one row for those that hold only a folder', () => {
    expect(shape(treeOf('f://a/b/1', 'f://a/b/2', 'f://a/b/c/3', 'f://d/e/4', 'f://5'))).toEqual({
      '': 1,
      'a/b': { '': 2, c: { '': 1 } },
      'd/e': { '': 1 },
    })
  })

  it('names the schemes where there are several', () => {
    expect(shape(treeOf('f://a/1', 'g://a/1', 'mailto:x'))).toEqual({
      'f://': { a: { '': 1 } },
      'g://': { a: { '': 1 } },
      'mailto:': { '': 1 },
    })
  })

  it('counts what stands in each folder, and keeps the order of the list', () => {
    const tree = treeOf('f://b/2', 'f://a/1', 'f://b/1')
    expect([tree.count, tree.folders.map(({ name, count, leaves }) => [name, count, leaves])]).toEqual([
      3,
      [
        ['b', 2, [0, 2]],
        ['a', 1, [1]],
      ],
    ])
  })

  it('leads to a resource through its folders', () => {
    const tree = treeOf('f://a/b/1', 'f://a/c/d/2', 'f://x')
    const ids = foldersTo(tree, 1)
    expect([ids.length, foldersTo(tree, 2)]).toEqual([2, []])
    expect(tree.folders[0]?.folders.at(-1)?.id).toBe(ids[1])
  })

  it('holds every resource, however many folders a server names', () => {
    const tree = treeOf(...Array.from({ length: 30_000 }, (_, index) => `f://${index}/x`))
    expect([tree.count, tree.folders.length < 30_000]).toEqual([30_000, true])
  })
})
