// What Windows does while a scanner holds a new file (npm/write-file-atomic issue 28, electron-userland/electron-builder issue 2942).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renameFolder, renameSoon } from './atomic-write.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-rename-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Fails with a code some times before it succeeds. */
function held(times: number, code = 'EPERM') {
  const seen = { calls: 0 }
  const rename = (): void => {
    seen.calls += 1
    if (seen.calls <= times) throw Object.assign(new Error(code), { code })
  }
  return { seen, rename }
}

test.each([
  ['win32', 3, 'EPERM', 4],
  ['win32', 2, 'EBUSY', 3],
  ['win32', 1, 'EACCES', 2],
] as const)('on %s a file that is held %i times (%s) is renamed at attempt %i', (platform, times, code, calls) => {
  const { seen, rename } = held(times, code)
  renameSoon('a', 'b', rename, platform)
  expect(seen.calls).toBe(calls)
})

test.each([
  ['win32', 'ENOENT'],
  ['linux', 'EPERM'],
] as const)('on %s %s fails at once', (platform, code) => {
  const { seen, rename } = held(1, code)
  expect(() => renameSoon('a', 'b', rename, platform)).toThrow(code)
  expect(seen.calls).toBe(1)
})

test('a folder is renamed whole', async () => {
  const from = join(folder, 'from')
  writeFileSync(join(folder, 'file'), 'x')
  await renameFolder(join(folder, 'file'), from, 'win32')
  expect(readFileSync(from, 'utf8')).toBe('x')
})
