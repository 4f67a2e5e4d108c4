import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inside } from '#app/consent/consent.testing.ts'
import { matchCondition } from '#app/consent/rules/match-rule.ts'
import { systemClock } from '#main/base/clock.ts'
import { createPathResolver } from './resolve-path.ts'

const posix = process.platform !== 'win32'

describe.runIf(posix)('where a path leads', () => {
  const places = createPathResolver(systemClock)
  let root = ''
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-places-')))
    mkdirSync(join(root, 'notes/deep/er'), { recursive: true })
    mkdirSync(join(root, 'secret'))
    mkdirSync(join(root, 'R\u00e9sum\u00e9'))
    writeFileSync(join(root, 'secret/key'), '')
    writeFileSync(join(root, 'notes/a.txt'), '')
    symlinkSync('../secret', join(root, 'notes/out'))
    symlinkSync(join(root, 'notes/deep'), join(root, 'notes/in'))
    symlinkSync('deep/er', join(root, 'notes/er'))
    symlinkSync('gone', join(root, 'notes/dangling'))
    symlinkSync('/etc/passwd-that-is-not-there', join(root, 'notes/dangling-out'))
    symlinkSync('loop', join(root, 'notes/loop'))
    symlinkSync('notes', join(root, 'alias'))
    symlinkSync('.', join(root, 'notes/dot'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  /** Whether a rule about the folder takes the path: as an approval, as a refusal. */
  async function takes(path: string, local = true, of = places, named = 'notes'): Promise<string> {
    const folder = await of.folder(join(root, named))
    const condition = inside('/path', folder?.folder ?? '', folder?.real ?? '')
    const facts = { arguments: { path }, paths: new Map([[path, await of.read(path, local)]]) }
    return `${matchCondition(facts, condition, false)} ${matchCondition(facts, condition, true)}`
  }

  test.each([
    ['notes', 'yes yes'],
    ['notes/a.txt', 'yes yes'],
    ['notes/new/file.txt', 'yes yes'],
    ['notes/deep/../a.txt', 'yes yes'],
    ['notes/in/x', 'yes yes'],
    ['notes/dangling', 'yes yes'],
    ['notes/dot/dot/a.txt', 'yes yes'],
    ['notes/../secret/key', 'no no'],
    ['notesandmore/a', 'no no'],
    ['notes/out/key', 'no yes'],
    ['notes/out', 'no yes'],
    ['notes/out/../a.txt', 'no yes'],
    ['notes/in/../../secret/key', 'no no'],
    ['notes/er/../../a.txt', 'no yes'],
    ['notes/dangling-out', 'no yes'],
    ['notes/loop/x', 'no yes'],
    ['notes/a.txt/x', 'no yes'],
    ['alias/a.txt', 'no yes'],
    ['notes/{..,.}/secret/key', 'no yes'],
    ['notes/[.][.]/secret/key', 'no yes'],
    ['notes/$X/key', 'no yes'],
    ['secret/{..,.}/notes/a.txt', 'no unsure'],
  ])('%s: %s', async (path, expected) => {
    // Not `join`: it would tidy the path.
    expect(await takes(`${root}/${path}`)).toBe(expected)
  })

  // Disks of macOS and Windows take another case, and another form of an accent, for the same name; volumes that do not are there, too.
  describe.each([true, false])('where the disk takes names of another case for the same: %s', (isSame) => {
    const there = createPathResolver(systemClock, { platform: 'darwin', isSame: async () => isSame })
    test.each([
      ['NOTES/A.txt', 'notes', true],
      ['Notes/new/file.txt', 'notes', true],
      ['notes/a.txt', 'NOTES', true],
      ['Re\u0301sume\u0301/a', 'R\u00e9sum\u00e9', true],
      ['NOTES/OUT/key', 'notes', false],
      ['SECRET/key', 'notes', false],
      // Compatibility forms are other names on every disk.
      ['\u{ff4e}otes/a.txt', 'notes', false],
    ])('%s in %s', async (path, folder, isInside) => {
      expect((await takes(`${root}/${path}`, true, there, folder)).split(' ')[0]).toBe(isSame && isInside ? 'yes' : 'no')
    })
  })

  test('a path of another machine is not followed, and nothing is sure of it', async () => {
    expect([await takes(`${root}/notes/a.txt`, false), await takes('/elsewhere', false)]).toEqual(['no yes', 'no unsure'])
  })

  test('a folder whose name a server might expand can still be refused', async () => {
    expect(await places.folder(`${root}/notes/[id]`)).toEqual({ folder: `${root}/notes/[id]`, real: `${root}/notes/[id]` })
  })

  test('a folder is named as it is written, and known by where it is', async () => {
    expect(await places.folder(`${root}/alias/./deep/`)).toEqual({ folder: `${root}/alias/deep`, real: `${root}/notes/deep` })
    expect([await places.folder('notes'), await places.folder(`${root}/notes/loop`)]).toEqual([undefined, undefined])
  })

  test('a folder that became a link leads nowhere else', async () => {
    const condition = inside('/path', `${root}/alias2`)
    symlinkSync('secret', join(root, 'alias2'))
    const path = `${root}/alias2/key`
    const facts = { arguments: { path }, paths: new Map([[path, await places.read(path, true)]]) }
    expect(matchCondition(facts, condition, false)).toBe('no')
  })

  test('whatever path is put together, what an approval takes is inside, for the system and for whoever tidies it first', {
    timeout: 60_000,
  }, async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'notes',
      'secret',
      'deep',
      'er',
      'in',
      'out',
      'alias',
      'dot',
      'dangling',
      'a.txt',
      'key',
      'new',
      '~',
      '%2e%2e',
    )
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.constantFrom('notes/', 'alias/', ''), async (parts, start) => {
        const path = `${root}/${start}${parts.join('/')}`
        if (!(await takes(path)).startsWith('yes')) return
        taken += 1
        for (const reading of [path, normalize(path)]) expect(`${realOf(reading)}/`).toContain(`${root}/notes/`)
      }),
      { numRuns: 400 },
    )
    expect(taken).toBeGreaterThan(25)
  })

  /** The system's own word for it: of the part that is there. */
  function realOf(path: string): string {
    const parts = path.split('/')
    const again = (found: string): string => (normalize(found) === found ? found : realOf(normalize(found)))
    for (let length = parts.length; length > 0; length -= 1) {
      try {
        return again([realpathSync.native(parts.slice(0, length).join('/') || '/'), ...parts.slice(length)].join('/'))
      } catch {
        // Not there: its parent is asked.
      }
    }
    return path
  }
})
