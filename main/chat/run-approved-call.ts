// The one way of a tool call: asked for, then sent as it was approved. The chat, a run by hand, an MCP App and the command
// line differ in who asks and in what they note, and in nothing else.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orAborted } from '#main/base/abort.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { BrokerVerdict, ToolCallQuestion } from '#main/consent/broker-api.ts'
import type { CallOptions, CallOutcome } from '#main/servers/client/calls/call-options.ts'

type CallVerdict = BrokerVerdict<ApprovedCall>
type Allowed = Extract<CallVerdict, { readonly kind: 'allowed' }>
type Denied = Extract<CallVerdict, { readonly kind: 'denied' }>

export interface CallSteps {
  readonly ask: (question: ToolCallQuestion) => Promise<CallVerdict>
  readonly send: (approval: ApprovedCall, options: CallOptions) => Promise<CallOutcome>
  /** Told before the call is sent; returns what is done once it has ended. */
  readonly onAllowed?: (verdict: Allowed) => (() => void) | undefined
}

/**
 * Asks, and runs what was allowed. Everything ends when the question's signal aborts.
 * @throws HostError `consent.withdrawn`, and whatever the call fails with (`tool.*`, `server.*`, `cancelled`).
 */
export async function runApprovedCall(
  { ask, send, onAllowed }: CallSteps,
  question: ToolCallQuestion,
  options: Omit<CallOptions, 'signal'> = {},
): Promise<Denied | ({ readonly kind: 'ran' } & CallOutcome)> {
  const { signal } = question
  const verdict = await orAborted(ask(question), signal)
  if (verdict.kind === 'withdrawn') throw new HostError('consent.withdrawn', t`The question was withdrawn. Nothing was run.`)
  if (verdict.kind === 'denied') return verdict
  const ended = onAllowed?.(verdict)
  try {
    return { kind: 'ran', ...(await orAborted(send(verdict.approval, { ...options, signal }), signal)) }
  } finally {
    ended?.()
  }
}
