// Approvals as values. Code that reaches a server, a process, a browser or a model on a server's behalf takes one of these types; only
// the broker makes them (lint forbids importing `mint` elsewhere). Each holds the frozen bytes that were shown, and can be used once.
import type { Decision } from '#app/chat/message.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { SamplingMessage, SamplingTool, ToolChoice } from '#app/consent/sampling.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { Account } from '#app/server/auth-status.ts'

declare const approved: unique symbol
type Approved<Kind extends string, Value> = Readonly<Value> & { readonly [approved]: Kind }

export type ApprovedCall = Approved<
  'call',
  {
    callId: string
    /** Conversation of the call, for the audit log. */
    conversationId: string | undefined
    server: string
    tool: string
    /** The JSON text that was shown; `JSON.parse` of it is what is sent. */
    argumentsText: string
    /** Fingerprint of the tool's approved definition. */
    fingerprint: string
    /** Account that was named; undefined: none was known. */
    account?: Account | undefined
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
/** Document of one MCP App, and the policy that it is served with. Frames of the server show nothing else. `server` '': a page of an answer. */
export type ApprovedMcpApp = Approved<'view', { server: string; html: string; policy: string; connections: string }>
type AnyApproved = ApprovedCall | ApprovedLaunch | ApprovedUrl | ApprovedSampling | ApprovedMcpApp

const minted = new WeakSet<object>()

/** Makes an approval; called by the broker alone. */
export function mint<T extends AnyApproved>(value: Omit<T, typeof approved>): T {
  const frozen = Object.freeze(structuredClone(value)) as T
  minted.add(frozen)
  return frozen
}

/** Takes an approval for its one use. @throws {HostError} `internal` when the broker did not make it, or it was used before */
export function spend<T extends AnyApproved>(approval: T): T {
  if (!minted.delete(approval)) throw new HostError('internal', t`The approval is not valid. Nothing was run.`)
  return approval
}
