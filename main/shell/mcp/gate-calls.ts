// Calls, readings and prompts of an agent: what the host says of one becomes its result, progress, log messages and questions.
import { randomBytes } from 'node:crypto'
import { inputRequired, LOG_LEVEL_META_KEY, ProtocolError, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { isAtLeast, type LogLevel, logLevel } from '#app/server/server-state.ts'
import type { CallOrTask } from '#main/chat/gate/agent-calls.ts'
import type { AgentEvent } from '#main/chat/gate/agent-link.ts'
import type { AgentOutcome } from '#main/chat/gate/agent-outcome.ts'
import type { TaskState } from '#main/chat/gate/agent-tasks.ts'
import {
  asObject,
  chosenTool,
  createGateNames,
  createResultLinks,
  foundTools,
  type GateNames,
  type GateServer,
  gateResult,
  invalid,
  mostToolsOf,
  resultOrThrow,
  SEARCH_TOOLS,
  unknownResource,
} from './gate-names.ts'
import { relatedTask, takesTasks, taskResult } from './task-results.ts'

/** Says how a person opens a page of a host that shows none. */
export const howToOpen = (): string => t`Open Assent, or run “assent serve”.`

/** Task that the agent wants, or may get. @throws {ProtocolError} the tool cannot be one */
function wantedTask(era: 'legacy' | 'modern', { task }: Record<string, unknown>, listed: JsonObject, context: ServerContext) {
  if (era === 'modern') return takesTasks(context) ? 'allowed' : undefined
  if (task === undefined) return undefined
  if (listed['execution'] === undefined) throw new ProtocolError(-32601, `Tool ${String(listed['name'])} cannot be called as a task`)
  const { ttl } = asObject(task)
  return typeof ttl === 'number' ? { ttl: Math.max(ttl, 0) } : {}
}

/** Questions under the keys of their server, where those are plain names that no other question has. */
export function withKeys(questions: readonly AgentQuestion[], open: readonly AgentQuestion[]): AgentQuestion[] {
  const taken = new Set(open.map(({ key }) => key))
  return questions.map(({ key, ...question }) => {
    if (key === undefined || taken.has(key) || !/^[A-Za-z][\w.-]{0,99}$/.test(key)) return question
    taken.add(key)
    return { ...question, key }
  })
}

/** Milliseconds between notes to an agent that the person is waited for, which keep its time-out from ending the call. */
const NOTE_EVERY_MS = 5000
/** Milliseconds in which an agent of the newer era comes back with the answers that a call needs. */
const ANSWERS_WITHIN_MS = 10 * 60_000

/** The host, as an agent's side reaches it. */
export interface AgentHost {
  request(name: string, params: unknown): Promise<unknown>
  onEvent(listener: (event: AgentEvent) => void): () => void
  /** Whether no page or window of it shows what waits for the person; absent: one does. */
  isHeadless?(): boolean
}

const nothing = (): void => undefined

type GateRequest = 'agent.call' | 'agent.read' | 'agent.prompt'

/** A request of the agent that goes on, with the questions that the agent has to answer meanwhile. */
interface Running {
  readonly id: string
  readonly outcome: Promise<CallOrTask>
  readonly questions: AgentQuestion[]
  onQuestion: () => void
  onProgress: (progress: JsonObject) => void
  onWaiting: (waits: boolean) => void
  onLog: (word: JsonObject) => void
}
/** Id of a question, and the task that it is of. */
interface AskedBy {
  readonly id: string
  readonly taskId?: string
}
export interface AgentQuestion {
  readonly id: string
  /** Key in its round (2026-07-28). */
  readonly key?: string
  readonly kind: 'elicitation' | 'sampling' | 'roots'
  readonly params: JsonObject
  sent?: true
}

export type GateLink = ReturnType<typeof createGateConnection>

/** State that several servers of one connection share: a probe of the newer era makes one that is discarded. */
export function createGateConnection(host: AgentHost) {
  const running = new Map<string, Running>()
  const servers = new Set<{ changed(): void; updated(uri: string): void }>()
  let names: Promise<GateNames> | undefined
  const resumed = new Map<string, { readonly running: Running; readonly timer: NodeJS.Timeout }>()
  const prefix = randomBytes(4).toString('hex')
  let last = 0
  let isFirst = true
  let claimed: string | undefined

  async function load(wait: boolean): Promise<GateNames> {
    const { servers: told, app } = (await host.request('agent.catalogue', { wait })) as {
      readonly servers: readonly GateServer[]
      readonly app?: string
    }
    return createGateNames(told, mostToolsOf(app, claimed))
  }

  const stop = host.onEvent(({ name, payload }) => {
    const call = typeof payload['id'] === 'string' ? running.get(payload['id']) : undefined
    switch (name) {
      case 'agent.progress':
        return call?.onProgress(payload)
      case 'agent.waiting':
        return call?.onWaiting(payload['waits'] === true)
      // One of the older era is tied to no request: the newest takes it along.
      case 'agent.log':
        return (payload['id'] === undefined ? [...running.values()].at(-1) : call)?.onLog(payload)
      case 'agent.changed':
        names = undefined
        for (const server of servers) server.changed()
        return
      case 'agent.updated':
        for (const server of servers) server.updated(String(payload['uri']))
        return
      case 'agent.asked': {
        const of = running.get(String(payload['call']))
        of?.questions.push(...withKeys(payload['questions'] as unknown as readonly AgentQuestion[], of.questions))
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
    /** Notes what the agent calls itself, on which it depends how many tools it is shown. */
    claim(name: string | undefined): void {
      if (mostToolsOf(claimed) !== mostToolsOf(name)) names = undefined
      claimed = name
    },
    /** The lists as they are now. The first time, and `anew`, servers that nobody knows yet are waited for. */
    names(how?: 'anew'): Promise<GateNames> {
      if (how) names = undefined
      names ??= load(isFirst || how !== undefined)
      isFirst = false
      names.catch(() => {
        names = undefined
      })
      return names
    },
    begin(request: GateRequest, params: JsonObject): Running {
      last += 1
      const id = `${prefix}-${last}`
      const outcome = host.request(request, { id, ...params }) as Promise<CallOrTask>
      const one: Running = { id, outcome, questions: [], onQuestion: nothing, onProgress: nothing, onWaiting: nothing, onLog: nothing }
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
    ...createResultLinks(),
    cancel: (id: string): void => void host.request('agent.cancel', { id }).catch(() => undefined),
    reply: (question: AskedBy, result: unknown): void => void host.request('agent.reply', { ...question, result }).catch(() => undefined),
    refuse: (question: AskedBy, error: unknown): void =>
      void host
        .request('agent.reply', { ...question, error: error instanceof Error ? error.message.slice(0, 2000) : '' })
        .catch(() => undefined),
  }
}

/** Tells the host who the agent says it is. */
export type Told = (context: ServerContext) => Promise<void>

interface CallParts {
  readonly connection: GateLink
  readonly era: 'legacy' | 'modern'
  readonly told: Told
  /** Level of log messages that an agent of the older era asked for; absent: whatever comes. */
  readonly logging: { level?: LogLevel }
}

export function addCalls(server: Server, parts: CallParts): void {
  const { connection, told } = parts
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<never> => {
    await told(context)
    const names = await connection.names()
    const { name, arguments: args } = names.searches
      ? chosenTool(asObject(params))
      : { name: params.name, arguments: asObject(params.arguments) }
    if (names.searches && name === SEARCH_TOOLS) return foundTools(names.search(String(args['query'] ?? ''))) as never
    // A server that was slow to start may have its lists by now.
    const tool = names.tool(name) ?? (await connection.names('anew')).tool(name)
    if (!tool) throw invalid(`Tool ${name} not found`)
    const task = wantedTask(parts.era, params, tool.listed, context)
    const outcome = await finish(parts, context, 'agent.call', {
      server: tool.server,
      tool: tool.name,
      arguments: args,
      ...defined({ task }),
    })
    if (!('kind' in outcome)) return outcome as never
    if (outcome['kind'] === 'task') return taskResult(parts.era, outcome['task'] as unknown as TaskState) as never
    const result = gateResult(outcome as AgentOutcome)
    connection.noteLinks(tool.server, result)
    return result as never
  })
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context): Promise<never> => {
    await told(context)
    const of = (await connection.names()).serverOf(uri) ?? connection.linkedBy(uri)
    if (of === undefined) throw unknownResource(uri)
    const outcome = await finish(parts, context, 'agent.read', { server: of, uri })
    if (!('kind' in outcome)) return outcome as never
    const { content } = asObject(resultOrThrow(outcome as AgentOutcome))
    return { contents: (Array.isArray(content) ? content : []).map((block) => asObject(block)['resource']) } as never
  })
  server.setRequestHandler('prompts/get', async ({ params }, context): Promise<never> => {
    await told(context)
    const prompt = (await connection.names()).prompt(params.name)
    if (!prompt) throw invalid(`Prompt ${params.name} not found`)
    const asked = { server: prompt.server, name: prompt.name, arguments: params.arguments ?? {} }
    const outcome = await finish(parts, context, 'agent.prompt', asked)
    return ('kind' in outcome ? resultOrThrow(outcome as AgentOutcome) : outcome) as never
  })
}

/**
 * Waits for a request to its end, with what it asks of the agent. In the newer era a question is a result (`input_required`), and the same
 * request comes again with the answer: what goes on is found by a state that nobody can guess.
 */
async function finish(
  parts: CallParts,
  context: ServerContext,
  request: GateRequest,
  params: JsonObject,
): Promise<CallOrTask | JsonObject> {
  const { connection, era } = parts
  const { resumed } = connection
  const { mcpReq } = context
  const state = mcpReq.requestState<string>()
  const before = typeof state === 'string' ? resumed.get(state) : undefined
  if (state !== undefined && !before) throw invalid('requestState is of no call that goes on')
  const log = logOf(parts, context)
  const { isPlain } = await connection.names()
  const running = before?.running ?? connection.begin(request, { ...params, ...defined({ log }) })
  if (before) {
    clearTimeout(before.timer)
    resumed.delete(String(state))
    const answers = new Map(Object.entries(mcpReq.inputResponses ?? {}))
    for (const question of running.questions.splice(0)) {
      const answer = answers.get(question.key ?? question.id)
      if (answer === undefined) connection.refuse({ id: question.id }, new Error('no answer'))
      else connection.reply({ id: question.id }, answer)
    }
  }
  const onAbort = (): void => connection.cancel(running.id)
  if (mcpReq.signal.aborted) onAbort()
  mcpReq.signal.addEventListener('abort', onAbort, { once: true })
  const stopNotes = sendProgress(running, context, connection.host)
  running.onLog = (word) => sendLog(word, logOf(parts, context)?.level, isPlain, context)
  try {
    if (era === 'legacy') {
      running.onQuestion = () => askAgent(connection, running.questions, context)
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
    const inputRequests = Object.fromEntries(running.questions.map((one) => [one.key ?? one.id, questionOf(one)]))
    return inputRequired({ inputRequests, requestState: key }) as unknown as JsonObject
  } finally {
    stopNotes()
    mcpReq.signal.removeEventListener('abort', onAbort)
  }
}

/** Log messages that a request wants: in the newer era, where it says a level; in the older one those of its session, as they are told now. */
function logOf({ era, logging }: CallParts, { mcpReq }: ServerContext) {
  if (era === 'legacy') return { session: true, ...logging }
  const wanted = logLevel.safeParse(asObject(mcpReq.envelope)[LOG_LEVEL_META_KEY])
  return wanted.success ? { level: wanted.data } : undefined
}

/** Sends a log message of a server on the stream of a request. `isPlain`: there is one server, whose name it need not say. */
function sendLog(
  { server, level, logger, data }: JsonObject,
  least: LogLevel | undefined,
  isPlain: boolean,
  { mcpReq }: ServerContext,
): void {
  if (least && !isAtLeast(level as LogLevel, least)) return
  const from = isPlain ? logger : [server, ...(logger === undefined ? [] : [logger])].join('/')
  const params = { level: level as LogLevel, data, ...defined({ logger: from as string | undefined }) }
  mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined) // Nobody is there any more.
}

// Params of a server's own request, in the form that the protocol gives them: the SDK's builders check them.
export const questionOf = ({ kind, params }: AgentQuestion) => {
  if (kind === 'roots') return inputRequired.listRoots()
  return kind === 'elicitation' ? inputRequired.elicit(params as never) : inputRequired.createMessage(params as never)
}

/** Sends questions as requests of the older era. `taskId`: of the task in whose course they are asked. */
export function askAgent(connection: GateLink, questions: readonly AgentQuestion[], { mcpReq }: ServerContext, taskId?: string): void {
  const related = taskId === undefined ? {} : { _meta: relatedTask(taskId) }
  for (const question of questions) {
    if (question.sent) continue
    question.sent = true
    const { id, kind, params } = question
    const how = { timeout: ANSWERS_WITHIN_MS, signal: mcpReq.signal }
    const asked = { ...params, ...related } as never
    const asking = kind === 'elicitation' ? mcpReq.elicitInput(asked, how) : mcpReq.requestSampling(asked, how)
    const of = { id, ...(taskId === undefined ? {} : { taskId }) }
    asking.then(
      (answer) => connection.reply(of, answer),
      (error: unknown) => connection.refuse(of, error),
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
  // A client may end a connection for progress of a request that has its answer.
  return () => {
    clearInterval(timer)
    running.onProgress = nothing
    running.onWaiting = nothing
  }
}
