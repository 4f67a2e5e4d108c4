import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Clock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { openSecretsFile, type SecretStore } from '#main/base/secret-store.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { keyring } from '../../../e2e/electron-fake/system.ts'
import { safeStorageCipher } from './safe-storage.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let folder: string
let path: string
beforeEach(() => {
  resetElectron()
  app.ready.resolve()
  folder = mkdtempSync(join(tmpdir(), 'assent-secrets-'))
  path = join(folder, 'secrets.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Timers that the test lets run out. */
const waits: (() => void)[] = []
const clock: Clock = {
  now: () => 0,
  after(_, callback) {
    waits.push(callback)
    return () => void waits.splice(waits.indexOf(callback), 1)
  },
}
const opening = (os: NodeJS.Platform = 'linux', memoryOnly = false) =>
  openSecretsFile({ path, cipher: memoryOnly ? undefined : safeStorageCipher(os), clock, log: silentLog })
const open = async (os?: NodeJS.Platform, memoryOnly?: boolean): Promise<SecretStore> => {
  const secrets = opening(os, memoryOnly)
  await secrets.opened
  return secrets
}
const onDisk = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

describe('where the system has a keyring', () => {
  test('a secret outlives the run, encrypted, in a file for the person alone', async () => {
    const store = await open()
    await store.set('key/anthropic', 'sk-very-secret')
    expect([store.kind, await (await open()).get('key/anthropic')]).toEqual(['keyring', 'sk-very-secret'])
    expect(onDisk()).not.toContain('sk-very-secret')
    expect([readdirSync(folder), modeOf(path, 0o600)]).toEqual([['secrets.json'], 0o600])
  })

  test('a file of the first version is read as it is', async () => {
    const written = {
      'key/anthropic': 'djExdGVyY2VzLXlyZXYta3M=',
      'oauth/files': 'djExfSLDr27DvCI6Im5la290Ins=',
    }
    writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`)
    const store = await open()
    expect([await store.get('key/anthropic'), await store.get('oauth/files')]).toEqual(['sk-very-secret', '{"token":"ünï"}'])
  })

  test('a secret that is deleted is gone from the disk', async () => {
    const store = await open()
    await store.set('a', 'one')
    await store.set('b', 'two')
    await store.delete('a')
    await store.delete('nothing')
    expect([Object.keys(JSON.parse(onDisk())), await store.get('a'), await (await open()).get('b')]).toEqual([['b'], undefined, 'two'])
  })

  test('names of the language are names like any other', async () => {
    const store = await open()
    expect([await store.get('constructor'), await store.get('__proto__')]).toEqual([undefined, undefined])
  })

  test('what another keyring encrypted reads as not there, and stays', async () => {
    await (await open()).set('a', 'one')
    const before = onDisk()
    keyring.decrypts = 'never'
    expect([await (await open()).get('a'), onDisk()]).toEqual([undefined, before])
  })

  // Electron rejects with these words while the key's provider does not answer (electron_api_safe_storage.cc); other
  // programs took that for a lost secret and asked for it anew (public reports quote the sentence).
  test('what cannot be decrypted just now is not lost: it is unavailable, and there again later', async () => {
    const store = await open()
    await store.set('a', 'one')
    keyring.decrypts = 'later'
    await expect(store.get('a')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    keyring.decrypts = 'yes'
    expect(await store.get('a')).toBe('one')
  })

  test('what would be encrypted with Chromium’s own password is not written, at any time', async () => {
    const store = await open()
    await store.set('a', 'one')
    const before = onDisk()
    keyring.tag = 'v10'
    await expect(store.set('a', 'two')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    await expect(store.set('b', 'two')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    expect(onDisk()).toBe(before)
  })

  test('what was once encrypted with Chromium’s own password is encrypted anew', async () => {
    writeFileSync(path, JSON.stringify({ a: Buffer.from('v10eno').toString('base64') }))
    const store = await open()
    expect(await store.get('a')).toBe('one')
    expect(Buffer.from(JSON.parse(onDisk()).a, 'base64').toString()).toBe('v11eno')
  })

  test('what cannot be encrypted is not kept', async () => {
    const store = await open()
    keyring.encrypts = false
    await expect(store.set('a', 'one')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    expect([existsSync(path), await store.get('a')]).toEqual([false, undefined])
  })

  test('what cannot be written is not kept either, and nothing of it is in the error', async () => {
    mkdirSync(join(path, 'in-the-way'), { recursive: true })
    const store = opening()
    const error: Error = await store.set('a', 'sk-very-secret').then(
      () => new Error('it was kept'),
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({ code: 'secrets.unavailable' })
    expect([JSON.stringify(error) + String(error.stack), await store.get('a')]).toEqual([
      expect.not.stringContaining('sk-very-secret'),
      undefined,
    ])
  })

  test('a secret is encrypted anew when the keyring asks for it', async () => {
    const store = await open()
    await store.set('a', 'one')
    keyring.shouldReEncrypt = true
    const encrypted = callsOf('safeStorage.encryptStringAsync').length
    await store.get('a')
    expect(callsOf('safeStorage.encryptStringAsync').length).toBe(encrypted + 1)
  })

  test('a broken file is kept aside, and new secrets can be entered', async () => {
    writeFileSync(path, '{"a": ')
    const store = await open()
    await store.set('a', 'one')
    expect([readFileSync(`${path}.bad`, 'utf8'), await (await open()).get('a')]).toEqual(['{"a": ', 'one'])
  })
})

// Under sway and i3 Electron names `basic_text`, and on a desktop without a running Secret Service `gnome_libsecret`: the tag
// of what was encrypted is what tells (chromium, components/os_crypt/async/browser/{posix,freedesktop_secret}_key_provider.cc).
describe('whatever the desktop is called, secrets are kept when a key of the system’s answers:', () => {
  test.each<[NodeJS.Platform, 'basic_text' | 'gnome_libsecret' | 'kwallet6' | 'unknown', 'v10' | 'v11' | 'v12']>([
    ['linux', 'basic_text', 'v11'],
    ['linux', 'basic_text', 'v12'],
    ['linux', 'unknown', 'v11'],
    ['linux', 'kwallet6', 'v11'],
    ['darwin', 'unknown', 'v10'],
    ['win32', 'unknown', 'v10'],
  ])('%s, %s, %s', async (os, backend, tag) => {
    Object.assign(keyring, { backend, tag })
    const store = await open(os)
    await store.set('a', 'one')
    expect([store.kind, readdirSync(folder)]).toEqual(['keyring', ['secrets.json']])
  })
})

describe('secrets stay in memory, and nothing reaches the disk,', () => {
  test.each<[string, () => void, NodeJS.Platform, boolean]>([
    ['with Chromium’s own password under GNOME', () => Object.assign(keyring, { backend: 'gnome_libsecret', tag: 'v10' }), 'linux', false],
    ['with Chromium’s own password under sway', () => Object.assign(keyring, { backend: 'basic_text', tag: 'v10' }), 'linux', false],
    ['without encryption', () => (keyring.encrypts = false), 'darwin', false],
    ['without encryption on Windows', () => (keyring.encrypts = false), 'win32', false],
    ['when that is asked for', () => undefined, 'linux', true],
  ])('%s', async (_, prepare, os, memoryOnly) => {
    prepare()
    const store = await open(os, memoryOnly)
    await store.set('a', 'one')
    expect([store.kind, await store.get('a'), readdirSync(folder)]).toEqual(['memory', 'one', []])
  })
})

// The Secret Service may ask the person for a password first, without a limit (freedesktop_secret_key_provider.cc, Prompter).
describe('a keyring that does not answer yet', () => {
  test('holds nothing up but who wants a secret, who is told after a while, and again has it once it answers', async () => {
    await (await open()).set('a', 'one')
    const { promise, resolve } = Promise.withResolvers<void>()
    keyring.answered = promise
    const store = opening()
    const asked = store.get('a')
    expect([store.kind, waits.length]).toEqual(['memory', 1])
    waits[0]?.()
    await expect(asked).rejects.toMatchObject({ code: 'secrets.unavailable' })
    resolve()
    expect([await store.get('a'), store.kind, waits.length]).toEqual(['one', 'keyring', 0])
  })

  test('and then has no key is none: what an earlier run kept is unavailable, not lost, and can be deleted', async () => {
    await (await open()).set('a', 'one')
    await (await open()).set('b', 'two')
    const before = onDisk()
    keyring.tag = 'v10'
    const store = await open()
    await expect(store.get('a')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    await store.set('a', 'three')
    expect([store.kind, await store.get('a'), onDisk()]).toEqual(['memory', 'three', before])
    await store.delete('b')
    expect([Object.keys(JSON.parse(onDisk())), await store.get('b')]).toEqual([['a'], undefined])
  })
})
