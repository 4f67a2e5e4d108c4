// The MCP server of the gate, over one connection to the host (`AgentLink`), here or joined. It decides nothing: what the host says of a
// call becomes its result, progress and questions, in either era of the protocol.
import { Server, type ServerContext } from '@modelcontextprotocol/server'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import type { AgentOutcome } from '#main/chat/gate/agent-outcome.ts'
import { addCalls, type GateLink, type Told } from './gate-calls.ts'
import { type AgentClaims, claims, claimsOf, type GateNames, instructionsOf, invalid, resultOrThrow } from './gate-names.ts'
import { addTasks, taskCapabilities } from './gate-tasks.ts'

export interface GateServerOptions {
  readonly connection: GateLink
  readonly version: string
  readonly era: 'legacy' | 'modern'
  /** Tells the host what the agent says of itself, before anything is asked of it. */
  readonly onClient: (client: IntroducedClient) => Promise<void>
}
interface IntroducedClient extends AgentClaims {
  readonly server: Server
  readonly era: 'legacy' | 'modern'
  /** Request that it was introduced by. */
  readonly context: ServerContext
}

export async function createGateServer({ connection, version, era, onClient }: GateServerOptions): Promise<Server> {
  const names = await connection.names()
  const server = new Server(
    { name: 'assent', title: 'Assent', version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        ...taskCapabilities[era],
      },
      instructions: instructionsOf(names),
    },
  )
  const told = createIntroduction(server, connection, era, onClient)
  addLists(server, connection, era, told)
  addCalls(server, { connection, era, told, logging: addLogLevel(server, era) })
  addCompletions(server, connection, told)
  addTasks(server, { connection, era, told })
  const wanted = addSubscriptions(server, connection, era)
  const listener = {
    changed(): void {
      for (const send of [server.sendToolListChanged, server.sendResourceListChanged, server.sendPromptListChanged])
        send.call(server).catch(() => undefined) // Nobody is there any more.
    },
    updated(uri: string): void {
      if (era === 'modern' || wanted.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined)
    },
  }
  connection.servers.add(listener)
  server.onclose = () => void connection.servers.delete(listener)
  return server
}

/** Tells the host once of the agent's name and capabilities, and again where a request of the newer era says others. */
function createIntroduction(server: Server, connection: GateLink, era: 'legacy' | 'modern', onClient: GateServerOptions['onClient']): Told {
  let last: string | undefined
  let telling: Promise<void> = Promise.resolve()
  return (context) => {
    const says = era === 'modern' ? claimsOf(context.mcpReq.envelope) : claims(server.getClientVersion(), server.getClientCapabilities())
    const key = JSON.stringify(says)
    if (key === last) return telling
    last = key
    connection.claim(says.claimed)
    telling = onClient({ ...says, server, era, context })
    return telling
  }
}

function addLists(server: Server, connection: GateLink, era: 'legacy' | 'modern', told: Told): void {
  // What the host tells has the form that the protocol gives it; the SDK checks it again on its way out.
  const list = async (context: ServerContext, look: (names: GateNames) => readonly JsonObject[]): Promise<never[]> => {
    await told(context)
    return look(await connection.names()) as never[]
  }
  // Tools of the newer era do not say whether they may be tasks.
  const shown = ({ execution, ...tool }: JsonObject): JsonObject => ({ ...tool, ...(era === 'legacy' ? defined({ execution }) : {}) })
  server.setRequestHandler('tools/list', async (_request, context) => ({ tools: await list(context, (names) => names.tools().map(shown)) }))
  server.setRequestHandler('prompts/list', async (_request, context) => ({ prompts: await list(context, (names) => names.prompts()) }))
  server.setRequestHandler('resources/list', async (_request, context) => ({
    resources: await list(context, (names) => names.resources()),
  }))
  server.setRequestHandler('resources/templates/list', async (_request, context) => ({
    resourceTemplates: await list(context, (names) => names.templates()),
  }))
}

/** Takes the level that an agent of the older era asks for; in the newer one each request has its own. */
function addLogLevel(server: Server, era: 'legacy' | 'modern'): { level?: LogLevel } {
  const logging: { level?: LogLevel } = {}
  if (era === 'legacy')
    server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
      logging.level = level
      return {}
    })
  return logging
}

function addCompletions(server: Server, connection: GateLink, told: Told): void {
  server.setRequestHandler('completion/complete', async ({ params }, context): Promise<never> => {
    await told(context)
    const names = await connection.names()
    const { ref, argument, context: given } = params
    const of = ref.type === 'ref/prompt' ? names.prompt(ref.name) : names.template(ref.uri)
    if (!of) throw invalid('There is no such prompt or template')
    const meant = ref.type === 'ref/prompt' ? { type: ref.type, name: of.name } : { type: ref.type, uri: of.name }
    const query = { ref: meant, argument, ...(given ? { context: given } : {}) }
    const outcome = (await connection.host.request('agent.complete', { server: of.server, query })) as AgentOutcome
    return { completion: resultOrThrow(outcome) } as never
  })
}

/** Subscribes. In the newer era the SDK keeps what each listener wants (`serve-agent.ts`); returns what is wanted in the older one. */
function addSubscriptions(server: Server, connection: GateLink, era: 'legacy' | 'modern'): ReadonlySet<string> {
  const wanted = new Set<string>()
  if (era === 'modern') return wanted
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    await connection.subscribe(uri, true)
    wanted.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    wanted.delete(uri)
    await connection.subscribe(uri, false)
    return {}
  })
  return wanted
}
