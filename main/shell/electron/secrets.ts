// Secrets in a file of the profile, each encrypted with a key that the system's keyring keeps. Where there is none (on
// Linux that is Electron's `basic_text`, a fixed password) they stay in memory: nothing plain ever reaches the disk.
import { readFileSync, renameSync } from 'node:fs'
import { safeStorage } from 'electron'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Log } from '#main/base/log.ts'
import type { SecretStore } from '#main/platform.ts'
import { createMemorySecrets } from '#main/shell/node/secrets.ts'
import { writeFileWhole } from './files.ts'

const secretsFile = z.record(z.string(), z.base64())

export interface SecretsOptions {
  readonly path: string
  readonly os: NodeJS.Platform
  readonly log: Log
  /** Asked for by a test, or by who wants nothing kept. */
  readonly memoryOnly?: boolean
}

/** After the app is ready. */
export async function openSecrets({ path, os, log, memoryOnly = false }: SecretsOptions): Promise<SecretStore> {
  const kept = !memoryOnly && (await hasKeyring(os, log))
  return kept ? fileSecrets(path, log) : createMemorySecrets()
}

async function hasKeyring(os: NodeJS.Platform, log: Log): Promise<boolean> {
  try {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
    if (os !== 'linux') return true
    const backend = safeStorage.getSelectedStorageBackend()
    return backend !== 'basic_text' && backend !== 'unknown'
  } catch (error) {
    log.warn(`The system’s keyring did not answer: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

function fileSecrets(path: string, log: Log): SecretStore {
  let values: Readonly<Record<string, string>> = readSecrets(path, log)
  /** In memory only once it is on disk. */
  const keep = (next: Readonly<Record<string, string>>): void => {
    try {
      writeFileWhole(path, `${JSON.stringify(next, null, 2)}\n`)
    } catch (cause) {
      throw new HostError('secrets.unavailable', t`The secrets could not be written to ${path}.`, { cause })
    }
    values = next
  }
  const set = async (name: string, value: string): Promise<void> => {
    const stored = await encrypt(name, value)
    keep({ ...values, [name]: stored })
  }
  return {
    kind: 'keyring',
    set,
    async get(name) {
      const stored = Object.hasOwn(values, name) ? values[name] : undefined
      if (stored === undefined) return undefined
      const decrypted = await decrypt(stored)
      if (decrypted === undefined) {
        // The keyring's key is another one now (a new machine, a reset keyring): the person has to give it again.
        log.warn(`The secret “${name}” cannot be read with this system’s keyring.`)
        return undefined
      }
      if (decrypted.shouldReEncrypt && values[name] === stored)
        await set(name, decrypted.result).catch((error: unknown) => log.warn(`“${name}” was not encrypted anew: ${String(error)}`))
      return decrypted.result
    },
    async delete(name) {
      if (Object.hasOwn(values, name)) keep(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)))
    },
  }
}

async function encrypt(name: string, value: string): Promise<string> {
  try {
    return (await safeStorage.encryptStringAsync(value)).toString('base64')
  } catch (cause) {
    throw new HostError('secrets.unavailable', t`The system’s keyring did not encrypt “${name}”.`, { cause })
  }
}

/** Undefined: not with this keyring. */
const decrypt = (stored: string): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean } | undefined> =>
  safeStorage.decryptStringAsync(Buffer.from(stored, 'base64')).catch(() => undefined)

function readSecrets(path: string, log: Log): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return {} // none were kept yet
  }
  try {
    return secretsFile.parse(JSON.parse(text))
  } catch {
    renameSync(path, `${path}.bad`)
    log.warn(`${path} could not be read. It is kept as ${path}.bad; keys have to be entered again.`)
    return {}
  }
}
