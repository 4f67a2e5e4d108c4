// Values that `${input:ID}` stands for, in the secret store under the name of their server, or under a shared name when the file declares
// the id for all servers. They go to servers and nowhere else; a page learns only whether one is there.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { InputDeclaration, ServerInput } from '#app/server/inputs/input.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import { textsWithInputs } from './resolve-variables.ts'

/** Secret store that remembers which values are there: pages ask at once, and a keyring is slow. */
function createInputStore(secrets: SecretStore, onChange: () => void) {
  const known = new Map<string, boolean>()
  const learn = (name: string, there: boolean): void => {
    const before = known.get(name) ?? false
    known.set(name, there)
    if (before !== there) onChange()
  }
  const get = async (name: string): Promise<string | undefined> => {
    const value = await secrets.get(name)
    learn(name, value !== undefined)
    return value
  }
  return {
    has: (name: string): boolean => known.get(name) ?? false,
    /** Finds out, in its own time, which of these are there. */
    look(names: readonly string[]): void {
      for (const name of new Set(names)) if (!known.has(name)) get(name).catch(() => undefined) // A start says why it cannot be read.
    },
    get,
    async set(name: string, value: string): Promise<void> {
      await secrets.set(name, value)
      learn(name, true)
    },
    async delete(name: string): Promise<void> {
      await secrets.delete(name)
      learn(name, false)
    },
  }
}

/** Scope of a config file other than the profile's own: a server of the same name there is another one, with secrets of its own. */
export const fileScope = (file: string): string => createHash('sha256').update(resolve(file)).digest('hex').slice(0, 16)

export interface AskedInput extends InputDeclaration {
  readonly server: string
}

export interface InputsOptions {
  readonly secrets: SecretStore
  /** Scope that keeps the values of one config file apart from those of another; '' for the profile's own file. */
  readonly scope?: string
  /** Environment whose `ASSENT_INPUT_<ID>` gives a value for this run. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Asks on the terminal; undefined when there is no answer. An answer counts for this run. */
  readonly ask?: (input: AskedInput) => Promise<string | undefined>
  /** Called with the servers whose values appeared or went. */
  readonly onChange?: (servers: string[]) => void
}

export type Inputs = ReturnType<typeof createInputs>

/** `github-token` → `ASSENT_INPUT_GITHUB_TOKEN`. */
export const environmentName = (id: string): string => `ASSENT_INPUT_${id.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`

