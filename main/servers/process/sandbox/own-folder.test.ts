import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeSocketFolder, openOwnFolder, ownFolderOf, removeLeftovers } from './own-folder.ts'

it('removes what a host that was killed left behind, and nothing that a server keeps or a host uses', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-own-'))
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const own = openOwnFolder(ownFolderOf(dataDir, 'files', ''))
  const [ours, left] = [makeSocketFolder(), join(tmpdir(), `assent-proxy-${ended}-left`)]
  mkdirSync(left)
  removeLeftovers(dataDir)
  expect([own.home, own.tmp, ours, left].map(existsSync)).toEqual([true, false, true, false])
  for (const path of [dataDir, ours]) rmSync(path, { recursive: true, force: true })
})
