import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeMemoryFolder } from './memory-folder.ts'

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
