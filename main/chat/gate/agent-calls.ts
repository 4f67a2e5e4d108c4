// Calls of one agent: each is asked, sent and recorded as a call of a chat is (`runApprovedCall`), in the agent's name.
import type { Decision } from '#app/chat/message.ts'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import { newId } from '#main/base/ids.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { type CallContext, createCallActivity } from '#main/servers/client/requests/running-calls.ts'
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

interface AskedOfServer {
  readonly server: string
  readonly tool: ToolEntry
  readonly arguments: JsonObject
}

interface AgentCallsOptions {
  readonly scope: AgentScope
  readonly forwards: ReturnType<typeof createForwards>
  readonly tell: (name: 'agent.waiting' | 'agent.progress', payload: JsonObject) => void
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

  /** Parts of the call that the agent answers, as its entry and its capabilities allow. */
  function forwardOf(id: string): NonNullable<CallContext['forward']> {
    const { sampling, roots = [] } = scope.current()
    const { can = {} } = scope.said() ?? {}
    return {
      ...(can.elicitation ? { elicit: (params, ended) => forwards.ask('elicitation', id, params, ended) } : {}),
      ...(can.sampling && sampling ? { sample: (params, ended) => forwards.ask('sampling', id, params, ended) } : {}),
      ...(can.roots && roots.length > 0 ? { askRoots: async (ended) => scope.tellRoots(await forwards.ask('roots', id, {}, ended)) } : {}),
      roots: () => (scope.said()?.roots ?? []).filter((path) => roots.some((folder) => isInside(path, folder))),
    }
  }

  const contextOf = (id: string, { server, tool }: AskedOfServer, control: AbortController): CallContext => ({
    callId: newId(),
    server,
    tool: tool.name,
    signal: AbortSignal.any([control.signal, signal]),
    activity: createCallActivity(clock, () => waits(id)),
    cancel: () => control.abort(),
    onProgress: (progress) => tell('agent.progress', defined({ id, ...progress })),
    note: (message) => tell('agent.progress', { id, progress: 0, message }),
    forward: forwardOf(id),
  })

  return {
    cancel: (id: string): void => calls.get(id)?.abort(),
    /** Calls that wait for the person, so nothing of them was run. */
    notRun: (): string[] => [...calls.keys()].filter((id) => !sent.has(id)),
    isRunning: (): boolean => sent.size > 0,
    close(): void {
      for (const control of calls.values()) control.abort()
    },
    async run(id: string, asked: AskedOfServer): Promise<AgentOutcome> {
      const { server, tool, arguments: args } = asked
      const definition = scope.definitionOf(server)
      if (calls.size >= MOST_CALLS || calls.has(id)) throw tooMany()
      const control = new AbortController()
      calls.set(id, control)
      const call = contextOf(id, asked, control)
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
