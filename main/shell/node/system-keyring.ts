// Secrets outside of Electron: in the system's keyring where there is one, else in memory. The keyring's library is native and optional, and a
// keyring may be locked, absent or wait for a person, so it is probed once with a timeout. On Linux only the Secret Service is used: the
// kernel's keyring forgets at a restart.
import { createHash, randomUUID } from 'node:crypto'
import { createMemorySecrets, delegateSecrets, noKeyringAnswer, type SecretStore } from '#main/base/secret-store.ts'

const PROBE_MS = 1500
const CALL_MS = 30_000

/** Asks the system when the first secret is read or written, since a keyring may ask the person for a password. */
export function createLazySecrets(open: () => Promise<SecretStore>): SecretStore {
  let opening: Promise<SecretStore> | undefined
  let kind: SecretStore['kind'] = 'keyring'
  const store = async (): Promise<SecretStore> => {
    opening ??= open()
    const opened = await opening
    kind = opened.kind
    return opened
  }
  return delegateSecrets(() => kind, store)
}

type Keyring = typeof import('@napi-rs/keyring')
type Entry = Pick<InstanceType<Keyring['AsyncEntry']>, 'getPassword' | 'setPassword' | 'deleteCredential'>
type OpenEntry = (name: string) => Entry

/** Service name of a profile's entries, so that a temporary profile neither reads nor changes the person's keys. */
export const serviceOf = (dataDir: string, isDefault: boolean): string =>
  isDefault ? 'Assent' : `Assent ${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`

/** Opens the keyring, or a store in memory where there is none or `ASSENT_NO_KEYRING` is set. */
export async function openKeyring(
  service: string,
  env: Readonly<Record<string, string | undefined>>,
  load: (service: string) => Promise<OpenEntry> = loadKeyring,
  { probeMs = PROBE_MS, longest = longestValue(process.platform) }: { readonly probeMs?: number; readonly longest?: number } = {},
): Promise<SecretStore> {
  if (env['ASSENT_NO_KEYRING']) return createMemorySecrets()
  let isThere = false
  try {
    const open = await load(service)
    const entry = open(`probe/${randomUUID()}`) // Throws where no Secret Service is.
    isThere = true
    // Writes and deletes one value: a keyring that is locked fails here, or waits for the person.
    await within(probeMs, async (signal) => {
      await entry.setPassword('probe', signal)
      await entry.deleteCredential(signal)
    })
    return createKeyringSecrets(open, longest)
  } catch {
    // No library for this system, no keyring, or no answer in time: the settings say that keys are kept for this run only.
    return isThere ? { ...createMemorySecrets(), isLocked: true } : createMemorySecrets()
  }
}

async function loadKeyring(service: string): Promise<OpenEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return (name) => new AsyncEntry(service, name, { linux: { store: 'secret-service' } })
}

/** UTF-16 units that one entry holds. Windows' Credential Manager takes 2,560 bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE): no OAuth entry fits. */
export const longestValue = (platform: NodeJS.Platform): number => (platform === 'win32' ? 1200 : Number.POSITIVE_INFINITY)

/** Value of an entry whose real one stands in parts: `assent-parts ID COUNT`. */
const partsMark = /^assent-parts ([0-9a-f-]{36}) (\d{1,4})$/
const partNames = (name: string, head: string | undefined): string[] => {
  const [, id, count] = partsMark.exec(head ?? '') ?? []
  return id === undefined ? [] : Array.from({ length: Number(count) }, (_, part) => `${name}/${id}/${part}`)
}

/** A longer value stands in parts of a new id; its entry names them once all are written, so that the earlier value holds until then. */
function createKeyringSecrets(open: OpenEntry, longest: number): SecretStore {
  const call = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await within(CALL_MS, work)
    } catch (cause) {
      throw noKeyringAnswer(cause)
    }
  }
  const isLimited = longest < Number.POSITIVE_INFINITY
  const partsOf = (name: string, head: string | undefined): string[] => (isLimited ? partNames(name, head) : [])
  const read = async (name: string, signal: AbortSignal) => (await open(name).getPassword(signal)) ?? undefined
  return {
    kind: 'keyring',
    get: (name) =>
      call(async (signal) => {
        const head = await read(name, signal)
        const parts: string[] = []
        for (const part of partsOf(name, head)) {
          const text = await read(part, signal)
          if (text === undefined) return undefined
          parts.push(text)
        }
        return parts.length > 0 ? parts.join('') : head
      }),
    set: (name, value) =>
      call(async (signal) => {
        const before = isLimited ? partNames(name, await read(name, signal)) : []
        const head = value.length <= longest ? value : `assent-parts ${randomUUID()} ${Math.ceil(value.length / longest)}`
        for (const [at, part] of (head === value ? [] : partNames(name, head)).entries())
          await open(part).setPassword(value.slice(at * longest, (at + 1) * longest), signal)
        await open(name).setPassword(head, signal)
        for (const part of before) await open(part).deleteCredential(signal)
      }),
    delete: (name) =>
      call(async (signal) => {
        const parts = isLimited ? partNames(name, await read(name, signal)) : []
        for (const each of [name, ...parts]) await open(each).deleteCredential(signal)
      }),
  }
}

/** @throws {Error} after `ms` even when `work` ignores its signal */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work(signal), late])
}
