// The MCP server of the gate, over one connection to the host (`AgentLink`), here or joined. It decides nothing: what the host says of a
// call becomes its result, progress and questions, in either era of the protocol.
import { randomBytes } from 'node:crypto'
import { inputRequired, Server, type ServerContext } from '@modelcontextprotocol/server'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { AgentOutcome } from '#main/chat/gate/agent-calls.ts'
import type { AgentEvent } from '#main/chat/gate/agent-link.ts'
import {
  type AgentClaims,
  asObject,
  chosenTool,
  claims,
  claimsOf,
  createGateNames,
  foundTools,
  type GateNames,
  type GateServer,
  gateResult,
  instructionsOf,
  invalid,
  resultOrThrow,
  SEARCH_TOOLS,
  unknownResource,
} from './gate-names.ts'

/** The host, as an agent's side reaches it. */
export interface AgentHost {
  request(name: string, params: unknown): Promise<unknown>
  onEvent(listener: (event: AgentEvent) => void): () => void
  /** Whether no page or window of it shows what waits for the person; absent: one does. */
  isHeadless?(): boolean
}

/** A request of the agent that goes on, with the questions that the agent has to answer meanwhile. */
interface Running {
  readonly id: string
  readonly outcome: Promise<AgentOutcome>
  readonly questions: Question[]
  onQuestion: () => void
  onProgress: (progress: JsonObject) => void
  onWaiting: (waits: boolean) => void
}
interface Question {
  readonly id: string
  readonly kind: 'elicitation' | 'sampling' | 'roots'
  readonly params: JsonObject
  sent?: true
}

/** Says how a person opens a page of a host that shows none. */
export const howToOpen = (): string => t`Open Assent, or run “assent serve”.`

/** Milliseconds between notes to an agent that the person is waited for, which keep its time-out from ending the call. */
const NOTE_EVERY_MS = 5000
/** Milliseconds in which an agent of the newer era comes back with the answers that a call needs. */
const ANSWERS_WITHIN_MS = 10 * 60_000

type GateConnection = ReturnType<typeof createGateConnection>

/** State that several servers of one connection share: a probe of the newer era makes one that is discarded. */
export function createGateConnection(host: AgentHost) {
  const running = new Map<string, Running>()
  const servers = new Set<{ changed(): void; updated(uri: string): void }>()
  let names: Promise<GateNames> | undefined
  const resumed = new Map<string, { readonly running: Running; readonly timer: NodeJS.Timeout }>()
  const prefix = randomBytes(4).toString('hex')
  let last = 0

  async function load(wait: boolean): Promise<GateNames> {
    const told = (await host.request('agent.catalogue', { wait })) as { readonly servers: readonly GateServer[] }
    return createGateNames(told.servers)
  }

  const stop = host.onEvent(({ name, payload }) => {
    const call = typeof payload['id'] === 'string' ? running.get(payload['id']) : undefined
    switch (name) {
      case 'agent.progress':
        return call?.onProgress(payload)
      case 'agent.waiting':
        return call?.onWaiting(payload['waits'] === true)
      case 'agent.changed':
        names = undefined
        for (const server of servers) server.changed()
        return
      case 'agent.updated':
        for (const server of servers) server.updated(String(payload['uri']))
        return
      case 'agent.asked': {
        const of = running.get(String(payload['call']))
        of?.questions.push({ id: String(payload['id']), kind: payload['kind'] as Question['kind'], params: asObject(payload['params']) })
        return of?.onQuestion()
      }
      case 'agent.withdrawn':
        for (const one of running.values()) {
          const at = one.questions.findIndex(({ id }) => id === payload['id'])
          if (at >= 0) one.questions.splice(at, 1)
        }
    }
  })

  return {
    host,
    servers,
    /** Calls of the newer era that wait for the agent's answers, by their state. */
    resumed,
    stop(): void {
      stop()
      for (const { timer } of resumed.values()) clearTimeout(timer)
    },
    /** The lists as they are now. The first time, servers that nobody knows yet are waited for. */
    names(): Promise<GateNames> {
      names ??= load(names === undefined)
      names.catch(() => {
        names = undefined
      })
      return names
    },
    begin(request: 'agent.call' | 'agent.read' | 'agent.prompt', params: JsonObject): Running {
      last += 1
      const id = `${prefix}-${last}`
      const nothing = (): void => undefined
      const outcome = host.request(request, { id, ...params }) as Promise<AgentOutcome>
      const one: Running = { id, outcome, questions: [], onQuestion: nothing, onProgress: nothing, onWaiting: nothing }
      running.set(id, one)
      const over = (): void => void running.delete(id)
      outcome.then(over, over)
      return one
    },
    /** Subscribes to a resource, or no longer. */
    async subscribe(uri: string, on: boolean): Promise<void> {
      const of = (await this.names()).serverOf(uri)
      if (of === undefined) throw unknownResource(uri)
      resultOrThrow((await host.request('agent.subscribe', { server: of, uri, on })) as AgentOutcome)
    },
    cancel: (id: string): void => void host.request('agent.cancel', { id }).catch(() => undefined),
    reply: (id: string, result: unknown): void => void host.request('agent.reply', { id, result }).catch(() => undefined),
    refuse: (id: string, error: unknown): void =>
      void host.request('agent.reply', { id, error: error instanceof Error ? error.message.slice(0, 2000) : '' }).catch(() => undefined),
  }
}