export function createInputs({ secrets, scope = '', env = {}, ask, onChange }: InputsOptions) {
  let definitions: ReadonlyMap<string, ServerDefinition> = new Map()
  let declared: ReadonlyMap<string, InputDeclaration> = new Map()
  /** Values that were typed on the terminal, by name in the store. */
  const typed = new Map<string, string>()
  const released = new Map<string, { readonly definition: ServerDefinition; readonly values: ReadonlyMap<string, string> }>()
  let restoring: Promise<void> = Promise.resolve()

  const isShared = (id: string): boolean => declared.has(id)
  const nameOf = (server: string, id: string): string => {
    const file = scope === '' ? 'input' : `input@${scope}`
    return isShared(id) ? `${file}//${encodeURIComponent(id)}` : `${file}/${encodeURIComponent(server)}/${encodeURIComponent(id)}`
  }
  const store = createInputStore(secrets, () => {
    onChange?.([...definitions].flatMap(([server, definition]) => (idsOf(definition).length > 0 ? [server] : [])))
  })
  const fromEnvironment = (id: string): string | undefined => env[environmentName(id)] || undefined
  const declaration = (id: string): InputDeclaration => declared.get(id) ?? { id, password: true }

  async function find(server: string, id: string): Promise<string | undefined> {
    await restoring
    const name = nameOf(server, id)
    return fromEnvironment(id) ?? typed.get(name) ?? (await store.get(name))
  }

  /** Keeps several values or none of them. Returns its undo. */
  const setAll = (server: string, values: ReadonlyMap<string, string>): Promise<() => Promise<void>> =>
    putAll(store, new Map([...values].map(([id, value]) => [nameOf(server, id), value])))

  return {
    /** Where values are kept; `memory`: they are gone when Assent closes. */
    get storeKind() {
      return secrets.kind
    },
    configure(nextDefinitions: ReadonlyMap<string, ServerDefinition>, nextDeclared: ReadonlyMap<string, InputDeclaration>): void {
      definitions = nextDefinitions
      declared = nextDeclared
      for (const [server, { definition, values }] of released) {
        if (!isDeepStrictEqual(definitions.get(server), definition)) continue
        released.delete(server)
        restoring = restoring.then(() => setAll(server, values).then(() => undefined)).catch(() => undefined) // Then they are asked for.
      }
      store.look([...definitions].flatMap(([server, definition]) => idsOf(definition).map((id) => nameOf(server, id))))
    },
    declared: (): ReadonlyMap<string, InputDeclaration> => declared,
    /** Makes the inputs as a page sees them. `from`: the environment gives the value for this run. */
    views: (server: string, definition: ServerDefinition): ServerInput[] =>
      idsOf(definition).map((id) => {
        const { description, password, options, default: byDefault } = declaration(id)
        const name = nameOf(server, id)
        const from = fromEnvironment(id) === undefined ? undefined : environmentName(id)
        const set = from !== undefined || typed.has(name) || store.has(name)
        const more = defined({ from, description, default: byDefault, options: options && [...options] })
        return { id, set, shared: isShared(id), password, ...more }
      }),
    /**
     * Returns the values of all inputs of the definition, asked for where possible. `given`: values by id in place of kept ones.
     * @throws {HostError} `server.secret-missing`
     */
    async values(server: string, definition: ServerDefinition, given?: ReadonlyMap<string, string>): Promise<Map<string, string>> {
      const values = new Map<string, string>()
      const missing: string[] = []
      for (const id of idsOf(definition)) {
        const kept = given?.get(id) ?? (await find(server, id))
        const value = kept ?? (await ask?.({ ...declaration(id), server }))
        if (value === undefined) missing.push(id)
        else values.set(id, value)
        if (kept === undefined && value !== undefined) typed.set(nameOf(server, id), value)
      }
      if (missing.length > 0) throw missingError(server, missing.map(declaration))
      return values
    },
    /** Tells whether `values` would have all without asking. */
    async complete(server: string, definition: ServerDefinition): Promise<boolean> {
      for (const id of idsOf(definition)) if ((await find(server, id)) === undefined) return false
      return true
    },
    get: async (server: string, id: string): Promise<string | undefined> => {
      await restoring
      return store.get(nameOf(server, id))
    },
    set: (server: string, id: string, value: string): Promise<void> => store.set(nameOf(server, id), value),
    forget: async (server: string, id: string): Promise<void> => {
      typed.delete(nameOf(server, id))
      await store.delete(nameOf(server, id))
    },
    setAll,
    /** Forgets the values of a server that is removed. They come back should it come back in this run as it was. */
    async release(server: string, definition: ServerDefinition): Promise<void> {
      const own = idsOf(definition).filter((id) => !isShared(id))
      const values = await takeAll(store, new Map(own.map((id) => [id, nameOf(server, id)])))
      if (values.size > 0) released.set(server, { definition, values })
    },
    /** Forgets the server's own values of `before` that `definition` does not name any more. */
    async prune(server: string, before: ServerDefinition, definition?: ServerDefinition): Promise<void> {
      const still = new Set(definition === undefined ? [] : idsOf(definition))
      for (const id of idsOf(before)) if (!still.has(id) && !isShared(id)) await store.delete(nameOf(server, id))
    },
  }
}

const idsOf = (definition: ServerDefinition): string[] => inputsIn(textsWithInputs(definition))

async function putAll(store: ReturnType<typeof createInputStore>, values: ReadonlyMap<string, string>): Promise<() => Promise<void>> {
  const undo: (() => Promise<void>)[] = []
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    for (const [name, value] of values) {
      const before = await store.get(name)
      undo.push(() => (before === undefined ? store.delete(name) : store.set(name, before)))
      await store.set(name, value)
    }
  } catch (error) {
    await undoAll().catch(() => undefined) // The keyring does not answer. The error below says so.
    throw error
  }
  return undoAll
}

/** Removes several values from the store, or none of them, and returns those that were there. `names`: in the store, by id. */
async function takeAll(store: ReturnType<typeof createInputStore>, names: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  for (const [id, name] of names) {
    const value = await store.get(name)
    if (value !== undefined) values.set(id, value)
  }
  try {
    for (const id of values.keys()) await store.delete(names.get(id) ?? id)
  } catch (error) {
    const back = new Map([...values].map(([id, value]) => [names.get(id) ?? id, value]))
    await putAll(store, back).catch(() => undefined) // The keyring does not answer. The error below says so.
    throw error
  }
  return values
}

function missingError(server: string, inputs: readonly InputDeclaration[]): HostError {
  const ids = inputs.map(({ id }) => id)
  const list = ids.map((id) => `“${id}”`).join(', ')
  const message = t`“${server}” needs values: ${list}.`
  const named = inputs.map(({ id, description }): Json => ({ id, description: description ?? null }))
  return new HostError('server.secret-missing', message, { data: { server, ids, environment: ids.map(environmentName), inputs: named } })
}
