import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemorySecrets, type SecretStore } from '#main/base/secret-store.ts'
import { modeOf, onWindows } from '#main/base/this-system.testing.ts'
import { openStateKey, stateKeyFile } from './state-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-state-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** This system, with a folder for keys of the test's own. */
const at = () => {
  const state = join(folder, 'state')
  return { platform: process.platform, env: { XDG_STATE_HOME: state, LOCALAPPDATA: state }, home: folder, cwd: folder }
}
const dataDir = () => join(folder, 'profile')
const none = async (): Promise<SecretStore> => createMemorySecrets()

/** A keyring that every shell of the person reaches, by service. */
function makeKeyring() {
  const services = new Map<string, SecretStore>()
  return async (service: string): Promise<SecretStore> => {
    const secrets = services.get(service) ?? { ...createMemorySecrets(), kind: 'keyring' as const }
    services.set(service, secrets)
    return secrets
  }
}

it('is in the keyring under one name for every shell, whatever way leads to the data folder', async () => {
  const keyring = makeKeyring()
  const first = await openStateKey({ dataDir: dataDir(), where: at(), keyring })
  expect([first?.kind, first?.value]).toEqual(['keyring', undefined])
  await first?.set('a')
  const again = await openStateKey({ dataDir: join(dataDir(), '..', 'profile'), where: at(), keyring })
  const other = await openStateKey({ dataDir: join(folder, 'other'), where: at(), keyring })
  expect([again?.value, other?.value]).toEqual(['a', undefined])
})

it('is a file for its owner alone where there is no keyring, outside of the data folder', async () => {
  const key = await openStateKey({ dataDir: dataDir(), where: at(), keyring: none })
  await key?.set('a')
  const path = stateKeyFile(dataDir(), at())
  expect([key?.kind, key?.folder, modeOf(path, 0o600), path.startsWith(dataDir())]).toEqual(['file', dirname(path), 0o600, false])
  expect((await openStateKey({ dataDir: dataDir(), where: at(), keyring: none }))?.value).toBe('a')
})

it('stays in its file when a keyring comes later, which another shell may not reach', async () => {
  const keyring = makeKeyring()
  await (await openStateKey({ dataDir: dataDir(), where: at(), keyring: none }))?.set('a')
  expect(await openStateKey({ dataDir: dataDir(), where: at(), keyring })).toMatchObject({ kind: 'file', value: 'a' })
  expect(await openStateKey({ dataDir: dataDir(), where: at(), keyring: none })).toMatchObject({ kind: 'file', value: 'a' })
})

describe.skipIf(onWindows)('in a file, whose permission bits count', () => {
  const open = () => openStateKey({ dataDir: dataDir(), where: at(), keyring: none })
  const path = () => stateKeyFile(dataDir(), at())
  beforeEach(async () => (await open())?.set('a'))

  it('is read by its owner alone again, once others could', async () => {
    chmodSync(path(), 0o644)
    expect([(await open())?.value, statSync(path()).mode & 0o777]).toEqual(['a', 0o600])
  })

  it.each<[string, () => void]>([
    ['that others may write', () => chmodSync(path(), 0o622)],
    ['in a folder that others may write in', () => chmodSync(dirname(path()), 0o777)],
    [
      'that is a link',
      () => {
        renameSync(path(), join(folder, 'elsewhere'))
        symlinkSync(join(folder, 'elsewhere'), path())
      },
    ],
  ])('%s is not used, and replaced by the next', async (_what, change) => {
    change()
    const key = await open()
    expect([key?.kind, key?.value]).toEqual(['file', undefined])
    await key?.set('b')
    expect([
      (await open())?.value,
      lstatSync(path()).isFile(),
      statSync(path()).mode & 0o777,
      statSync(dirname(path())).mode & 0o777,
    ]).toEqual(['b', true, 0o600, 0o700])
  })
})

it('of a keyring that is there and does not answer may be in it all the same', async () => {
  const locked = async (): Promise<SecretStore> => ({ ...createMemorySecrets(), isLocked: true })
  expect(await openStateKey({ dataDir: dataDir(), where: at(), keyring: locked })).toMatchObject({
    kind: 'file',
    value: undefined,
    isLocked: true,
  })
})

describe('is none', () => {
  it('where the keyring is locked', async () => {
    const locked = async (): Promise<SecretStore> => ({
      ...createMemorySecrets(),
      kind: 'keyring',
      get: () => Promise.reject(new Error('locked')),
    })
    expect(await openStateKey({ dataDir: dataDir(), where: at(), keyring: locked })).toBeNull()
  })

  it('where its file cannot be read', async () => {
    const keys = dirname(stateKeyFile(dataDir(), at()))
    mkdirSync(dirname(keys), { recursive: true })
    writeFileSync(keys, 'a file in the folder’s place')
    expect(await openStateKey({ dataDir: dataDir(), where: at(), keyring: none })).toBeNull()
  })
})

it('lies in a folder of its own on every system', () => {
  const path = (platform: NodeJS.Platform, env = {}) =>
    stateKeyFile('/p', { platform, env, home: '/home/maya', cwd: '/' }).replace(/[0-9a-f]{16}/, 'ID')
  expect([path('linux'), path('linux', { XDG_STATE_HOME: 'relative' }), path('darwin'), path('win32', { LOCALAPPDATA: 'C:\\L' })]).toEqual([
    '/home/maya/.local/state/assent/ID.key',
    '/home/maya/.local/state/assent/ID.key',
    '/home/maya/Library/Application Support/Assent Keys/ID.key',
    'C:\\L\\Assent Keys\\ID.key',
  ])
})
