// Values that a launch is given are never shown and never written down, but a changed one must ask again: each stands in
// the database as an HMAC under a key of the profile, which lies in the secret store. A plain hash would tell a short
// secret to whoever guesses it.
import { createHmac, randomBytes } from 'node:crypto'
import type { LaunchDigest } from '#app/consent/launch-digest.ts'

/** The platform's secret store, as far as launches need it. */
export interface LaunchKeyStore {
  readonly kind: 'keyring' | 'memory'
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

export interface LaunchValues {
  /** Undefined: the secret store did not give a key. Where there is nothing to digest nobody waits. */
  digest(values: Readonly<Record<string, string>>): LaunchDigest | Promise<LaunchDigest | undefined>
}

const keyName = 'launch-key'
const nothing: LaunchDigest = { key: '', kept: 'memory', values: {} }

/** Without a store: a key of this run. */
export function createLaunchValues(store?: LaunchKeyStore): LaunchValues {
  let asked: Promise<Buffer> | undefined

  async function load(): Promise<Buffer> {
    const kept = await store?.get(keyName)
    const bytes = Buffer.from(kept ?? '', 'base64')
    if (bytes.length === 32) return bytes
    const made = randomBytes(32)
    await store?.set(keyName, made.toString('base64'))
    return made
  }

  async function key(): Promise<Buffer | undefined> {
    asked ??= load()
    try {
      return await asked
    } catch {
      // Locked or gone: it is asked for again at the next launch.
      asked = undefined
      return undefined
    }
  }

  async function digestOf(values: Readonly<Record<string, string>>): Promise<LaunchDigest | undefined> {
    const secret = await key()
    if (secret === undefined) return undefined
    const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
    return {
      key: hmac('key').slice(0, 16),
      kept: store?.kind ?? 'memory',
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hmac(JSON.stringify(['value', name, value]))])),
    }
  }

  return { digest: (values) => (Object.keys(values).length === 0 ? nothing : digestOf(values)) }
}
