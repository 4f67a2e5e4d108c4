// The secret store as servers use it, with what is known of it: pages want to know at once whether a value is there, and
// a keyring takes its time.

/** The platform's secret store, as far as servers need it. */
export interface InputStore {
  readonly kind: 'keyring' | 'memory'
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

export interface WatchedStore extends Omit<InputStore, 'kind'> {
  /** As last seen. */
  has(name: string): boolean
  /** Finds out, in its own time, which of these are there. */
  look(names: readonly string[]): void
}

/** `onChange`: something is there that was not, or the other way round. */
export function createInputStore(secrets: InputStore, onChange: () => void): WatchedStore {
  const known = new Map<string, boolean>()
  const learn = (name: string, there: boolean): void => {
    if ((known.get(name) ?? false) !== there) {
      known.set(name, there)
      onChange()
    } else known.set(name, there)
  }
  const get = async (name: string): Promise<string | undefined> => {
    const value = await secrets.get(name)
    learn(name, value !== undefined)
    return value
  }
  return {
    has: (name) => known.get(name) ?? false,
    look(names) {
      for (const name of new Set(names)) if (!known.has(name)) get(name).catch(() => undefined) // A start says why it cannot be read.
    },
    get,
    async set(name, value) {
      await secrets.set(name, value)
      learn(name, true)
    },
    async delete(name) {
      await secrets.delete(name)
      learn(name, false)
    },
  }
}

/** Where a host brings no store of its own. */
export function memoryInputStore(): InputStore {
  const values = new Map<string, string>()
  return {
    kind: 'memory',
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  }
}
