// One connection of an agent: the requests that it may make, and what it hears. It answers no question of Assent, and reaches no rule,
// setting, chat or other entry.
import { z } from 'zod'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { json, jsonObject } from '#app/json-schemas.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { completionQuery } from '#app/server/completion.ts'
import { serverName } from '#app/server/definition.ts'
import { logLevel, type Session } from '#app/server/server-state.ts'
import { createListeners } from '#main/base/listeners.ts'
import { GET_PROMPT, READ_RESOURCE } from '#main/servers/client/calls/resource-calls.ts'
import { type CallOrTask, createAgentCalls } from './agent-calls.ts'
import { asOutcome, tooMany } from './agent-outcome.ts'
import { type AgentConnection, agentHello, createAgentScope, createChangeWatch, createForwards, type GateContext } from './agent-scope.ts'
import type { AgentTasks, TaskState } from './agent-tasks.ts'

const MOST_SUBSCRIPTIONS = 200
const MOST_COMPLETIONS = 8
/** Requests that wait for news of a task. */
const MOST_WAITING = 64
/** Requests of one connection in a second, and hellos in all: each hello is told to every page. */
const MOST_A_SECOND = 2000
const MOST_HELLOS = 200
/** Milliseconds in which the lists of servers that start now are waited for. Agents give up on a server after ten seconds. */
const LISTS_WITHIN_MS = 5000

const name = z.string().min(1).max(1000)
const uri = z.string().min(1).max(8192)
const id = z.string().min(1).max(100)
const ofServer = { server: serverName }
/** Log messages that the agent wants of a request. `session`: it ties them to none, as in the older era. */
const log = z.object({ level: logLevel.optional(), session: z.literal(true).optional() }).optional()
const ofRequest = { id, ...ofServer, log }
/** The agent wants a task, or takes one where the server makes one. */
const task = z.union([z.literal('allowed'), z.object({ ttl: z.number().nonnegative().optional() })]).optional()
const ofTask = { taskId: id }

const agentRequests = {
  /** File that the agent's process is to open, so that the system tells of it. */
  'agent.proof': z.object({}),
  'agent.hello': agentHello,
  /** `wait`: until servers whose lists nobody knows have started, for a while. */
  'agent.catalogue': z.object({ wait: z.boolean().optional() }),
  'agent.call': z.object({ ...ofRequest, tool: name, arguments: jsonObject, task }),
  'agent.read': z.object({ ...ofRequest, uri }),
  'agent.prompt': z.object({ ...ofRequest, name, arguments: z.record(z.string(), z.string()) }),
  'agent.cancel': z.object({ id }),
  'agent.complete': z.object({ ...ofServer, query: completionQuery }),
  'agent.subscribe': z.object({ ...ofServer, uri, on: z.boolean() }),
  /** Answer of the agent to `agent.asked`. */
  'agent.reply': z.object({ id, taskId: id.optional(), result: json.optional(), error: z.string().max(2000).optional() }),
  /** State of a task of this entry. `after`: once it is another than that revision. */
  'agent.task': z.object({ ...ofTask, after: z.number().optional() }),
  'agent.tasks': z.object({}),
  'agent.task.cancel': z.object(ofTask),
} as const
type AgentRequests = typeof agentRequests
type Params<N extends keyof AgentRequests> = z.output<AgentRequests[N]>
const isKnown = (request: string): request is keyof AgentRequests => Object.hasOwn(agentRequests, request)

export interface AgentEvent {
  readonly name:
    | ('agent.yield' | 'agent.waiting' | 'agent.progress' | 'agent.log')
    | ('agent.changed' | 'agent.updated' | 'agent.asked' | 'agent.withdrawn')
  readonly payload: JsonObject
}

export type AgentLink = ReturnType<typeof createAgentLink>

