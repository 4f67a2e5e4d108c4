// Secrets by name: in memory, or in a file of the profile in which a cipher of the system encrypts each. The shell brings the cipher; without
// one secrets stay in memory. Plain text never reaches the disk.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import { renameSoon, writeFileAtomically } from './atomic-write.ts'
import type { Clock } from './clock.ts'
import type { Log } from './host-log.ts'

/** Keeps secrets by name (`key/anthropic`, …). Values never reach config files, the database, logs or the page. */
export interface SecretStore {
  /** `memory`: there is no keyring; values last for this run only, and the settings say so. */
  readonly kind: ShellSummary['secrets']
  /** Resolves when `kind` is known. Absent: it is known from the start. */
  readonly opened?: Promise<void>
  /** Whether there is a keyring that did not answer: locked, or its question was dismissed. */
  readonly isLocked?: true
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

/** Encryption with a key of the system's keyring. */
export interface Cipher {
  /** Whether a keyring answers, with a key that nobody else has. */
  available(): Promise<boolean>
  /** @throws {Error} when nothing, or nothing safe, encrypts */
  encrypt(text: string): Promise<Buffer>
  /**
   * Resolves with the text, and whether it is to be encrypted anew; undefined: another key encrypted it.
   * @throws {HostError} `secrets.unavailable` when the keyring does not answer now.
   */
  decrypt(bytes: Buffer): Promise<{ readonly text: string; readonly isStale: boolean } | undefined>
}

export const noKeyringAnswer = (cause?: unknown): HostError =>
  new HostError('secrets.unavailable', t`The system’s keyring did not answer. It may be locked.`, { cause })

export function createMemorySecrets(): SecretStore {
  const values = new Map<string, string>()
  return {
    kind: 'memory',
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  }
}

/** Store over another one, which every call waits for. `kind` may change once that is known. */
export const delegateSecrets = (kind: () => SecretStore['kind'], store: () => Promise<SecretStore>): SecretStore => ({
  get kind() {
    return kind()
  },
  get: async (name) => (await store()).get(name),
  set: async (name, value) => (await store()).set(name, value),
  delete: async (name) => (await store()).delete(name),
})

/** Milliseconds that a call waits for a keyring that has not answered since the start, since it may ask the person for a password. */
const longestWait = 10_000

interface SecretsFileOptions {
  readonly path: string
  /** Absent: secrets stay in memory, whatever the file holds. */
  readonly cipher: Cipher | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Opens the file. The keyring is asked at once; only reads and writes of secrets wait for it. */
export function openSecretsFile({ path, cipher, clock, log }: SecretsFileOptions): SecretStore & { readonly opened: Promise<void> } {
  let store = createMemorySecrets()
  const opening = (cipher === undefined ? Promise.resolve(store) : chooseStore(path, cipher, log)).then((chosen) => {
    store = chosen
    return chosen
  })
  const answer = (): Promise<SecretStore> => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(longestWait, () => reject(noKeyringAnswer()))
    return Promise.race([opening, late]).finally(cancel)
  }
  return Object.assign(
    delegateSecrets(() => store.kind, answer),
    { opened: opening.then(() => undefined) },
  )
}

async function chooseStore(path: string, cipher: Cipher, log: Log): Promise<SecretStore> {
  try {
    const file = readSecretsFile(path, log)
    const isThere = await cipher.available().catch((error: unknown) => {
      log.warn(`The system’s keyring did not answer: ${error instanceof Error ? error.message : error}`)
      return false
    })
    return isThere ? fileSecrets(file, cipher, log) : lockedSecrets(file)
  } catch (error) {
    log.error(`${path} cannot be read`, error)
    return createMemorySecrets()
  }
}

/** Store in memory. Secrets that an earlier run encrypted stay in the file: they are locked, not lost. */
function lockedSecrets(file: SecretsFile): SecretStore {
  const memory = createMemorySecrets()
  return {
    ...memory,
    async get(name) {
      const value = await memory.get(name)
      if (value === undefined && file.get(name) !== undefined) throw noKeyringAnswer()
      return value
    },
    async delete(name) {
      await memory.delete(name)
      file.delete(name)
    },
  }
}

function fileSecrets(file: SecretsFile, cipher: Cipher, log: Log): SecretStore {
  const set = async (name: string, value: string): Promise<void> => {
    const failed = (cause: unknown) => new HostError('secrets.unavailable', t`The system’s keyring did not encrypt “${name}”.`, { cause })
    file.set(name, await cipher.encrypt(value).catch((cause: unknown) => Promise.reject(failed(cause))))
  }
  return {
    kind: 'keyring',
    set,
    async get(name) {
      const stored = file.get(name)
      if (stored === undefined) return undefined
      const decrypted = await cipher.decrypt(stored)
      if (decrypted === undefined) {
        // The keyring has another key (a new machine, a reset keyring): the person has to enter the secret again.
        log.warn(`The secret “${name}” cannot be read with this system’s keyring.`)
        return undefined
      }
      if (decrypted.isStale && file.get(name)?.equals(stored))
        await set(name, decrypted.text).catch((error: unknown) => log.warn(`“${name}” was not encrypted anew: ${String(error)}`))
      return decrypted.text
    },
    delete: async (name) => file.delete(name),
  }
}

type SecretsFile = ReturnType<typeof readSecretsFile>

/** Format of the file: an object of names, each with the encrypted bytes in Base64. */
const encryptedByName = z.record(z.string(), z.base64())

function readSecretsFile(path: string, log: Log) {
  let values = readNames(path, log)
  const keep = (next: Readonly<Record<string, string>>): void => {
    try {
      writeFileAtomically(path, `${JSON.stringify(next, null, 2)}\n`)
    } catch (cause) {
      throw new HostError('secrets.unavailable', t`${path} could not be written.`, { cause })
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

function readNames(path: string, log: Log): Readonly<Record<string, string>> {
  const text = orElse(() => readFileSync(path, 'utf8'), undefined)
  if (text === undefined) return {} // No secrets were stored yet.
  const { data } = encryptedByName.safeParse(parseJson(text))
  if (data) return data
  renameSoon(path, `${path}.bad`)
  log.warn(`${path} could not be read. It is kept as ${path}.bad; keys have to be entered again.`)
  return {}
}
