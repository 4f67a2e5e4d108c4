// The reference filesystem server over stdio, which is given no folder but the roots that it asks for.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { openWholeHost, textOf, type WholeHost } from './whole-host.ts'

const program = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url))
const entry = { command: process.execPath, args: [program] }

let folder: string
let kit: WholeHost
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-root-'))
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'note.txt'), 'remember\nthe milk\n')
  writeFileSync(join(folder, 'dot.png'), Buffer.from('89504e470d0a1a0a', 'hex'))
})
afterEach(async () => {
  await kit.remove()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (...[roots, said]: [readonly string[], Parameters<typeof openWholeHost>[3]?]): Promise<void> => {
  kit = await openWholeHost('files', entry, roots, said)
}
const inside = (...names: string[]): string => join(folder, ...names)
const said = (): string[] => kit.host.context.servers.log('files').lines.map(({ text }) => text)

/** Of each tool: its arguments, and what its text holds. In this order, for they build on one another. */
const uses: () => Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, string]>> = () => ({
  list_allowed_directories: [{}, folder],
  read_file: [{ path: inside('note.txt') }, 'remember'],
  read_text_file: [{ path: inside('note.txt'), head: 1 }, 'remember'],
  read_multiple_files: [{ paths: [inside('note.txt'), inside('nothing.txt')] }, 'the milk'],
  list_directory: [{ path: folder }, '[DIR] sub'],
  list_directory_with_sizes: [{ path: folder, sortBy: 'size' }, 'note.txt'],
  directory_tree: [{ path: folder }, '"directory"'],
  create_directory: [{ path: inside('new') }, 'new'],
  write_file: [{ path: inside('new', 'a.txt'), content: 'one two' }, 'a.txt'],
  edit_file: [{ path: inside('new', 'a.txt'), edits: [{ oldText: 'two', newText: 'three' }] }, '+one three'],
  move_file: [{ source: inside('new', 'a.txt'), destination: inside('sub', 'b.txt') }, 'b.txt'],
  search_files: [{ path: folder, pattern: '**/b.txt' }, inside('sub', 'b.txt')],
  get_file_info: [{ path: inside('note.txt') }, 'size: 18'],
})

describe('server-filesystem', () => {
  it('works in the folder that the person shares with it: each of its tools', async () => {
    await open([folder])
    await eventually(async () => expect(textOf(await kit.call('list_allowed_directories'))).toContain(folder))
    const names = kit.host.context.servers.catalogue('files').tools.map(({ name }) => name)
    expect(names).toEqual([...Object.keys(uses()), 'read_media_file'].sort())
    for (const [name, [args, holds]] of Object.entries(uses())) {
      const result = await kit.call(name, args as never)
      expect([name, result['isError'], textOf(result)]).toEqual([name, undefined, expect.stringContaining(holds)])
      expect(result).toHaveProperty('structuredContent')
    }
    expect(readFileSync(inside('sub', 'b.txt'), 'utf8')).toBe('one three')
    expect(await kit.call('read_media_file', { path: inside('dot.png') })).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
    })
    expect(await kit.call('read_file', { path: '/etc/hostname' })).toMatchObject({ isError: true })
    const roots = [{ uri: pathToFileURL(folder).href, name: expect.any(String) }]
    expect(kit.asked.filter(({ kind }) => kind === 'roots')).toMatchObject([{ server: 'files', roots }])
  })

  it('has nothing to work in when no folder is shared, and says so in its log', async () => {
    await open([])
    await eventually(() => expect(said().join('\n')).toContain('No valid root directories'))
    expect(kit.asked.map(({ kind }) => kind)).toEqual(['launch'])
    expect(await kit.call('read_file', { path: inside('note.txt') })).toMatchObject({ isError: true })
  })

  it('learns no more than that when the person refuses to share one', async () => {
    await open([folder], [['roots', { kind: 'deny' }]])
    await eventually(() => expect(said().join('\n')).toContain('No valid root directories'))
    expect(kit.asked.map(({ kind }) => kind)).toEqual(['launch', 'roots'])
    expect(textOf(await kit.call('list_allowed_directories'))).not.toContain(folder)
    expect(await kit.call('read_file', { path: inside('note.txt') })).toMatchObject({ isError: true })
  })
})