export function createAgentLink(context: GateContext, connection: AgentConnection, tasks: AgentTasks) {
  const { signal } = connection
  const listeners = createListeners<[event: AgentEvent]>()
  const tell = (event: AgentEvent['name'], payload: JsonObject): void => listeners.tell({ name: event, payload })
  const scope = createAgentScope(context, connection)
  const forwards = createForwards(tell)
  const calls = createAgentCalls(context, { scope, forwards, tasks, tell })
  const subscriptions = createSubscriptions(context, scope, connection, tell)
  const handlers = createAgentHandlers(context, { scope, forwards, calls, tasks, subscriptions, connection })
  signal.addEventListener(
    'abort',
    () => {
      calls.close()
      subscriptions.close()
      forwards.close()
      scope.close()
    },
    { once: true },
  )
  const isTooMuch = createRateLimit(context.clock)
  return {
    /** @throws {HostError} `contract.unknown-request` for whatever is no agent's, `contract.invalid` for parameters that do not fit */
    async request(request: string, params: unknown): Promise<unknown> {
      if (!isKnown(request)) throw new HostError('contract.unknown-request', t`The host knows no request “${request.slice(0, 100)}”.`)
      scope.current()
      if (isTooMuch(request)) throw tooMany()
      const parsed = agentRequests[request].safeParse(params)
      const why = parsed.success ? 'agent.hello' : (parsed.error.issues[0]?.message ?? '')
      if (!parsed.success || (!scope.said() && !request.endsWith('proof') && request !== 'agent.hello'))
        throw new HostError('contract.invalid', t`${request}: its parameters do not fit (${why}).`)
      // The map's own type ties each name to its params; a union of names loses that tie.
      const handler = handlers[request] as (params: unknown) => unknown
      return (await handler(parsed.data)) ?? {}
    },
    onEvent: listeners.add,
    /** Tells that another host takes over, and which calls were not run and may be put to that one. */
    yield: (): void => tell('agent.yield', { notRun: calls.notRun() }),
    isRunning: calls.isRunning,
  }
}

function createRateLimit({ now }: Pick<GateContext['clock'], 'now'>): (request: keyof AgentRequests) => boolean {
  let [since, count, hellos] = [now(), 0, 0]
  return (request) => {
    if (request === 'agent.hello') hellos += 1
    if (now() - since >= 1000 || now() < since) {
      since = now()
      count = 0
    }
    count += 1
    return count > MOST_A_SECOND || hellos > MOST_HELLOS
  }
}

interface AgentParts {
  readonly scope: ReturnType<typeof createAgentScope>
  readonly forwards: ReturnType<typeof createForwards>
  readonly calls: ReturnType<typeof createAgentCalls>
  readonly tasks: AgentTasks
  readonly subscriptions: ReturnType<typeof createSubscriptions>
  readonly connection: AgentConnection
}

type AgentHandlers = { readonly [N in keyof AgentRequests]: (params: Params<N>) => unknown }

function createAgentHandlers({ servers }: GateContext, parts: AgentParts): AgentHandlers {
  const { scope, forwards, calls, subscriptions, connection } = parts
  const { signal, proof } = connection
  let completions = 0
  const unknownTool = (server: string, tool: string): HostError =>
    new HostError('tool.unknown', t`“${server}” has no tool “${tool}”.`, { data: { server, tool } })

  async function readCall(params: Params<'agent.read' | 'agent.prompt'>, called: string, args: JsonObject): Promise<CallOrTask> {
    const { server } = params
    scope.definitionOf(server)
    const tool = await servers.readCall(server, called, { signal })
    if (!tool) throw unknownTool(server, called)
    return calls.run(params, { server, tool, arguments: args })
  }

  async function complete({ server, query }: Params<'agent.complete'>): Promise<Json> {
    scope.definitionOf(server)
    if (completions >= MOST_COMPLETIONS) throw tooMany()
    completions += 1
    try {
      return (await servers.complete(server, query, { signal })) as Json
    } finally {
      completions -= 1
    }
  }

  return {
    'agent.proof': () => defined({ path: proof?.path }),
    'agent.hello': scope.hello,
    async 'agent.catalogue'({ wait }) {
      const names = new Set(scope.offered().map((server) => server.name))
      const patience = AbortSignal.any([signal, AbortSignal.timeout(LISTS_WITHIN_MS)])
      const wanted = (server: string): boolean => names.has(server)
      if (wait) await servers.listed({ signal: patience, cause: { callId: scope.id }, wanted, onWaiting: () => undefined })
      return {
        ...defined({ app: scope.current().app }),
        servers: scope.offered().map(({ name: server, session }) => {
          const { resources, resourceTemplates, prompts } = servers.catalogue(server)
          const tools = scope.toolsOf(server).map(({ tokens: _t, enabled: _e, fingerprint: _f, execution, modelName: _m, ...tool }) => ({
            ...tool,
            ...(mayBeTask(execution, session) ? { execution: { taskSupport: 'optional' } } : {}),
          }))
          return { name: server, ...defined({ instructions: session?.instructions }), tools, resources, resourceTemplates, prompts }
        }),
      }
    },
    'agent.call': (params) =>
      asOutcome(async () => {
        const { server, tool: called, arguments: args } = params
        scope.definitionOf(server)
        const tool = scope.toolsOf(server).find((one) => one.name === called)
        if (!tool) throw unknownTool(server, called)
        return calls.run(params, { server, tool, arguments: args })
      }),
    'agent.read': (params) => asOutcome(() => readCall(params, READ_RESOURCE, { uri: params.uri })),
    'agent.prompt': (params) => asOutcome(() => readCall(params, GET_PROMPT, { name: params.name, arguments: params.arguments })),
    'agent.cancel': (params) => calls.cancel(params.id),
    'agent.complete': (params) => asOutcome(() => complete(params), 'result'),
    'agent.subscribe': ({ server, uri: of, on }) => asOutcome(() => subscriptions.set(server, of, on), 'result'),
    'agent.reply': ({ id: asked, taskId, result, error }) =>
      taskId === undefined
        ? forwards.reply(asked, result, error)
        : parts.tasks.reply(scope.entry, defined({ taskId, id: asked, result, error })),
    ...createTaskHandlers(parts),
  }
}

