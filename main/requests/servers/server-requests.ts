import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Rule } from '#app/consent/rules/rule.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { TestedDefinition } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { logText } from '#app/server/server-state.ts'
import { messageLines } from '#app/server/wire-message.ts'
import { prepareServer, requireFilled, saveServer } from '#main/install/save-server.ts'
import {
  answerOrError,
  type Caller,
  type HandlersOf,
  type HostContext,
  knownServer,
  quoteServerError,
} from '#main/requests/request-handlers.ts'
import { putBack } from '#main/servers/config/inputs/extract-secrets.ts'
import { startsAlike } from '#main/servers/lifecycle/launch-target.ts'
import { logFileName } from '#main/servers/process/logs/log-files.ts'
import { sandboxHandlers } from './sandbox-requests.ts'

/** Handlers that test and save a server. Both prepare what the person entered alike, so that what is saved is what was tested. */
function setupHandlers(context: HostContext) {
  const { config, inputs, servers, store } = context

  const prepare = ({ name, previousName = name, definition, keepSecrets: keep = [], values }: TestedDefinition) =>
    prepareServer(context, name, { definition, keep, entered: values }, config.definitions().get(previousName))

  function saveUnderName(name: string, definition: ServerDefinition, previousName: string | undefined): void {
    const known = config.definitions()
    const from = previousName !== undefined && known.has(previousName) && !known.has(name) ? previousName : name
    if (from !== name) context.broker.endApprovals(name, 'server-renamed')
    context.store.servers.rename(from, name)
    try {
      config.save(name, definition, previousName)
    } catch (error) {
      context.store.servers.rename(name, from)
      throw error
    }
  }

  return {
    async 'server.save'(params) {
      const { name, previousName = name, connectionTests = [] } = params
      requireFilled(params.definition, config.definitions().get(previousName))
      const agreed = servers.connectionTests.agreed(connectionTests)
      const prepared = prepare(params)
      const decision = config.definitions().has(previousName) ? 'changed' : 'added'
      const record = { decision, detail: previousName === name ? {} : { previousName } }
      await saveServer(
        { config, inputs, audit: store.audit },
        {
          ...prepared,
          name,
          previousName,
          record,
          async write(whole) {
            const known = config.definitions()
            const moveBack = known.has(previousName) && !known.has(name) ? await servers.moveSignIn(previousName, name) : undefined
            try {
              saveUnderName(name, whole, params.previousName)
            } catch (error) {
              await moveBack?.()
              throw error
            }
            // Before anything of it can start: a start asks in a later turn of the loop.
            agreed.find(({ definition }) => startsAlike(definition, whole))?.yes.keep(name)
          },
        },
      )
    },
    'server.testConnection'(params) {
      const { name, previousName = name, connectionTests = [] } = params
      const { definition, secrets } = prepare(params)
      const known = config.definitions().has(previousName)
      const server = known ? previousName : name
      const agreed = servers.connectionTests.agreed(connectionTests).map(({ yes }) => yes)
      return { id: servers.connectionTests.begin(servers.testConnection({ server, definition, values: secrets, known, agreed })) }
    },
    'server.watchTest': ({ id, after }) => servers.connectionTests.watch(id, after),
    'server.endTest': ({ id }) => servers.connectionTests.end(id),
    'server.forgetTests': ({ connectionTests }) => servers.connectionTests.forget(connectionTests),
  } satisfies Partial<HandlersOf<'server'>>
}

/** Writes the log of a server into a folder that the person chooses. Returns its path, or null when they chose none. */
export async function saveLog({ platform, servers }: Pick<HostContext, 'platform' | 'servers'>, name: string): Promise<string | null> {
  const title = t`Save as a file`
  const text = async () => `${logText([...(await servers.earlierLog(name)), ...servers.log(name).lines])}\n`
  return saveText(platform, { server: name, title, ending: 'log.txt', text })
}

type TextToSave = Record<'server' | 'title' | 'ending', string> & { text(): Promise<string> | string }

async function saveText(platform: HostContext['platform'], { server, title, ending, text }: TextToSave): Promise<string | null> {
  const folder = await platform.chooseFolder(title)
  if (folder === null) return null
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, logFileName(server).replace(/-[0-9a-f]+\.log$/, `-${now}.${ending}`))
  try {
    await writeFile(path, await text(), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw new HostError(code, t`${path} could not be written.`, { data: { path }, cause })
  }
  return path
}

/** Handlers of the message inspector. Switching it on is audited, since messages are in memory and on pages from then on. */
function inspectorHandlers({ platform, servers, store }: HostContext, known: (name: string) => string) {
  return {
    'server.inspect'({ name, mode }) {
      const inspector = servers.inspector(known(name))
      if (inspector.mode === mode) return
      const decision = mode === undefined ? 'messages-not-recorded' : 'messages-recorded'
      store.audit.append({ kind: 'config', server: name, decision, by: 'person', ...(mode ? { detail: { from: mode } } : {}) })
      inspector.inspect(mode)
    },
    'server.messages': ({ name, after }) => servers.inspector(known(name)).journal.after(after),
    'server.clearMessages': ({ name }) => servers.inspector(known(name)).journal.clear(),
    async 'server.saveMessages'({ name }) {
      const title = t`Save as a file`
      const text = () => messageLines(servers.inspector(known(name)).journal.all())
      return { path: await saveText(platform, { server: name, title, ending: 'jsonl', text }) }
    },
  } satisfies Partial<HandlersOf<'server'>>
}

/** Approvals and trust of a server that was removed. They come back with exactly the same entry, never with another of that name. */
interface Removed {
  readonly definition: ServerDefinition
  readonly trust: string | undefined
  readonly rules: readonly Rule[]
}

