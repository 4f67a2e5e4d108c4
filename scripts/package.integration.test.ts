// Packs for real, around a stub in place of Electron's binary: the schema, the file lists and the fuses are those of a
// release. Signing and the app's start are proven where the binary is, by the release workflow.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeElectronStub } from './electron-stub.ts'

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

// Without a homepage the packager takes one from the forge that it was cloned from, and elsewhere stops ("Please specify
// project homepage", app-builder-lib, FpmTarget). `fpm` itself, which makes the package, is a program that keeps its words.
test.runIf(process.platform === 'linux')(
  'the Debian package is made in any clone, and its windows are known by its entry',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assent-deb-'))
    try {
      await makeElectronStub(join(folder, 'electron'), join(root, 'node_modules/electron'))
      const keep = `#!/bin/sh
printf '%s\\n' "$@" > ${folder}/words
for word in "$@"; do case "$word" in *.desktop=*) cp "\${word%%=*}" ${folder}/entry;; esac; done
while [ $# -gt 0 ]; do [ "$1" = --package ] && : > "$2"; shift; done
`
      writeFileSync(join(folder, 'fpm'), keep)
      chmodSync(join(folder, 'fpm'), 0o755)
      const built = existsSync(join(root, 'dist/main/electron.js')) ? ['--no-build'] : []
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          'scripts/package.ts',
          ...built,
          ...['--linux', 'deb', '--x64', `-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${join(folder, 'release')}`],
        ],
        { cwd: root, encoding: 'utf8', env: { ...process.env, USE_SYSTEM_FPM: 'true', PATH: `${folder}:${process.env['PATH']}` } },
      )
      expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
      for (const name of ['bubblewrap', 'socat', 'ripgrep'])
        expect(readFileSync(join(folder, 'words'), 'utf8')).toContain(`--deb-recommends\n${name}\n`)
      expect(readFileSync(join(folder, 'words'), 'utf8')).toMatch(/^--url\nhttps:\/\/\S+$/m)
      // Electron takes `desktopName` of package.json for the id of its windows.
      const { desktopName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { desktopName: string }
      expect(readFileSync(join(folder, 'entry'), 'utf8')).toContain(`StartupWMClass=${desktopName.replace('.desktop', '')}\n`)
      const verify = spawnSync(process.execPath, ['scripts/package.ts', '--verify', join(folder, 'release')], {
        cwd: root,
        encoding: 'utf8',
      })
      expect([verify.status, verify.stdout]).toEqual([0, ''])
      expect(readFileSync(join(folder, 'words'), 'utf8')).toContain(`/usr/share/applications/${desktopName}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  120_000,
)

test('a word that the packager does not know stops it', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/package.ts', '--no-build', '--linux', 'dir', '--x64', '-c.electronDist=/nowhere', '-c.hardendRuntime=true'],
    { cwd: root, encoding: 'utf8' },
  )
  expect([status === 0, (stdout + stderr).includes('hardendRuntime')]).toEqual([false, true])
})