export interface GateServerOptions {
  readonly connection: GateConnection
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
      },
      instructions: instructionsOf(names),
    },
  )
  const told = createIntroduction(server, era, onClient)
  addLists(server, connection, told)
  addCalls(server, { connection, era, told })
  addCompletions(server, connection, told)
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

type Told = (context: ServerContext) => Promise<void>

/** Tells the host once of the agent's name and capabilities, and again where a request of the newer era says others. */
function createIntroduction(server: Server, era: 'legacy' | 'modern', onClient: GateServerOptions['onClient']): Told {
  let last: string | undefined
  let telling: Promise<void> = Promise.resolve()
  return (context) => {
    const says = era === 'modern' ? claimsOf(context.mcpReq.envelope) : claims(server.getClientVersion(), server.getClientCapabilities())
    const key = JSON.stringify(says)
    if (key === last) return telling
    last = key
    telling = onClient({ ...says, server, era, context })
    return telling
  }
}

function addLists(server: Server, connection: GateConnection, told: Told): void {
  // What the host tells has the form that the protocol gives it; the SDK checks it again on its way out.
  const list = async (context: ServerContext, look: (names: GateNames) => readonly JsonObject[]): Promise<never[]> => {
    await told(context)
    return look(await connection.names()) as never[]
  }
  server.setRequestHandler('tools/list', async (_request, context) => ({ tools: await list(context, (names) => names.tools()) }))
  server.setRequestHandler('prompts/list', async (_request, context) => ({ prompts: await list(context, (names) => names.prompts()) }))
  server.setRequestHandler('resources/list', async (_request, context) => ({
    resources: await list(context, (names) => names.resources()),
  }))
  server.setRequestHandler('resources/templates/list', async (_request, context) => ({
    resourceTemplates: await list(context, (names) => names.templates()),
  }))
}

interface CallParts {
  readonly connection: GateConnection
  readonly era: 'legacy' | 'modern'
  readonly told: Told
}

function addCalls(server: Server, parts: CallParts): void {
  const { connection, told } = parts
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<never> => {
    await told(context)
    const names = await connection.names()
    const { name, arguments: args } = names.searches
      ? chosenTool(asObject(params))
      : { name: params.name, arguments: asObject(params.arguments) }
    if (names.searches && name === SEARCH_TOOLS) return foundTools(names.search(String(args['query'] ?? ''))) as never
    const tool = names.tool(name)
    if (!tool) throw invalid(`Tool ${name} not found`)
    const begin = (): Running => connection.begin('agent.call', { server: tool.server, tool: tool.name, arguments: args })
    const outcome = await finish(parts, context, begin)
    return ('kind' in outcome ? gateResult(outcome as AgentOutcome) : outcome) as never
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context): Promise<never> => {
    await told(context)
    const of = (await connection.names()).serverOf(uri)
    if (of === undefined) throw unknownResource(uri)
    const outcome = await finish(parts, context, () => connection.begin('agent.read', { server: of, uri }))
    if (!('kind' in outcome)) return outcome as never
    const { content } = asObject(resultOrThrow(outcome as AgentOutcome))
    return { contents: (Array.isArray(content) ? content : []).map((block) => asObject(block)['resource']) } as never
  })
  server.setRequestHandler('prompts/get', async ({ params }, context): Promise<never> => {
    await told(context)
    const prompt = (await connection.names()).prompt(params.name)
    if (!prompt) throw invalid(`Prompt ${params.name} not found`)
    const asked = { server: prompt.server, name: prompt.name, arguments: params.arguments ?? {} }
    const outcome = await finish(parts, context, () => connection.begin('agent.prompt', asked))
    return ('kind' in outcome ? resultOrThrow(outcome as AgentOutcome) : outcome) as never
  })
}