const removed = new WeakMap<HostContext['broker'], Map<string, Removed>>()

function endWith({ broker, store }: HostContext, name: string, definition: ServerDefinition | undefined): void {
  const rules = broker.endApprovals(name, 'server-removed')
  const trust = store.servers.trusted().get(name)
  store.servers.putTrust(name, undefined)
  if (!definition) return
  const known = removed.get(broker) ?? new Map<string, Removed>()
  removed.set(broker, known.set(name, { definition, trust, rules }))
}

/** Gives servers whose removal was undone their approvals and trust back. Called once the text of the file is saved. */
export function bringBack({ broker, store, config, servers }: HostContext): void {
  for (const [name, { definition, trust, rules }] of removed.get(broker) ?? []) {
    const now = config.definitions().get(name)
    if (now === undefined) continue
    removed.get(broker)?.delete(name)
    if (!isDeepStrictEqual({ ...now, trusted: false }, { ...definition, trusted: false })) continue
    broker.restoreApprovals(rules)
    if (trust === undefined) continue
    store.servers.putTrust(name, trust)
    servers.configure(config.definitions())
  }
}

/** Starts a server for a joined command. A start that waits for the person ends with the command, unless it was begun elsewhere. */
async function startJoined(servers: HostContext['servers'], name: string, { joined, signal }: Caller): Promise<void> {
  const state = servers.view(name)?.state.kind
  const begins = state !== 'starting' && state !== 'waiting' && state !== 'ready'
  const stop = (): void => void servers.stop(name)
  if (begins) signal.addEventListener('abort', stop, { once: true })
  try {
    await servers.start(name, begins ? { joined } : undefined)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export function serverHandlers(context: HostContext): HandlersOf<'server'> {
  const { config, servers } = context
  /** Never aborted: a page cannot cancel these requests, and the servers' own limits end them. */
  const { signal } = new AbortController()
  const known = (name: string): string => knownServer(context, name)

  function removeOrRestore(name: string): string {
    try {
      return config.remove(name)
    } catch (error) {
      context.inputs.configure(config.definitions(), config.inputs())
      throw error
    }
  }

  return {
    ...secretHandlers(context),
    ...inspectorHandlers(context, known),
    ...sandboxHandlers(context),
    ...setupHandlers(context),
    'server.start': ({ name }, caller) =>
      caller?.joined === undefined ? servers.start(known(name)) : startJoined(servers, known(name), caller),
    'server.stop': ({ name }) => servers.stop(known(name)),
    'server.restart': ({ name }) => servers.restart(known(name)),
    'server.offerUpdate': async ({ name }) => ({ offered: await servers.offerUpdate(known(name)) }),
    'server.setSandbox': ({ name, sandbox }) => servers.setSandbox(known(name), sandbox),
    'server.signIn': ({ name }) => servers.signIn(known(name)),
    'server.signOut': ({ name }) => servers.signOut(known(name)),
    'server.cancelSignIn': ({ name }) => servers.cancelSignIn(known(name)),
    'server.finishSignIn': ({ name, address }) => servers.finishSignIn(known(name), address),
    'server.catalogue'({ name }) {
      const { resources: _resources, resourceTemplates: _templates, prompts: _prompts, ...rest } = servers.catalogue(known(name))
      return rest
    },
    async 'server.log'({ name }) {
      const earlier = await servers.earlierLog(known(name))
      return { ...servers.log(known(name)), earlier }
    },
    'server.activity': ({ name }) => servers.activity(known(name)),
    'server.processes': ({ name }) => servers.processes(known(name)),
    'server.saveLog': async ({ name }) => ({ path: await saveLog(context, known(name)) }),
    'server.doctor': ({ name }) => servers.doctor(known(name)),
    'server.setToolEnabled'({ name, tool, enabled }) {
      const decision = enabled ? 'tool-on' : 'tool-off'
      context.store.audit.append({ kind: 'config', server: known(name), tool, decision, by: 'person' })
      return servers.setToolEnabled(name, tool, enabled)
    },
    'server.setLogLevel': ({ name, level }) => servers.setLogLevel(known(name), level, { signal }),
    'server.sampling': ({ name }) => context.broker.samplingDay(known(name)),
    'server.setSamplingBudget'({ name, budget }) {
      context.store.audit.append({ kind: 'config', server: known(name), decision: 'sampling-budget', by: 'person', detail: budget })
      return context.store.sampling.putBudget(name, budget)
    },
    'server.subscribeResource': ({ name, uri }) => quoteServerError(name, servers.subscribe(known(name), uri, { signal })),
    'server.unsubscribeResource': ({ name, uri }) => quoteServerError(name, servers.unsubscribe(known(name), uri, { signal })),
    'server.readResource': ({ name, uri }, caller) =>
      answerOrError(servers.readResource(known(name), uri, caller ?? { signal }).then((result) => ({ result }))),
    'server.getPrompt': ({ name, prompt, arguments: given }, caller) =>
      answerOrError(servers.getPrompt(known(name), prompt, given, caller ?? { signal }).then((result) => ({ result }))),
    'server.complete': ({ name, query }) => quoteServerError(name, servers.complete(known(name), query, { signal })),
    async 'server.remove'({ name }) {
      const definition = config.definitions().get(known(name))
      // Its values come back with it, should the removal be undone.
      context.bundles.leaving(name)
      if (definition) await context.inputs.release(name, definition)
      const text = removeOrRestore(name)
      endWith(context, name, definition)
      context.store.audit.append({ kind: 'config', server: name, decision: 'removed', by: 'person' })
      return { text }
    },
  }
}

// Requests that keep, forget and move secrets of servers. Each changes both file and store or neither, and returns no value.
function secretHandlers(context: HostContext) {
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
      // The start waited for this: the server's state says how it goes.
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
