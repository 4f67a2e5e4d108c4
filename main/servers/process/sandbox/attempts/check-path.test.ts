import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { planMounts } from '../plan-mounts.ts'
import { makeSceneFolder } from '../scene-folder.testing.ts'
import { blockedBySandbox, type StartView } from './check-path.ts'

const root = makeSceneFolder()
const [home, elsewhere] = [join(root, 'home'), join(root, 'elsewhere')]
const own = { home: join(root, 'own/home'), tmp: join(root, 'own/tmp') }
const put = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
}
let view: StartView

beforeAll(() => {
  for (const path of ['r/a.txt', 'w/b.txt', 'w/.git/config', 'notes/todo.md', '.ssh/id_rsa', 'r/inner/deep.txt']) put(join(home, path))
  put(join(elsewhere, 'file.txt'))
  put(join(own.home, '.cache/own.txt'))
  put(join(own.tmp, 'own.txt'))
  mkdirSync(join(home, '.cache'))
  put(join(home, '.cache/own.txt'))
  symlinkSync(join(home, 'notes'), join(home, 'r/to-notes'))
  symlinkSync(join(home, 'notes'), join(home, 'w/to-notes'))
  symlinkSync(join(home, 'r'), join(home, 'to-r'))
  const grants = { ...noGrants, read: [join(home, 'r')], write: [join(home, 'w')], denyRead: [join(home, 'r/inner')] }
  const { mounts } = planMounts({ grants, place: { home, dataDir: join(home, '.data') }, runtime: [] })
  view = { mounts, home, own, cwd: join(home, 'r') }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const found = (path: string, access: 'any' | 'write' = 'any'): string | undefined => {
  const target = blockedBySandbox({ path, access }, view)
  return target && `${target.kind} ${target.target.replace(root, '')}`
}

describe('a block is found', () => {
  test.each([
    ['a file that nothing grants', () => join(home, 'notes/todo.md'), 'read /home/notes/todo.md'],
    ['a folder that nothing grants', () => join(home, 'notes'), 'read /home/notes'],
    ['below ~', () => '~/notes/todo.md', 'read /home/notes/todo.md'],
    ['beside the working folder', () => '../notes/todo.md', 'read /home/notes/todo.md'],
    ['outside of the home folder', () => join(elsewhere, 'file.txt'), 'read /elsewhere/file.txt'],
    ['a key', () => '~/.ssh/id_rsa', 'read /home/.ssh/id_rsa'],
    ['hidden within a granted folder', () => join(home, 'r/inner/deep.txt'), 'read /home/r/inner/deep.txt'],
  ])('%s', (_, path, target) => expect(found(path())).toBe(target))

  test.each([
    ['in a folder that may be read alone', () => join(home, 'r/new.txt'), 'write /home/r'],
    ['a file there', () => join(home, 'r/a.txt'), 'write /home/r'],
    ['in a new folder', () => join(home, 'notes/2026/x/y.md'), 'write /home/notes'],
    ['what is kept in a folder that may be written', () => join(home, 'w/.git/config'), 'write /home/w/.git/config'],
  ])('written: %s', (_, path, target) => expect(found(path(), 'write')).toBe(target))
})

describe('no block is claimed', () => {
  test.each([
    ['a file that is not there outside either', () => join(home, 'notes/none.md')],
    ['a file that the server sees', () => join(home, 'r/a.txt')],
    ['a file in a folder that may be written', () => join(home, 'w/b.txt')],
    ['a file of the server’s own', () => '~/.cache/own.txt'],
    ['its own temporary file', () => '/tmp/own.txt'],
    ['a program of the system', () => '/usr/bin/env'],
    ['a device', () => '/dev/null'],
    ['the way to a granted folder', () => root],
    ['its home folder', () => '~'],
    ['a path with a zero byte', () => `${home}/r\0/etc/shadow`],
  ])('%s', (_, path) => expect(found(path())).toBeUndefined())

  test.each([
    ['in a folder that may be written', () => join(home, 'w/new.txt')],
    ['in its home folder', () => '~/new.txt'],
    ['its own temporary file', () => '/tmp/own.txt'],
  ])('written: %s', (_, path) => expect(found(path(), 'write')).toBeUndefined())

  test.skipIf(process.getuid?.() === 0)('a file that this account may not read either', () => {
    const locked = join(home, 'notes/locked')
    put(locked)
    chmodSync(locked, 0)
    expect(found(locked)).toBeUndefined()
  })
})

test('a link leads to what it names, unless the sandbox shows that under the link’s name', () => {
  expect(found(join(home, 'w/to-notes/todo.md'))).toBe('read /home/notes/todo.md')
  // Folders in which something is hidden are shown entry by entry.
  expect(found(join(home, 'r/to-notes/todo.md'))).toBeUndefined()
  expect(found('~/to-r/a.txt')).toBeUndefined()
})
