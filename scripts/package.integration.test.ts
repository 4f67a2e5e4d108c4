// Packs for real, around a stub in place of Electron's binary: the schema, the file lists and the fuses are those of a
// release. Signing and the app's start are proven where the binary is, by the release workflow.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

test.runIf(process.platform === 'linux')(
  'the app packs whole, with nothing that does not belong and every fuse set',
  { timeout: 120_000 },
  () => {
    const built = existsSync(join(root, 'dist/main/electron.js')) ? ['--no-build'] : []
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/package.ts', '--check', ...built], {
      cwd: root,
      encoding: 'utf8',
    })
    const last = stdout.trimEnd().split('\n').at(-1) ?? ''
    expect([status, status === 0 ? JSON.parse(last).findings : stdout + stderr]).toEqual([0, []])
  },
)

test('a word that the packager does not know stops it', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/package.ts', '--no-build', '--linux', 'dir', '--x64', '-c.electronDist=/nowhere', '-c.hardendRuntime=true'],
    { cwd: root, encoding: 'utf8' },
  )
  expect([status === 0, (stdout + stderr).includes('hardendRuntime')]).toEqual([false, true])
})
