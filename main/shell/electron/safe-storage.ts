// Secrets in a file of the profile, each encrypted with a key in the system's keyring; without a keyring they stay in memory. Plain text never
// reaches the disk, nor does what Chromium encrypts on Linux with a fixed password when no keyring answers: its tag tells the two apart, which
// Electron's name of the backend does not.
import { readFileSync } from 'node:fs'
import { safeStorage } from 'electron'
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import { renameSoon, writeFileAtomically } from '#main/base/atomic-write.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { SecretStore } from '#main/platform.ts'
import { createMemorySecrets, delegateSecrets } from '#main/shell/node/system-keyring.ts'

const secretsFile = z.record(z.string(), z.base64())
/** Milliseconds that a call waits for a keyring that has not answered since the start, since it may ask the person for a password. */
const longestWait = 10_000

interface SecretsOptions {
  readonly path: string
  readonly os: NodeJS.Platform
  readonly clock: Clock
  readonly log: Log
  readonly memoryOnly?: boolean
}

/** Opens the storage once the app is ready. The keyring is asked at once; only reads and writes of secrets wait for it. */
export function openSafeStorage({ path, os, clock, log, memoryOnly = false }: SecretsOptions) {
  let store: SecretStore = createMemorySecrets()
  const opening = memoryOnly
    ? Promise.resolve(store)
    : chooseStore(path, os, log).then((chosen) => {
        store = chosen
        return chosen
      })
  const answer = (): Promise<SecretStore> => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(longestWait, () => reject(noAnswer()))
    return Promise.race([opening, late]).finally(cancel)
  }
  return Object.assign(
    delegateSecrets(() => store.kind, answer),
    { opened: opening.then(() => undefined) },
  )
}

async function chooseStore(path: string, os: NodeJS.Platform, log: Log): Promise<SecretStore> {
  try {
    const file = openSecretsFile(path, log)
    return (await hasKeyring(os, log)) ? fileSecrets(file, os, log) : memorySecrets(file, os)
  } catch (error) {
    log.error(`${path} cannot be read`, error)
    return createMemorySecrets()
  }
}

/** Whether a keyring answers. Electron's encryption is "available" as soon as it was set up, so something is encrypted to find out. */
async function hasKeyring(os: NodeJS.Platform, log: Log): Promise<boolean> {
  try {
    return (await safeStorage.isAsyncEncryptionAvailable()) && !hasFixedKey(await safeStorage.encryptStringAsync('probe'), os)
  } catch (error) {
    log.warn(`The system’s keyring did not answer: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Whether Chromium's fixed password encrypted this. On a Mac and on Windows the same tag stands for the system's key. */
const hasFixedKey = (encrypted: Buffer, os: NodeJS.Platform): boolean =>
  os !== 'darwin' && os !== 'win32' && encrypted.toString('latin1', 0, 3) === 'v10'

const noAnswer = (cause?: unknown): HostError =>
  new HostError('secrets.unavailable', t`The system’s keyring did not answer. It may be locked.`, { cause })

/** Store in memory. Secrets that an earlier run encrypted with a keyring stay in the file: they are locked, not lost. */
function memorySecrets(file: SecretsFile, os: NodeJS.Platform): SecretStore {
  const memory = createMemorySecrets()
  return {
    ...memory,
    async get(name) {
      const value = await memory.get(name)
      const stored = value === undefined ? file.get(name) : undefined
      if (stored !== undefined && !hasFixedKey(stored, os)) throw noAnswer()
      return value
    },
    async delete(name) {
      await memory.delete(name)
      file.delete(name)
    },
  }
}

function fileSecrets(file: SecretsFile, os: NodeJS.Platform, log: Log): SecretStore {
  const set = async (name: string, value: string): Promise<void> => file.set(name, await encrypt(name, value, os))
  return {
    kind: 'keyring',
    set,
    async get(name) {
      const stored = file.get(name)
      if (stored === undefined) return undefined
      const decrypted = await decrypt(stored)
      if (decrypted === undefined) {
        // The keyring has another key (a new machine, a reset keyring): the person has to enter the secret again.
        log.warn(`The secret “${name}” cannot be read with this system’s keyring.`)
        return undefined
      }
      if ((decrypted.shouldReEncrypt || hasFixedKey(stored, os)) && file.get(name)?.equals(stored))
        await set(name, decrypted.result).catch((error: unknown) => log.warn(`“${name}” was not encrypted anew: ${String(error)}`))
      return decrypted.result
    },
    delete: async (name) => file.delete(name),
  }
}

async function encrypt(name: string, value: string, os: NodeJS.Platform): Promise<Buffer> {
  const failed = (cause?: unknown): HostError =>
    new HostError('secrets.unavailable', t`The system’s keyring did not encrypt “${name}”.`, { cause })
  const encrypted = await safeStorage.encryptStringAsync(value).catch((cause: unknown) => Promise.reject(failed(cause)))
  if (hasFixedKey(encrypted, os)) throw failed()
  return encrypted
}

/** Decrypts a secret; undefined: this keyring cannot. @throws {HostError} `secrets.unavailable` when the keyring does not answer now. */
async function decrypt(stored: Buffer): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean } | undefined> {
  try {
    return await safeStorage.decryptStringAsync(stored)
  } catch (error) {
    // Electron tells the two apart in its words alone (shell/browser/api/electron_api_safe_storage.cc).
    if (error instanceof Error && /temporarily unavailable/.test(error.message)) throw noAnswer(error)
    return undefined
  }
}

type SecretsFile = ReturnType<typeof openSecretsFile>

function openSecretsFile(path: string, log: Log) {
  let values: Readonly<Record<string, string>> = readSecrets(path, log)
  const keep = (next: Readonly<Record<string, string>>): void => {
    try {
      writeFileAtomically(path, `${JSON.stringify(next, null, 2)}\n`)
    } catch (cause) {
      throw new HostError('secrets.unavailable', t`The secrets could not be written to ${path}.`, { cause })
    }
    values = next
  }
  return {
    get: (name: string): Buffer | undefined => (Object.hasOwn(values, name) ? Buffer.from(values[name] ?? '', 'base64') : undefined),
    /** @throws {HostError} `secrets.unavailable` when the file could not be written; it is then as it was. */
    set: (name: string, encrypted: Buffer): void => keep({ ...values, [name]: encrypted.toString('base64') }),
    delete(name: string): void {
      if (Object.hasOwn(values, name)) keep(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)))
    },
  }
}

function readSecrets(path: string, log: Log): Record<string, string> {
  const text = orElse(() => readFileSync(path, 'utf8'), undefined)
  if (text === undefined) return {} // No secrets were stored yet.
  const { data } = secretsFile.safeParse(parseJson(text))
  if (data) return data
  renameSoon(path, `${path}.bad`)
  log.warn(`${path} could not be read. It is kept as ${path}.bad; keys have to be entered again.`)
  return {}
}
