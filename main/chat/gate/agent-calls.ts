// Calls of one agent: each is asked, sent and recorded as a call of a chat is (`runApprovedCall`), in the agent's name.
import type { Progress } from '#app/chat/message.ts'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import { jsonSize } from '#main/base/json-size.ts'
import {
  type CallContext,
  type CallForward,
  createCallActivity,
  type LogWord,
  type MadeTask,
} from '#main/servers/client/requests/running-calls.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import { type AgentOutcome, asOutcome, tooMany } from './agent-outcome.ts'
import type { AgentScope, createForwards, GateContext } from './agent-scope.ts'
import type { AgentTaskHandle, AgentTasks, TaskState } from './agent-tasks.ts'

/** Calls of one connection at once. */
const MOST_CALLS = 64

/** A request as the agent's side names it, and the log messages that it wants meanwhile. */
interface AgentRequest {
  readonly id: string
  /** The agent wants a task; `allowed`: it takes one where the server makes one. */
  readonly task?: { readonly ttl?: number | undefined } | 'allowed' | undefined
  readonly log?: { readonly level?: LogLevel | undefined; readonly session?: true | undefined } | undefined
}

interface AskedOfServer {
  readonly server: string
  readonly tool: ToolEntry
  readonly arguments: JsonObject
}

interface AgentCallsOptions {
  readonly scope: AgentScope
  readonly forwards: ReturnType<typeof createForwards>
  readonly tasks: AgentTasks
  readonly tell: (name: 'agent.waiting' | 'agent.progress' | 'agent.log', payload: JsonObject) => void
}

/** Outcome of a call, or the task that goes on in its place. */
export type CallOrTask = AgentOutcome | { readonly kind: 'task'; readonly task: TaskState }

/** A call that runs. `task`: its own, once it has one; what it asks and tells goes there. */
interface RunningCall {
  readonly request: AgentRequest
  readonly control: AbortController
  task?: AgentTaskHandle
}

/** Contexts of calls: what one asks and tells goes to its agent, or to its task. */
function createCallContexts({ clock }: GateContext, { scope, forwards, tell }: AgentCallsOptions) {
  /** Tells that a call waits for the person; returns its undo. */
  function waits({ request: { id }, task }: RunningCall): () => void {
    if (task) return task.waits()
    tell('agent.waiting', { id, waits: true })
    return () => tell('agent.waiting', { id, waits: false })
  }

  const logOf = createAgentLogs(clock, (word) => tell('agent.log', word))

  /** Parts of the call that the agent answers, as its entry and its capabilities allow. */
  function forwardOf(server: string, running: RunningCall): CallForward {
    const { id } = running.request
    const { sampling, roots = [] } = scope.current()
    const { can = {} } = scope.said() ?? {}
    const ask: typeof forwards.ask = (...asked) => (running.task ?? forwards).ask(...asked)
    return {
      ...(can.elicitation ? { elicit: (params, ended, key) => ask('elicitation', { call: id, params, key }, ended) } : {}),
      ...(can.sampling && sampling ? { sample: (params, ended, key) => ask('sampling', { call: id, params, key }, ended) } : {}),
      ...(can.roots && roots.length > 0
        ? { askRoots: async (ended, key) => scope.tellRoots(await ask('roots', { call: id, params: {}, key }, ended)) }
        : {}),
      ...logOf(server, running.request),
      roots: () => (scope.said()?.roots ?? []).filter((path) => roots.some((folder) => isInside(path, folder))),
    }
  }

  const contextOf = (running: RunningCall, { server, tool }: AskedOfServer, onTask: CallContext['onTask']): CallContext => {
    const { request, control } = running
    const onProgress = (progress: Progress): void =>
      running.task ? running.task.progress(progress) : tell('agent.progress', defined({ id: request.id, ...progress }))
    return {
      callId: newId(),
      server,
      tool: tool.name,
      signal: control.signal,
      activity: createCallActivity(clock, () => waits(running)),
      cancel: () => control.abort(),
      onProgress,
      note: (message) => onProgress({ progress: 0, message }),
      forward: forwardOf(server, running),
      ...(typeof request.task === 'object' ? { asTask: true } : {}),
      ...(onTask ? { onTask } : {}),
    }
  }
  return { waits, contextOf }
}

