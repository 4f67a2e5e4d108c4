import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { planMounts } from './plan-mounts.ts'

let home = ''
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'assent-mounts-')))
  for (const folder of ['.ssh', '.app/one', '.app/two', 'data/sandbox/other', 'r', 'w']) mkdirSync(join(home, folder), { recursive: true })
  for (const file of ['.ssh/key', 'data/sandbox/other/token', 'r/a']) writeFileSync(join(home, file), '')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function plan(grants: { readonly read?: readonly string[]; readonly write?: readonly string[] }, runtime: readonly string[] = []) {
  const at = (paths: readonly string[] = []): string[] => paths.map((path) => join(home, path))
  const place = { home, dataDir: join(home, 'data') }
  const { mounts, undo } = planMounts({
    grants: { ...noGrants, read: at(grants.read), write: at(grants.write) },
    place,
    runtime: at(runtime),
  })
  const own = mounts.filter(({ path }) => path.startsWith(home))
  return { undo, mounts: own.map(({ kind, path }) => `${kind} ${path.slice(home.length + 1)}`) }
}

it.each([
  ['the home folder without secrets and the data folder', [''], ['read r', 'read w']],
  ['a secret that is named', ['.ssh'], ['read .ssh']],
  ['the home folder with a hidden folder that is named', ['', '.app/one'], ['read r', 'read w', 'read .app/one']],
  ['nothing of the data folder', ['data/sandbox/other'], []],
  ['nothing that is not there yet', ['later'], []],
])('reads %s', (_title, read, expected) => expect(plan({ read }).mounts).toEqual(expected))

it('makes a folder to write that is not there yet, and takes away what it put in', () => {
  const { mounts, undo } = plan({ write: ['later'] })
  expect(mounts).toEqual(['write later', 'keep later/.git'])
  undo()
  expect([existsSync(join(home, 'later')), existsSync(join(home, 'later/.git'))]).toEqual([true, false])
})

it('keeps what git obeys, its submodules and what its config names too, until the last server of the folder ends', () => {
  const modules = 'w/.git/modules/a/b'
  for (const folder of ['w/.git/hooks', 'w/own', `${modules}/hooks`]) mkdirSync(join(home, folder), { recursive: true })
  for (const file of ['w/.git/HEAD', `${modules}/HEAD`, `${modules}/config`, 'w/shared']) writeFileSync(join(home, file), '')
  writeFileSync(join(home, 'w/.git/config'), '[core]\n hooksPath = "own"\n[include]\n path = ../shared\n path = ../none\n')
  const [first, second] = [plan({ write: ['w'] }), plan({ write: ['w'] })]
  const git = ['hooks', 'config', 'commondir']
  const kept = [...git.map((name) => `w/.git/${name}`), ...git.map((name) => `${modules}/${name}`), 'w/own', 'w/shared']
  for (const { mounts } of [first, second])
    expect(mounts.flatMap((one) => (one.startsWith('keep ') ? [one.slice(5)] : [])).toSorted()).toEqual(kept.toSorted())
  const isThere = () => existsSync(join(home, 'w/.git/commondir'))
  const seen = [isThere()]
  for (const { undo } of [first, second]) {
    undo()
    seen.push(isThere())
  }
  expect(seen).toEqual([true, true, false])
})

it('keeps what git obeys in a repository six folders deep', () => {
  const deep = 'w/1/2/3/4/5/6/.git'
  mkdirSync(join(home, deep, 'hooks'), { recursive: true })
  writeFileSync(join(home, deep, 'HEAD'), '')
  expect(plan({ write: ['w'] }).mounts).toContain(`keep ${deep}/hooks`)
})

it('refuses a path that has become a link', () => {
  symlinkSync(join(home, '.ssh'), join(home, 'link'))
  expect(() => plan({ read: ['link'] })).toThrow(expect.objectContaining({ code: 'server.sandbox-grant' }))
})

it('mounts nothing over a link of a folder that is there already, as ~/bin of a PATH with a program that it links to', () => {
  symlinkSync(join(home, 'w'), join(home, 'r/link'))
  expect(plan({}, ['r', 'r/link', 'w']).mounts).toEqual(['read r', 'read w'])
  expect(plan({ write: ['r'] }, ['r/a']).mounts).toContain('read r/a')
})
