import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '#main/base/log.ts'
import type { SecretStore } from '#main/platform.ts'
import { resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { keyring } from '../../../e2e/electron-fake/system.ts'
import { openSecrets } from './secrets.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let folder: string
let path: string
beforeEach(() => {
  resetElectron()
  folder = mkdtempSync(join(tmpdir(), 'assent-secrets-'))
  path = join(folder, 'secrets.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (os: NodeJS.Platform = 'linux', memoryOnly = false): Promise<SecretStore> =>
  openSecrets({ path, os, log: silentLog, memoryOnly })
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
    expect([readdirSync(folder), statSync(path).mode & 0o777]).toEqual([['secrets.json'], 0o600])
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
    keyring.locked = true
    expect([await (await open()).get('a'), onDisk()]).toEqual([undefined, before])
  })

  test('what cannot be encrypted is not kept', async () => {
    const store = await open()
    keyring.locked = true
    await expect(store.set('a', 'one')).rejects.toMatchObject({ code: 'secrets.unavailable' })
    expect([existsSync(path), await store.get('a')]).toEqual([false, undefined])
  })

  test('what cannot be written is not kept either, and nothing of it is in the error', async () => {
    mkdirSync(join(path, 'in-the-way'), { recursive: true })
    const store = await openSecrets({ path: join(path, 'missing', 'secrets.json'), os: 'linux', log: silentLog })
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
    await store.get('a')
    expect(callsOf('safeStorage.encryptStringAsync').length).toBe(2)
  })

  test('a broken file is kept aside, and new secrets can be entered', async () => {
    writeFileSync(path, '{"a": ')
    const store = await open()
    await store.set('a', 'one')
    expect([readFileSync(`${path}.bad`, 'utf8'), await (await open()).get('a')]).toEqual(['{"a": ', 'one'])
  })
})

describe('secrets stay in memory, and nothing reaches the disk,', () => {
  test.each<[string, () => void, NodeJS.Platform, boolean]>([
    ['with Linux’s basic_text', () => (keyring.backend = 'basic_text'), 'linux', false],
    ['with a backend that is not known', () => (keyring.backend = 'unknown'), 'linux', false],
    ['without encryption', () => (keyring.available = false), 'darwin', false],
    ['without encryption on Windows', () => (keyring.available = false), 'win32', false],
    ['when that is asked for', () => undefined, 'linux', true],
  ])('%s', async (_, prepare, os, memoryOnly) => {
    prepare()
    const store = await open(os, memoryOnly)
    await store.set('a', 'one')
    expect([store.kind, await store.get('a'), readdirSync(folder)]).toEqual(['memory', 'one', []])
  })
})
