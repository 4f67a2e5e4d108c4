import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isOursAlone } from './compile-cache.ts'

describe.skipIf(process.platform === 'win32')('the folder of compiled code', () => {
  let dist: string
  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'assent-cache-'))
  })
  afterEach(() => rmSync(dist, { recursive: true, force: true }))

  it('is made for its owner alone, and used again', () => {
    const folder = join(dist, '.cache')
    expect(isOursAlone(folder)).toBe(true)
    expect(lstatSync(folder).mode & 0o777).toBe(0o700)
    expect(isOursAlone(folder)).toBe(true)
  })

  it('is left alone when others may write to it', () => {
    const folder = join(dist, '.cache')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    expect(isOursAlone(folder)).toBe(false)
  })

  it('is no link to elsewhere, and no file', () => {
    symlinkSync(tmpdir(), join(dist, '.cache'))
    expect(isOursAlone(join(dist, '.cache'))).toBe(false)
  })

  it('is not there where the installation is not', () => {
    expect(isOursAlone(join(dist, 'gone', '.cache'))).toBe(false)
  })
})
