// An approval is a value. What reaches a server, a process, a browser or a model for a server's sake takes one of these
// types; only the broker makes them (lint forbids importing `mint` elsewhere). Each holds the frozen bytes that were
// shown, and is spent by its one use: `spend` throws on a forged or used one.
import type { Decision } from '#app/chat/message.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { SamplingMessage, SamplingTool, ToolChoice } from '#app/consent/sampling.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'

declare const approved: unique symbol
type Approved<Kind extends string, Value> = Readonly<Value> & { readonly [approved]: Kind }

export type ApprovedCall = Approved<
  'call',
  {
    callId: string
    /** The conversation it belongs to, for the record. */
    conversationId: string | undefined
    server: string
    tool: string
    /** The JSON text that was shown; `JSON.parse` of it is what is sent. */
    argumentsText: string
    /** Of the tool's definition as it was approved. */
    fingerprint: string
    decision: Decision
  }
>
export type ApprovedLaunch = Approved<'launch', { server: string; target: LaunchTarget; fingerprint: string }>
export type ApprovedUrl = Approved<'url', { url: string }>
export type ApprovedSampling = Approved<
  'sampling',
  {
    server: string
    model: string
    messages: readonly SamplingMessage[]
    tools: readonly SamplingTool[]
    toolChoice: ToolChoice
    systemPrompt?: string | undefined
    maxTokens: number
    temperature?: number | undefined
    stopSequences?: readonly string[] | undefined
    original: JsonObject
  }
>
/** The document of one view, and the policy that it is served with: nothing else ever stands in a frame of that server. */
export type ApprovedMcpApp = Approved<'view', { server: string; html: string; policy: string; connections: string }>
type AnyApproved = ApprovedCall | ApprovedLaunch | ApprovedUrl | ApprovedSampling | ApprovedMcpApp

const minted = new WeakSet<object>()

/** For the broker alone. */
export function mint<T extends AnyApproved>(value: Omit<T, typeof approved>): T {
  const frozen = Object.freeze(structuredClone(value)) as T
  minted.add(frozen)
  return frozen
}

/** Takes an approval for its one use. Throws `internal` when it was not made by the broker or was used before. */
export function spend<T extends AnyApproved>(approval: T): T {
  if (!minted.delete(approval))
    throw new HostError('internal', t`An approval was used twice, or was not made by the broker. Nothing was run.`)
  return approval
}