export function createAgentCalls(context: GateContext, options: AgentCallsOptions) {
  const { servers, broker, chat, questions, reads } = context
  const { scope, tasks } = options
  const { waits, contextOf } = createCallContexts(context, options)
  const calls = new Map<string, AbortController>()
  /** Calls that were allowed: from then on they may have been run. */
  const sent = new Set<string>()

  /** Asks, sends and records a call. */
  async function work(running: RunningCall, asked: AskedOfServer, onTask?: CallContext['onTask']): Promise<AgentOutcome> {
    const { request, control } = running
    const { server, tool, arguments: args } = asked
    const definition = scope.definitionOf(server)
    const call = contextOf(running, asked, onTask)
    const leave = broker.claim({ agent: scope.agent() }, { callId: call.callId })
    let answered = (): void => undefined
    const steps: CallSteps = {
      ask: (question) => broker.toolCall(question).finally(() => answered()),
      send: servers.call,
      onAllowed({ marks }) {
        // Noted before anything comes back: what fails may have been read too.
        reads.note(scope.entry, server, marks)
        if (running.task) running.task.sent()
        else sent.add(request.id)
        return chat.joinCall(call)
      },
    }
    const onAsked = (): void => {
      const counted = questions.add(scope.entry)
      if (!counted) {
        control.abort(tooMany())
        return
      }
      const over = waits(running)
      answered = () => {
        over()
        counted()
      }
    }
    try {
      const shown = { tool, trusted: definition.trusted, local: isLocal(definition), arguments: args, onAsked }
      const outcome = await runApprovedCall(steps, call, shown)
      if (outcome.kind === 'ran') return { kind: 'ran', result: outcome.result }
      return { kind: 'denied', by: outcome.decision.by, word: outcome.decision.word }
    } catch (error) {
      throw control.signal.aborted && control.signal.reason instanceof HostError ? control.signal.reason : error
    } finally {
      leave()
    }
  }

  function begin(running: RunningCall, server: string, ttlMs: number | undefined): AgentTaskHandle {
    const task = tasks.begin(scope.entry, server, running.control, ttlMs)
    running.task = task
    return task
  }

  return {
    cancel: (id: string): void => calls.get(id)?.abort(),
    /** Calls that wait for the person, so nothing of them was run. */
    notRun: (): string[] => [...calls.keys()].filter((id) => !sent.has(id)),
    isRunning: (): boolean => sent.size > 0,
    close(): void {
      for (const control of calls.values()) control.abort()
    },
    /** Runs a call to its end, or until it is a task, which this connection's end does not end. */
    async run(request: AgentRequest, asked: AskedOfServer): Promise<CallOrTask> {
      const { id, task } = request
      const running: RunningCall = { request, control: new AbortController() }
      if (calls.size >= MOST_CALLS || calls.has(id)) throw tooMany()
      if (typeof task === 'object') {
        const { state, end } = begin(running, asked.server, task.ttl)
        void asOutcome(() => work(running, asked)).then(end)
        return { kind: 'task', task: state() }
      }
      calls.set(id, running.control)
      const over = (): void => {
        calls.delete(id)
        sent.delete(id)
      }
      const made = Promise.withResolvers<AgentTaskHandle>()
      const onTask = ({ ttlMs }: MadeTask): void => {
        const handle = orElse(() => begin(running, asked.server, ttlMs), undefined)
        if (!handle) return
        handle.sent()
        over()
        made.resolve(handle)
      }
      const outcome = asOutcome(() => work(running, asked, task === 'allowed' ? onTask : undefined)).finally(() => running.task ?? over())
      const first = await Promise.race([outcome, made.promise])
      if ('kind' in first) return first
      void outcome.then(first.end)
      return { kind: 'task', task: first.state() }
    },
  }
}

const MOST_LOGS_A_SECOND = 200
const LARGEST_LOG = 64 * 1024

/**
 * Passes log messages on. Of a flood, and of what is no message but a document, the agent hears that something was left out, once a second.
 * Receivers of what is tied to no request are the same for all calls of a server.
 */
function createAgentLogs({ now }: Pick<Clock, 'now'>, tell: (word: JsonObject) => void) {
  let [since, passed, told] = [now(), 0, false]
  function pass({ id, server, level, logger, data = null }: LogWord & { readonly id?: string; readonly server: string }): void {
    if (now() - since >= 1000 || now() < since) [since, passed, told] = [now(), 0, false]
    passed += 1
    const fits = passed <= MOST_LOGS_A_SECOND && jsonSize(data) + (logger ?? '').length <= LARGEST_LOG
    if (fits) tell(defined({ id, server, level, logger, data }))
    else if (!told) tell(defined({ id, server, level: 'warning', data: 'Messages were left out.' }))
    told ||= !fits
  }
  const ofSession = new Map<string, (word: LogWord) => void>()
  return (server: string, { id, log }: AgentRequest): Pick<CallForward, 'log' | 'logLevel'> => {
    if (!log) return {}
    const shared = ofSession.get(server) ?? ((word: LogWord): void => pass({ server, ...word }))
    ofSession.set(server, shared)
    return { log: log.session ? shared : (word) => pass({ id, server, ...word }), logLevel: log.level }
  }
}
