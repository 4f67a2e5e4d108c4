import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Rule } from '#app/consent/rules/rule.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { TestedDefinition } from '#app/server/connection-test.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { logText } from '#app/server/log-text.ts'
import { messageLines } from '#app/server/wire-message.ts'
import { prepareServer, saveServer } from '#main/install/save-server.ts'
import { startsAlike } from '#main/servers/lifecycle/launch-target.ts'
import { logFileName } from '#main/servers/process/logs/log-files.ts'
import { type HandlersOf, type HostContext, quoteServerError } from '../request-handlers.ts'
import { secretHandlers } from './server-secrets-requests.ts'

// Setting a server up: a test run of what is not saved yet, and saving it. Both make the same of what the person entered,
// so that what was tried is what is saved.

type SetupRequest = 'server.save' | 'server.try' | 'server.watchTrial' | 'server.endTrial' | 'server.forgetTrials'

function setupHandlers(context: HostContext): Pick<HandlersOf<'server'>, SetupRequest> {
  const { config, inputs, servers, store } = context

  const prepare = ({ name, previousName = name, definition, keepSecrets: keep = [], values }: TestedDefinition) =>
    prepareServer(context, name, { definition, keep, entered: values }, config.definitions().get(previousName))

  /** What is remembered of a server, and what was allowed and switched off, goes with its new name. */
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
      const { name, previousName = name, trials = [] } = params
      const agreed = servers.trials.agreed(trials)
      const prepared = prepare(params)
      await saveServer(
        { config, inputs, audit: store.audit },
        {
          ...prepared,
          name,
          previousName,
          record: {
            decision: config.definitions().has(previousName) ? 'changed' : 'added',
            detail: previousName === name ? {} : { previousName },
          },
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
      return {}
    },
    'server.try'(params) {
      const { name, previousName = name, trials = [] } = params
      const { definition, secrets } = prepare(params)
      const known = config.definitions().has(previousName)
      const server = known ? previousName : name
      const agreed = servers.trials.agreed(trials).map(({ yes }) => yes)
      return { id: servers.trials.begin(servers.tryOut({ server, definition, values: secrets, known, agreed })) }
    },
    'server.watchTrial': ({ id, after }) => servers.trials.watch(id, after),
    async 'server.endTrial'({ id }) {
      await servers.trials.end(id)
      return {}
    },
    'server.forgetTrials'({ trials }) {
      servers.trials.forget(trials)
      return {}
    },
  }
}

/** Where it was written, in a folder that the person chose; null: they chose none. A file that is there stays as it is. */
export async function saveLog({ platform, servers }: Pick<HostContext, 'platform' | 'servers'>, name: string): Promise<string | null> {
  return saveText(platform, {
    name,
    title: t`Where to save the log of “${name}”`,
    ending: 'log.txt',
    text: async () => `${logText([...(await servers.earlierLog(name)), ...servers.log(name).lines])}\n`,
  })
}

interface Saved {
  /** The server's. */
  readonly name: string
  /** Of the question where to. */
  readonly title: string
  readonly ending: string
  /** Asked for once there is a folder. */
  readonly text: () => Promise<string> | string
}

/** The same for whatever is written of a server, under a name that tells when. */
async function saveText(platform: HostContext['platform'], { name, title, ending, text }: Saved): Promise<string | null> {
  const folder = await platform.chooseFolder(title)
  if (folder === null) return null
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, logFileName(name).replace(/-[0-9a-f]+\.log$/, `-${now}.${ending}`))
  try {
    await writeFile(path, await text(), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw new HostError(code, t`${path} could not be written.`, { data: { path }, cause })
  }
  return path
}

// Seeing what goes over the wire. That it was switched on is on record: from then on it is in memory, and on pages.

type Requests = Pick<HandlersOf<'server'>, 'server.inspect' | 'server.messages' | 'server.clearMessages' | 'server.saveMessages'>

/** `known`: throws for a server that is not there. */
function inspectorHandlers({ platform, servers, store }: HostContext, known: (name: string) => string): Requests {
  return {
    'server.inspect'({ name, mode }) {
      const inspector = servers.inspector(known(name))
      if (inspector.mode === mode) return {}
      const decision = mode === undefined ? 'messages-not-recorded' : 'messages-recorded'
      store.audit.append({ kind: 'config', server: name, decision, by: 'person', ...(mode ? { detail: { from: mode } } : {}) })
      inspector.inspect(mode)
      return {}
    },
    'server.messages': ({ name, after }) => servers.inspector(known(name)).journal.after(after),
    'server.clearMessages'({ name }) {
      servers.inspector(known(name)).journal.clear()
      return {}
    },
    'server.saveMessages': async ({ name }) => ({
      path: await saveText(platform, {
        name,
        title: t`Where to save the messages of “${name}”`,
        ending: 'jsonl',
        text: () => messageLines(servers.inspector(known(name)).journal.all()),
      }),
    }),
  }
}

// What ends with a server that the person removes: its approvals and its trust. They come back when the removal is undone,
// for exactly the same entry: another server that gets the name has none of them.

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

/** After the text of the file was saved. */
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

export function serverHandlers(context: HostContext): HandlersOf<'server'> {
  const { config, servers } = context
  /** Of a request of the page, which cannot be called off; the servers' own limits end it. */
  const { signal } = new AbortController()
  const known = (name: string): string => {
    if (!servers.view(name)) throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
    return name
  }

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
    ...setupHandlers(context),
    async 'server.start'({ name }) {
      await servers.start(known(name))
      return {}
    },
    async 'server.stop'({ name }) {
      await servers.stop(known(name))
      return {}
    },
    async 'server.restart'({ name }) {
      await servers.restart(known(name))
      return {}
    },
    async 'server.signIn'({ name }) {
      await servers.signIn(known(name))
      return {}
    },
    'server.signOut': ({ name }) => servers.signOut(known(name)),
    async 'server.cancelSignIn'({ name }) {
      await servers.cancelSignIn(known(name))
      return {}
    },
    async 'server.finishSignIn'({ name, address }) {
      await servers.finishSignIn(known(name), address)
      return {}
    },
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
      servers.setToolEnabled(name, tool, enabled)
      return {}
    },
    async 'server.setLogLevel'({ name, level }) {
      await servers.setLogLevel(known(name), level, { signal })
      return {}
    },
    'server.sampling': ({ name }) => context.broker.samplingDay(known(name)),
    'server.setSamplingBudget'({ name, budget }) {
      context.store.audit.append({ kind: 'config', server: known(name), decision: 'sampling-budget', by: 'person', detail: budget })
      context.store.sampling.putBudget(name, budget)
      return {}
    },
    async 'server.subscribeResource'({ name, uri }) {
      await quoteServerError(name, servers.subscribe(known(name), uri, { signal }))
      return {}
    },
    async 'server.unsubscribeResource'({ name, uri }) {
      await quoteServerError(name, servers.unsubscribe(known(name), uri, { signal }))
      return {}
    },
    'server.complete': ({ name, query }) => quoteServerError(name, servers.complete(known(name), query, { signal })),
    async 'server.remove'({ name }) {
      const definition = config.definitions().get(known(name))
      // They come back with the server, should its removal be undone.
      context.bundles.leaving(name)
      if (definition) await context.inputs.release(name, definition)
      const text = removeOrRestore(name)
      endWith(context, name, definition)
      context.store.audit.append({ kind: 'config', server: name, decision: 'removed', by: 'person' })
      return { text }
    },
  }
}
