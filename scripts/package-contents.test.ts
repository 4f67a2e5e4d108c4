import { type FuseConfig, FuseState, FuseV1Options, FuseVersion } from '@electron/fuses'
import { describe, expect, test } from 'vitest'
import { fuses, packedBinary, wrongFuses } from './fuses.ts'
import { type ArchiveFile, findingsIn } from './package-contents.ts'

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
  'resources/models/catalogue.json',
  'resources/models/LICENSE',
].map((path) => ({ path, size: 10 }))

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
