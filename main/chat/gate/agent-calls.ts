// Calls of one agent: each is asked, sent and recorded as a call of a chat is (`runApprovedCall`), in the agent's name.
import type { Decision } from '#app/chat/message.ts'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import { jsonSize } from '#main/base/json-size.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { type CallContext, type CallForward, createCallActivity, type LogWord } from '#main/servers/client/requests/running-calls.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import type { AgentScope, createForwards, GateContext } from './agent-scope.ts'

/** Calls of one connection at once. */
const MOST_CALLS = 64

/** Outcome of a request to a server, as the agent's side makes a result of it. */
export type AgentOutcome =
  | { readonly kind: 'ran'; readonly result: Json }
  | { readonly kind: 'denied'; readonly by: Decision['by']; readonly word?: string | undefined }
  | { readonly kind: 'protocol-error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** Waits for a request to a server. A refusal and any failure are outcomes too. */
export async function asOutcome(work: () => Promise<Json | AgentOutcome>, ran: 'outcome' | 'result' = 'outcome'): Promise<AgentOutcome> {
  try {
    const done = await work()
    return ran === 'outcome' ? (done as AgentOutcome) : { kind: 'ran', result: (done ?? {}) as Json }
  } catch (error) {
    if (isProtocolError(error))
      return { kind: 'protocol-error', code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) }
    const { code, message } = toErrorValue(error)
    return { kind: 'failed', code, message }
  }
}

export const tooMany = (): HostError => new HostError('tool.too-many', t`The agent asks too much at once. This was not run.`)

/** A request as the agent's side names it, and the log messages that it wants meanwhile. */
interface AgentRequest {
  readonly id: string
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
  readonly tell: (name: 'agent.waiting' | 'agent.progress' | 'agent.log', payload: JsonObject) => void
  readonly signal: AbortSignal
}

export function createAgentCalls(context: GateContext, { scope, forwards, tell, signal }: AgentCallsOptions) {
  const { servers, broker, chat, clock, questions, reads } = context
  const calls = new Map<string, AbortController>()
  /** Calls that were allowed: from then on they may have been run. */
  const sent = new Set<string>()

  /** Tells that a call waits for the person; returns its undo. */
  function waits(id: string): () => void {
    tell('agent.waiting', { id, waits: true })
    return () => tell('agent.waiting', { id, waits: false })
  }

  const logOf = createAgentLogs(clock, (word) => tell('agent.log', word))

  /** Parts of the call that the agent answers, as its entry and its capabilities allow. */
  function forwardOf(server: string, request: AgentRequest): CallForward {
    const { id } = request
    const { sampling, roots = [] } = scope.current()
    const { can = {} } = scope.said() ?? {}
    return {
      ...(can.elicitation ? { elicit: (params, ended, key) => forwards.ask('elicitation', { call: id, params, key }, ended) } : {}),
      ...(can.sampling && sampling ? { sample: (params, ended, key) => forwards.ask('sampling', { call: id, params, key }, ended) } : {}),
      ...(can.roots && roots.length > 0
        ? { askRoots: async (ended, key) => scope.tellRoots(await forwards.ask('roots', { call: id, params: {}, key }, ended)) }
        : {}),
      ...logOf(server, request),
      roots: () => (scope.said()?.roots ?? []).filter((path) => roots.some((folder) => isInside(path, folder))),
    }
  }

  const contextOf = (request: AgentRequest, { server, tool }: AskedOfServer, control: AbortController): CallContext => ({
    callId: newId(),
    server,
    tool: tool.name,
    signal: AbortSignal.any([control.signal, signal]),
    activity: createCallActivity(clock, () => waits(request.id)),
    cancel: () => control.abort(),
    onProgress: (progress) => tell('agent.progress', defined({ id: request.id, ...progress })),
    note: (message) => tell('agent.progress', { id: request.id, progress: 0, message }),
    forward: forwardOf(server, request),
  })

  return {
    cancel: (id: string): void => calls.get(id)?.abort(),
    /** Calls that wait for the person, so nothing of them was run. */
    notRun: (): string[] => [...calls.keys()].filter((id) => !sent.has(id)),
    isRunning: (): boolean => sent.size > 0,
    close(): void {
      for (const control of calls.values()) control.abort()
    },
    async run(request: AgentRequest, asked: AskedOfServer): Promise<AgentOutcome> {
      const { id } = request
      const { server, tool, arguments: args } = asked
      const definition = scope.definitionOf(server)
      if (calls.size >= MOST_CALLS || calls.has(id)) throw tooMany()
      const control = new AbortController()
      calls.set(id, control)
      const call = contextOf(request, asked, control)
      const leave = broker.claim({ agent: scope.agent() }, { callId: call.callId })
      let answered = (): void => undefined
      const steps: CallSteps = {
        ask: (question) => broker.toolCall(question).finally(() => answered()),
        send: servers.call,
        onAllowed({ marks }) {
          // Noted before anything comes back: what fails may have been read too.
          reads.note(scope.entry, server, marks)
          sent.add(id)
          return chat.joinCall(call)
        },
      }
      const onAsked = (): void => {
        const counted = questions.add(scope.entry)
        if (!counted) {
          control.abort(tooMany())
          return
        }
        const over = waits(id)
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
        control.abort() // Withdraws what its server still asks.
        calls.delete(id)
        sent.delete(id)
        leave()
      }
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
