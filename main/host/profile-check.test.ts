import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { system32 } from '#main/base/powershell.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import { checkProfile, isShared, prepareFolder, thisSystem } from './profile-check.ts'

const day = 24 * 60 * 60_000

function makeCheck(outcome: () => Promise<number>) {
  const clock = manualClock(100 * day)
  const facts = new Map<string, Json>()
  const errors: unknown[] = []
  let reads = 0
  const settings = { fact: (name: string) => facts.get(name), setFact: (name: string, value: Json) => void facts.set(name, value) }
  const readWhole = () => {
    reads += 1
    return outcome()
  }
  return {
    clock,
    errors,
    reads: () => reads,
    start: () =>
      checkProfile({ store: { settings, backup: { readWhole } }, clock, log: silentLog, onDamage: (error) => errors.push(error) }),
    /** A start, and all that comes of it. */
    async run() {
      this.start()
      clock.advance(60_000)
      await new Promise(setImmediate)
    },
  }
}

it('reads the profile a minute after a start, and again a week later', async () => {
  const check = makeCheck(async () => 1)
  check.start()
  check.clock.advance(59_999)
  expect(check.reads()).toBe(0)
  check.clock.advance(1)
  await new Promise(setImmediate)
  await check.run()
  expect([check.reads(), check.errors]).toEqual([1, []])
  check.clock.advance(7 * day)
  await check.run()
  expect(check.reads()).toBe(2)
})

it('tells what is damaged at each start until it is mended, and nothing when it is stopped', async () => {
  const damaged = new HostError('profile.corrupt', 'damaged')
  const outcomes = [damaged, damaged, new HostError('cancelled', 'stopped')]
  const check = makeCheck(async () => {
    throw outcomes.shift()
  })
  for (let start = 0; start < 3; start += 1) await check.run()
  await new Promise(setImmediate)
  expect([check.reads(), check.errors]).toEqual([3, [damaged, damaged]])
})

it.each<[string, Partial<Parameters<typeof isShared>[0]>, boolean]>([
  ['the local folder of Windows', {}, false],
  ['a share', { path: '\\\\files\\profiles\\me\\Assent' }, true],
  ['OneDrive', { path: 'C:\\Users\\Me\\onedrive - contoso\\Assent' }, true],
  ['a folder whose name begins like that of OneDrive', { path: 'C:\\Users\\me\\OneDrive - Contoso Old\\Assent' }, false],
  ['no OneDrive at all', { env: { OneDrive: '' }, path: 'C:\\Users\\me' }, false],
  ['iCloud on a Mac', { platform: 'darwin', path: '/Users/me/Library/Mobile Documents/com~apple~CloudDocs/Assent' }, true],
  ['Library on a Mac', { platform: 'darwin', path: '/Users/me/Library/Application Support/Assent' }, false],
  ['NFS on Linux', { platform: 'linux', path: '/home/me/.local/share/assent', type: 0x6969 }, true],
  ['ext4 on Linux', { platform: 'linux', path: '/home/me/.local/share/assent', type: 0xef53 }, false],
])('%s: is it a share, or synchronised', (_title, facts, expected) => {
  const env = { OneDrive: 'C:\\Users\\me\\OneDrive', OneDriveCommercial: 'C:\\Users\\me\\OneDrive - Contoso' }
  const home = facts.platform === 'darwin' ? '/Users/me' : 'C:\\Users\\me'
  expect(isShared({ platform: 'win32', env, home, path: 'C:\\Users\\me\\AppData\\Local\\Assent', type: 0, ...facts })).toBe(expected)
})

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-place-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

// `whoami /user /fo csv /nh`, in the console's code page (learn.microsoft.com, “whoami”), and what `icacls` is given.
const person = 'S-1-5-21-1721254763-462695806-1538882281-2544626'
const printed = `"contoso\\j\ufffdrg","${person}"\r\n`
const rights = [person, 'S-1-5-18', 'S-1-5-32-544'].map((sid) => `*${sid}:(OI)(CI)F`)
it.each<[string, NodeJS.Platform, string, 'new' | 'empty' | 'used', boolean]>([
  ['a new one on Windows, outside of the person’s folder', 'win32', '/elsewhere', 'new', true],
  ['an empty one there', 'win32', '/elsewhere', 'empty', true],
  ['one there that somebody uses', 'win32', '/elsewhere', 'used', false],
  ['a new one on Windows, inside of it, written in another case', 'win32', '', 'new', false],
  ['a new one elsewhere', 'darwin', '/elsewhere', 'new', false],
])('a data folder is kept from other accounts: %s', (what, platform, home, before, isKept) => {
  const dataDir = join(root, what, 'profile')
  const ran: unknown[] = []
  const run = (program: string, args: readonly string[]): string => {
    ran.push([program, args])
    return program === 'whoami.exe' ? printed : ''
  }
  const system = { platform, home: home || root.toUpperCase().replaceAll('/', '\\'), run }
  if (before !== 'new') mkdirSync(dataDir, { recursive: true })
  if (before === 'used') writeFileSync(join(dataDir, 'notes.txt'), '')
  prepareFolder(dataDir, system)
  const expected = [
    ['whoami.exe', ['/user', '/fo', 'csv', '/nh']],
    ['icacls.exe', [dataDir, '/inheritance:r', '/grant:r', ...rights]],
  ]
  expect(ran).toEqual(isKept ? expected : [])
})

it.runIf(onWindows)('the real icacls leaves three who may do anything there, and nothing that was inherited', () => {
  const dataDir = join(root, 'real')
  prepareFolder(dataDir, { ...thisSystem(), home: 'C:\\nowhere' })
  const entries = execFileSync(system32('icacls.exe'), [dataDir], { encoding: 'utf8' }).match(/:\(.*\)/g)
  expect(entries).toEqual(Array(3).fill(':(OI)(CI)(F)'))
})

it('a data folder on a disk without permissions is used all the same', () => {
  const refuse = (): never => {
    throw new Error('The volume does not support security descriptors.')
  }
  expect(() => prepareFolder(join(root, 'exfat'), { platform: 'win32', home: '/elsewhere', run: refuse })).not.toThrow()
})
