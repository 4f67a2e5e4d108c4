// Runs a tool call: asks, then sends it as it was approved. The chat, a manual run, an MCP App and the command line differ in
// the context that they make and in what they do when the call is allowed.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orAborted } from '#main/base/abort.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { BrokerVerdict, ToolCallQuestion } from '#main/consent/broker-api.ts'
import type { CallContext, CallOutcome } from '#main/servers/client/requests/running-calls.ts'

type CallVerdict = BrokerVerdict<ApprovedCall>
type Allowed = Extract<CallVerdict, { readonly kind: 'allowed' }>
type Denied = Extract<CallVerdict, { readonly kind: 'denied' }>

export interface CallSteps {
  readonly ask: (question: ToolCallQuestion) => Promise<CallVerdict>
  readonly send: (approval: ApprovedCall, call: CallContext) => Promise<CallOutcome>
  /** Told before the call is sent; may return what is done once it has ended. */
  readonly onAllowed?: (verdict: Allowed) => (() => void) | undefined
}

/** Part of the question that is put to the person beside the call's context. */
export type AskedCall = Pick<ToolCallQuestion, 'tool' | 'trusted' | 'local' | 'skillsOf' | 'arguments' | 'onAsked'>

/**
 * Asks, and runs what was allowed. Everything ends when the call's signal aborts.
 * @throws {HostError} `consent.withdrawn`, and why the call failed (`tool.*`, `server.*`, `cancelled`)
 */
export async function runApprovedCall(
  { ask, send, onAllowed }: CallSteps,
  call: CallContext,
  asked: AskedCall,
): Promise<Denied | ({ readonly kind: 'ran' } & CallOutcome)> {
  const { callId, conversationId, answerOf, view, server, signal } = call
  const verdict = await orAborted(ask({ callId, conversationId, answerOf, view, server, signal, ...asked }), signal)
  if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`The question was withdrawn. Nothing was run.`)
  if (verdict.kind === 'denied') return verdict
  const ended = onAllowed?.(verdict)
  try {
    return { kind: 'ran', ...(await orAborted(send(verdict.approval, call), signal)) }
  } finally {
    ended?.()
  }
}