/** A tool that is called either way, since the host follows a server's task itself. */
const mayBeTask = (execution: ToolEntry['execution'], session: Session | undefined): boolean =>
  session?.offers?.includes('tasks') === true && (session.era === 'modern' || (execution?.taskSupport ?? 'forbidden') !== 'forbidden')

function createTaskHandlers({ scope, tasks, connection: { signal } }: AgentParts) {
  let waiting = 0
  const isOffered = (server: string): boolean => orElse(() => scope.definitionOf(server), undefined) !== undefined
  return {
    async 'agent.task'({ taskId, after }: Params<'agent.task'>): Promise<TaskState> {
      if (waiting >= MOST_WAITING) throw tooMany()
      waiting += 1
      try {
        return await tasks.state(scope.entry, taskId, isOffered, after, signal)
      } finally {
        waiting -= 1
      }
    },
    'agent.tasks': () => ({ tasks: tasks.list(scope.entry, isOffered) }),
    'agent.task.cancel': ({ taskId }: Params<'agent.task.cancel'>) => tasks.cancel(scope.entry, taskId, isOffered),
  }
}

/** Subscriptions to resources, and news of the lists. */
function createSubscriptions(
  { servers, onEvent, clients, clock }: GateContext,
  scope: AgentParts['scope'],
  { signal }: AgentConnection,
  tell: (event: 'agent.updated' | 'agent.changed', payload: JsonObject) => void,
) {
  const subscribed = new Set<string>()
  const lists = createChangeWatch(
    clock,
    () => (scope.isOpen() ? scope.offered().map((server) => [server.name, server.catalogueRevision]) : []),
    () => tell('agent.changed', {}),
  )
  const stopClients = clients.onChange(lists.soon)
  const stopEvents = onEvent((event) => {
    if (event.name === 'server.resourceUpdated' && subscribed.has(JSON.stringify([event.payload.name, event.payload.uri])))
      tell('agent.updated', { server: event.payload.name, uri: event.payload.uri })
    if (event.name === 'server.changed' || event.name === 'server.removed' || event.name === 'config.changed') lists.soon()
  })
  return {
    async set(server: string, of: string, on: boolean): Promise<Json> {
      scope.definitionOf(server)
      const key = JSON.stringify([server, of])
      subscribed.delete(key)
      if (!on) return {}
      // Any other address could hold what the agent wants to tell the server, unasked.
      if (!servers.catalogue(server).resources.some((one) => one.uri === of))
        throw new HostError('server.not-offered', t`“${server}” gave nothing for ${of}.`, { data: { server } })
      if (subscribed.size >= MOST_SUBSCRIPTIONS) throw tooMany()
      await servers.subscribe(server, of, { signal })
      subscribed.add(key)
      return {}
    },
    close(): void {
      stopClients()
      stopEvents()
      lists.stop()
    },
  }
}
