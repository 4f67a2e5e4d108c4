import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeMemoryFolder, realTemporary } from './memory-folder.ts'

test('is a folder that programs can be run from, where there is room', () => {
  const under = mkdtempSync(join(tmpdir(), 'assent-memory-'))
  try {
    const { bavail, bsize } = statfsSync(under)
    const folder = makeMemoryFolder(under)
    expect(folder !== undefined && existsSync(folder)).toBe(bavail * bsize >= 3 * 2 ** 30)
  } finally {
    rmSync(under, { recursive: true })
  }
})

test('is none where there is no such file system', () => {
  expect(makeMemoryFolder('/nowhere/at/all')).toBeUndefined()
})

test.each([
  ['linux', '/var/folders/x/T', {}],
  ['darwin', '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T', all('/private/tmp')],
  ['darwin', '/private/tmp/at-1', all('/private/tmp/at-1')],
  ['win32', 'C:\\Users\\RUNNER~1\\AppData\\Local\\Temp', all('C:\\Users\\runneradmin\\AppData\\Local\\Temp')],
] as const)('on %s the folder %s is named by its real path, where it is another', (platform, given, expected) => {
  const real: Record<string, string> = { '/tmp': '/private/tmp', [given]: given.replace('RUNNER~1', 'runneradmin') }
  expect(realTemporary(platform, given, (path) => real[path] ?? path)).toEqual(expected)
})

function all(folder: string): Record<string, string> {
  return { TMPDIR: folder, TEMP: folder, TMP: folder }
}
