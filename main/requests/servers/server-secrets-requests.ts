// Requests that keep, forget and move secrets of servers. Each changes both file and store or neither, and returns no value.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { prepareServer, saveServer } from '#main/install/save-server.ts'
import { putBack } from '#main/servers/config/inputs/extract-secrets.ts'
import type { HandlersOf, HostContext } from '../request-handlers.ts'

export function secretHandlers(context: HostContext) {
  const { config, inputs, servers, store } = context
  /** Input ids that the last move out of the file wrote, by server. */
  const moved = new Map<string, readonly string[]>()
  const record = (server: string, decision: string, ids: readonly string[]): void =>
    void store.audit.append({ kind: 'config', server, decision, by: 'person', detail: { secrets: [...ids], kept: inputs.storeKind } })
  const definitionOf = (name: string): ServerDefinition => {
    const definition = config.definitions().get(name)
    if (definition) return definition
    throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
  }
  const used = (name: string, id: string): ServerDefinition => {
    const definition = definitionOf(name)
    if (inputsIn(definition).includes(id)) return definition
    throw new HostError('config.invalid', t`“${name}” names no value “${id}”. Nothing was saved.`, { data: { server: name, id } })
  }

  return {
    async 'server.setSecret'({ name, id, value }) {
      const definition = used(name, id)
      const clean = value.replace(/[\r\n]+$/, '')
      if (clean === '' || clean.includes('\0'))
        throw new HostError('config.invalid', t`The value is empty or has a NUL.`, { data: { server: name, id } })
      await inputs.set(name, id, clean)
      record(name, 'secret-set', [id])
      const state = servers.view(name)?.state
      // It waited for this: its state says how the start goes.
      if (state?.kind === 'failed' && state.error.code === 'server.secret-missing' && (await inputs.complete(name, definition)))
        servers.start(name).catch(() => undefined)
    },
    async 'server.forgetSecret'({ name, id }) {
      used(name, id)
      await inputs.forget(name, id)
      record(name, 'secret-forgotten', [id])
    },
    async 'server.keepSecrets'({ name, names }) {
      const definition = definitionOf(name)
      const prepared = prepareServer(context, name, { definition, keep: names }, definition)
      const ids = await saveServer({ config, inputs, audit: store.audit }, { ...prepared, name })
      moved.set(name, ids)
      if (ids.length > 0) record(name, 'secrets-moved', ids)
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
    },
  } satisfies Partial<HandlersOf<'server'>>
}