/**
 * Waits for a request to its end, with what it asks of the agent. In the newer era a question is a result (`input_required`), and the same
 * request comes again with the answer: what goes on is found by a state that nobody can guess.
 */
async function finish(parts: CallParts, context: ServerContext, begin: () => Running): Promise<AgentOutcome | JsonObject> {
  const { connection, era } = parts
  const { resumed } = connection
  const { mcpReq } = context
  const state = mcpReq.requestState<string>()
  const before = typeof state === 'string' ? resumed.get(state) : undefined
  if (state !== undefined && !before) throw invalid('requestState is of no call that goes on')
  const running = before?.running ?? begin()
  if (before) {
    clearTimeout(before.timer)
    resumed.delete(String(state))
    for (const question of running.questions.splice(0)) {
      const answer = mcpReq.inputResponses?.[question.id]
      if (answer === undefined) connection.refuse(question.id, new Error('no answer'))
      else connection.reply(question.id, answer)
    }
  }
  const onAbort = (): void => connection.cancel(running.id)
  if (mcpReq.signal.aborted) onAbort()
  mcpReq.signal.addEventListener('abort', onAbort, { once: true })
  const stopNotes = sendProgress(running, context, connection.host)
  try {
    if (era === 'legacy') {
      running.onQuestion = () => askAgent(connection, running, context)
      running.onQuestion()
      return await running.outcome
    }
    const asked = new Promise<'asked'>((resolve) => {
      running.onQuestion = () => resolve('asked')
      if (running.questions.length > 0) resolve('asked')
    })
    const first = await Promise.race([running.outcome, asked])
    if (first !== 'asked') return first
    const key = randomBytes(24).toString('base64url')
    const timer = setTimeout(() => {
      resumed.delete(key)
      connection.cancel(running.id)
    }, ANSWERS_WITHIN_MS)
    resumed.set(key, { running, timer })
    const inputRequests = Object.fromEntries(running.questions.map((one) => [one.id, questionOf(one)]))
    return inputRequired({ inputRequests, requestState: key }) as unknown as JsonObject
  } finally {
    stopNotes()
    mcpReq.signal.removeEventListener('abort', onAbort)
  }
}

// Params of a server's own request, in the form that the protocol gives them: the SDK's builders check them.
const questionOf = ({ kind, params }: Question) => {
  if (kind === 'roots') return inputRequired.listRoots()
  return kind === 'elicitation' ? inputRequired.elicit(params as never) : inputRequired.createMessage(params as never)
}

/** Sends the open questions as requests of the older era. */
function askAgent(connection: GateConnection, { questions }: Running, { mcpReq }: ServerContext): void {
  for (const question of questions) {
    if (question.sent) continue
    question.sent = true
    const { id, kind, params } = question
    const how = { timeout: ANSWERS_WITHIN_MS, signal: mcpReq.signal }
    const asking = kind === 'elicitation' ? mcpReq.elicitInput(params as never, how) : mcpReq.requestSampling(params as never, how)
    asking.then(
      (answer) => connection.reply(id, answer),
      (error: unknown) => connection.refuse(id, error),
    )
  }
}

/** Passes progress on, and says while the person is waited for that they are. Returns its undo. */
function sendProgress(running: Running, { mcpReq }: ServerContext, host: AgentHost): () => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  let sent = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  // Progress has to increase with each note (MCP, "Progress").
  function send({ progress, total, message }: JsonObject): void {
    const wanted = typeof progress === 'number' ? progress : 0
    sent = wanted > sent ? wanted : sent + 1e-6
    const params = {
      progressToken,
      progress: sent,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined) // Nobody is there any more.
  }
  const words = (): string => [t`waits for your answer in Assent`, ...(host.isHeadless?.() ? [howToOpen()] : [])].join(' · ')
  const note = (): void => send({ progress: 0, message: words() })
  running.onProgress = send
  running.onWaiting = (waits) => {
    clearInterval(timer)
    timer = undefined
    if (!waits) return
    note()
    timer = setInterval(note, NOTE_EVERY_MS)
  }
  return () => clearInterval(timer)
}

function addCompletions(server: Server, connection: GateConnection, told: Told): void {
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

/** Subscribes. In the newer era the SDK keeps what each listener wants (`gate-listeners.ts`); returns what is wanted in the older one. */
function addSubscriptions(server: Server, connection: GateConnection, era: 'legacy' | 'modern'): ReadonlySet<string> {
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
