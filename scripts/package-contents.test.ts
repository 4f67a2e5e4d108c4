import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type FuseConfig, FuseState, FuseV1Options, FuseVersion } from '@electron/fuses'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fuses, packedBinary, wrongFuses } from './fuses.ts'
import { type ArchiveFile, feedFindings, findingsIn, releaseNotes, updateFindings } from './package-contents.ts'

const root = resolve(import.meta.dirname, '..')
const whole: readonly ArchiveFile[] = [
  'package.json',
  'dist/main/electron.js',
  'dist/main/demo-server.js',
  'dist/main/demo-server-port.js',
  'dist/preload/preload.cjs',
  'dist/renderer/index.html',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/diagram/frame.js',
  'dist/renderer/assets/index-abc.js',
  'resources/icons/256x256.png',
  'resources/tray/tray.png',
  'resources/tray/trayTemplate.png',
  'resources/models/catalogue.json',
  'resources/models/LICENSE',
].map((path) => ({ path, size: 10 }))

describe('what a server may ask of macOS, which takes the app for it', () => {
  const builder = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
    readonly mac: { readonly extendInfo: Readonly<Record<string, string>> }
  }
  const texts = builder.mac.extendInfo
  const entitlements = readFileSync(join(root, 'resources/mac/entitlements.plist'), 'utf8')
  // Apple, “Hardened Runtime”, resource access; reminders go with the calendars, files, Bluetooth and music with none.
  test.each([
    [['NSAppleEventsUsageDescription'], 'com.apple.security.automation.apple-events'],
    [['NSContactsUsageDescription'], 'com.apple.security.personal-information.addressbook'],
    [['NSCalendarsUsageDescription', 'NSCalendarsFullAccessUsageDescription'], 'com.apple.security.personal-information.calendars'],
    [['NSRemindersUsageDescription', 'NSRemindersFullAccessUsageDescription'], 'com.apple.security.personal-information.calendars'],
    [['NSPhotoLibraryUsageDescription'], 'com.apple.security.personal-information.photos-library'],
  ])('%j has its entitlement %s', (names, entitlement) => {
    expect([names.filter((name) => !texts[name]), entitlements.includes(`<key>${entitlement}</key>`)]).toEqual([[], true])
  })

  test('has a text for each, and neither text nor entitlement for camera and microphone', () => {
    expect(Object.keys(texts)).toEqual(expect.arrayContaining(['NSBluetoothAlwaysUsageDescription', 'NSAppleMusicUsageDescription']))
    expect(Object.keys(texts).filter((name) => /Camera|Microphone/.test(name))).toEqual([])
    expect(entitlements).not.toMatch(/com\.apple\.security\.device\./)
  })
})

describe('an archive', () => {
  test('with all that it needs is fine', () => {
    expect(findingsIn(whole)).toEqual([])
  })

  test.each(whole.map(({ path }) => path))('without %s is not', (missing) => {
    expect(findingsIn(whole.filter(({ path }) => path !== missing))).toHaveLength(1)
  })

  test.each([
    'node_modules/zod/index.js',
    'dist/main/electron.js.map',
    'main/host.ts',
    'renderer/app.tsx',
    '.env',
    'dist/.DS_Store',
    'assent.db',
    'release.pem',
  ])('with %s is not', (path) => {
    expect(findingsIn([...whole, { path, size: 10 }])).toHaveLength(1)
  })

  test('that is far too large, or has an empty part, is not', () => {
    expect(findingsIn([...whole, { path: 'dist/main/chunks/huge.js', size: 30_000_000 }])).toHaveLength(1)
    expect(findingsIn(whole.map((file) => (file.path === 'dist/main/electron.js' ? { ...file, size: 0 } : file)))).toHaveLength(1)
  })
})

describe('fuses', () => {
  test('are as the safety promises say, each with a word of its own', () => {
    const on = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number' && fuses[fuse])
    expect([fuses.strictlyRequireAllFuses, on.map((fuse) => FuseV1Options[fuse as FuseV1Options])]).toEqual([
      true,
      ['EnableCookieEncryption', 'EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar', 'WasmTrapHandlers'],
    ])
  })

  test('that a binary has the wrong way round, or has not, are named', () => {
    const wire: FuseConfig<FuseState> = { version: FuseVersion.V1, [FuseV1Options.RunAsNode]: FuseState.ENABLE }
    expect(wrongFuses(wire)).toHaveLength(9)
  })

  test.each([
    ['darwin', '/out/Assent.app'],
    ['win32', '/out/Assent.exe'],
    ['linux', '/out/assent'],
  ])('are flipped in the program itself on %s', (electronPlatformName, path) => {
    const packager = { executableName: 'assent', appInfo: { productFilename: 'Assent' } }
    expect(packedBinary({ appOutDir: '/out', electronPlatformName, packager })).toBe(path)
  })
})

describe('what updates are made of', () => {
  const sha512 = createHash('sha512').update('installer').digest('base64')
  const file = (url: string, hash = sha512, size = 9) => `files:\n  - url: ${url}\n    sha512: ${hash}\n    size: ${size}\n`
  const name = 'assent-1.0.0-win-x64.exe'

  test.each([
    ['fits', `version: 1.0.0\n${file(name)}releaseNotes: New`, 0],
    ['is of another version', `version: 1.0.1\n${file(name)}releaseNotes: New`, 1],
    ['has another hash, as after a second signature', `version: 1.0.0\n${file(name, 'AAAA')}releaseNotes: New`, 1],
    ['has another size', `version: 1.0.0\n${file(name, sha512, 8)}releaseNotes: New`, 1],
    ['names what is not there', `version: 1.0.0\n${file('assent-1.0.0-mac-x64.zip')}releaseNotes: New`, 1],
    ['names what the app refuses', `version: 1.0.0\n${file('../x.exe')}releaseNotes: New`, 1],
    ['has no notes', `version: 1.0.0\n${file(name)}`, 1],
    ['names nothing', 'version: 1.0.0\nreleaseNotes: New', 1],
  ])('%s', (_, text, findings) => {
    const folder = mkdtempSync(join(tmpdir(), 'assent-latest-'))
    try {
      expect(updateFindings(folder, '1.0.0')).toHaveLength(1)
      writeFileSync(join(folder, name), 'installer')
      writeFileSync(join(folder, 'latest.yml'), text)
      expect(updateFindings(folder, '1.0.0')).toHaveLength(findings)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('a feed is a public repository of GitHub', () => {
    const feed = 'provider: github\nowner: a\nrepo: b\nupdaterCacheDirName: assent-updater\n'
    expect(['', 'token: x\n'].map((more) => feedFindings(feed + more).length)).toEqual([0, 1])
    expect(feedFindings('provider: generic\nurl: https://a.example\n')).toHaveLength(2)
  })

  test('notes are those of the version, or of the next one', () => {
    const log = '# Changelog\n\n## [Unreleased]\n\nNext.\n\n## [1.0.0] - 2026-12-01\n\n### Added\n\n- A thing\n\n## [0.9.0]\n\nOld.\n'
    expect([releaseNotes(log, '1.0.0'), releaseNotes(log, '1.1.0')]).toEqual(['### Added\n\n- A thing\n', 'Next.\n'])
  })
})
