import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as electron from '../../../e2e/electron-fake/electron.ts'
import { installedFormat } from './updates.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let folder: string
let resources: string
beforeEach(() => {
  electron.resetElectron()
  Object.assign(electron.app, { isPackaged: true })
  folder = mkdtempSync(join(tmpdir(), 'assent-format-'))
  resources = join(folder, 'resources')
  for (const name of ['resources', 'apps', 'mount']) mkdirSync(join(folder, name))
  writeFileSync(join(resources, 'app-update.yml'), 'provider: generic\nurl: http://127.0.0.1/\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an installation that does not update itself', () => {
  const inImage = { APPIMAGE: '@/apps/a.AppImage', APPDIR: '@/mount' }
  test.each<[string, NodeJS.Platform, Record<string, string>, (prepare: string) => void, string]>([
    ['an AppImage', 'linux', inImage, () => undefined, 'appimage'],
    [
      'an AppImage in a folder that cannot be written',
      'linux',
      { ...inImage, APPIMAGE: '@/nowhere/a.AppImage' },
      () => undefined,
      'read-only',
    ],
    ['a deb or rpm', 'linux', {}, (at) => writeFileSync(join(at, 'package-type'), 'deb'), 'package'],
    ['a deb that another AppImage started', 'linux', { ...inImage, APPDIR: '/tmp/.mount_other' }, () => undefined, 'package'],
    ['a deb, whatever the variables say', 'linux', inImage, (at) => writeFileSync(join(at, 'package-type'), 'deb'), 'package'],
    ['a snap', 'linux', { SNAP: '@/mount' }, () => undefined, 'snap'],
    ['a build without a feed', 'linux', inImage, (at) => rmSync(join(at, 'app-update.yml')), 'package'],
    ['a portable one', 'win32', { PORTABLE_EXECUTABLE_FILE: 'C:\\a.exe' }, () => undefined, 'portable'],
    ['an unsigned one', 'win32', {}, () => undefined, 'unsigned'],
    ['a signed one', 'win32', {}, (at) => writeFileSync(join(at, 'app-update.yml'), 'publisherName:\n  - CN=Assent\n'), 'nsis'],
    ['an app on its disk image', 'darwin', { AT: '/Volumes/Assent/Assent.app' }, () => undefined, 'read-only'],
    ['an app that Gatekeeper moved aside', 'darwin', { AT: '/private/var/folders/x/AppTranslocation/y' }, () => undefined, 'read-only'],
    ['an app in its place', 'darwin', { AT: '/Applications/Assent.app' }, () => undefined, 'mac'],
  ])('%s (%s)', (_, os, env, prepare, format) => {
    prepare(resources)
    writeFileSync(join(folder, 'apps', 'a.AppImage'), '')
    const here = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('@', folder)]))
    const program = env['AT'] ?? join(folder, 'mount', 'assent')
    expect(installedFormat({ os, env: here, resources, program })).toBe(format)
  })
})
