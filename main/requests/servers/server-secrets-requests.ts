// Secrets of servers: kept, forgotten, and moved out of the file and back. Whatever touches both the file and the store
// does both or neither; no request gives a value back.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { keepSecrets, putBack } from '#main/servers/config/inputs/extract-secrets.ts'
import { unmaskDefinition } from '#main/servers/config/mask-definition.ts'
import type { HandlersOf, HostContext } from '../request-handlers.ts'

type SecretRequest = 'server.setSecret' | 'server.forgetSecret' | 'server.keepSecrets' | 'server.putBackSecrets'

export interface SaveWithSecrets {
  readonly name: string
  readonly previousName: string | undefined
  readonly definition: ServerDefinition
  /** Variables or headers whose values go into the store. */
  readonly keep: readonly string[]
  /** What the person entered for its inputs, by id. */
  readonly entered?: Readonly<Record<string, string>> | undefined
  /** Writes the file; throws and changes nothing when it cannot. */
  readonly save: (definition: ServerDefinition) => void
}

interface WithSecrets {
  readonly definition: ServerDefinition
  /** By id: what its references stand for, as far as that was given with it. */
  readonly secrets: ReadonlyMap<string, string>
}

/** What would be written into the file and into the store. */
export function splitSecrets(
  { config, inputs }: Pick<HostContext, 'config' | 'inputs'>,
  options: Omit<SaveWithSecrets, 'save'>,
): WithSecrets {
  const { name, previousName = name, keep, entered = {} } = options
  const whole = unmaskDefinition(name, options.definition, config.definitions().get(previousName))
  const { definition, secrets } = keepSecrets(whole, keep, inputs.declared().keys())
  const used = new Set(inputsIn(definition))
  const values = Object.entries(entered).filter(([id]) => used.has(id))
  return { definition, secrets: new Map([...values, ...secrets]) }
}

/** The secrets go into the store, then the definition into the file. Rejects with `secrets.unavailable`: the file is as it was. */
export async function saveWithSecrets(host: Pick<HostContext, 'config' | 'inputs'>, options: SaveWithSecrets): Promise<readonly string[]> {
  const { config, inputs } = host
  const { name, previousName = name, save } = options
  const before = config.definitions().get(previousName)
  const renamed = before !== undefined && previousName !== name
  const { definition, secrets } = splitSecrets(host, options)
  const values = new Map<string, string>()
  if (renamed)
    for (const id of inputsIn(definition)) {
      const value = inputs.declared().has(id) ? undefined : await inputs.get(previousName, id)
      if (value !== undefined) values.set(id, value)
    }
  for (const [id, value] of secrets) values.set(id, value)
  const undo = await inputs.setAll(name, values)
  try {
    save(definition)
  } catch (error) {
    await undo()
    throw error
  }
  // What nobody names any more. It cannot be read by anyone but a server of that name, so a failure is no harm.
  if (before) await inputs.prune(previousName, before, renamed ? undefined : definition).catch(() => undefined)
  return [...secrets.keys()]
}

export function secretHandlers(context: HostContext): Pick<HandlersOf<'server'>, SecretRequest> {
  const { config, inputs, servers } = context
  /** What the last move out of the file wrote in place of each value: its id. */
  const moved = new Map<string, readonly string[]>()
  const record = (server: string, decision: string, ids: readonly string[]): void =>
    void context.store.audit.append({
      kind: 'config',
      server,
      decision,
      by: 'person',
      detail: { secrets: [...ids], kept: context.platform.secrets.kind },
    })
  const definitionOf = (name: string): ServerDefinition => {
    const definition = config.definitions().get(name)
    if (definition) return definition
    throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
  }
  const used = (name: string, id: string): ServerDefinition => {
    const definition = definitionOf(name)
    if (inputsIn(definition).includes(id)) return definition
    throw new HostError('config.invalid', t`“${name}” names no value “${id}”. Nothing was kept.`, { data: { server: name, id } })
  }

  return {
    async 'server.setSecret'({ name, id, value }) {
      const definition = used(name, id)
      const clean = value.replace(/[\r\n]+$/, '')
      if (clean === '' || clean.includes('\0'))
        throw new HostError('config.invalid', t`The value is empty, or holds a NUL. Nothing was kept.`, { data: { server: name, id } })
      await inputs.set(name, id, clean)
      record(name, 'secret-set', [id])
      const state = servers.view(name)?.state
      // It waited for this: its state says how the start goes.
      if (state?.kind === 'failed' && state.error.code === 'server.secret-missing' && (await inputs.complete(name, definition)))
        servers.start(name).catch(() => undefined)
      return {}
    },
    async 'server.forgetSecret'({ name, id }) {
      used(name, id)
      await inputs.forget(name, id)
      record(name, 'secret-forgotten', [id])
      return {}
    },
    async 'server.keepSecrets'({ name, names }) {
      const ids = await saveWithSecrets(context, {
        name,
        previousName: undefined,
        definition: definitionOf(name),
        keep: names,
        save: (definition) => config.save(name, definition),
      })
      moved.set(name, ids)
      if (ids.length > 0) record(name, 'secrets-moved', ids)
      return {}
    },
    async 'server.putBackSecrets'({ name }) {
      const ids = moved.get(name) ?? []
      const definition = definitionOf(name)
      const values = new Map<string, string>()
      for (const id of ids) {
        const value = inputsIn(definition).includes(id) ? await inputs.get(name, id) : undefined
        if (value !== undefined) values.set(id, value)
      }
      if (values.size === 0)
        throw new HostError('config.invalid', t`Nothing of “${name}” was moved out of the file since Assent started.`, {
          data: { server: name },
        })
      const plain = putBack(definition, values)
      config.save(name, plain)
      moved.delete(name)
      record(name, 'secrets-put-back', [...values.keys()])
      await inputs.prune(name, definition, plain).catch(() => undefined) // It stands in the file: nothing is lost.
      return {}
    },
  }
}
