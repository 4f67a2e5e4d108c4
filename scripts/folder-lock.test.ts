import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-lock-'))
  path = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('lets one in at a time, and leaves nothing behind', async () => {
  let inside = 0
  let most = 0
  const waited: number[] = []
  const work = async (): Promise<void> => {
    const unlock = await lockFolder(path, (pid) => waited.push(pid))
    inside += 1
    most = Math.max(most, inside)
    await new Promise(setImmediate)
    inside -= 1
    unlock()
  }
  await Promise.all([work(), work(), work()])
  expect([most, waited, readdirSync(folder)]).toEqual([1, [process.pid, process.pid], []])
})

it('takes over from a process that has died', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  mkdirSync(join(path, `${pid}.1`), { recursive: true })
  const unlock = await lockFolder(path)
  expect(readdirSync(path)).toEqual([expect.stringMatching(`^${process.pid}\\.`)])
  unlock()
})

it('takes what somebody left half undone', async () => {
  mkdirSync(path)
  ;(await lockFolder(path))()
  expect(existsSync(path)).toBe(false)
})
