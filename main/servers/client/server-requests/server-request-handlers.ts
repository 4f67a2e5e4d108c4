// What a server may ask of the host (MCP, "Client features"). Declared here, implemented above, handed in by the host:
// `servers` never reaches up to `chat`.
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client'
import type { FormStep } from '#app/consent/request.ts'
import type { Json, JsonObject } from '#app/json.ts'

export interface AskedBy {
  readonly server: string
  /** The tool call in whose course it asks, where that is certain. */
  readonly callId?: string
  /** When the server's task, in whose course it asks, is over. */
  readonly expiresAt?: number
  /** Aborts when the server cancels, stops or dies: open questions are then withdrawn. */
  readonly signal: AbortSignal
  /** Of a page: resolves when the server says that the person has finished there. It may never. */
  readonly finished?: Promise<void>
  /** Of a form that came with others in one result. */
  readonly step?: FormStep
}

export interface ServerRequestHandlers {
  /** Throws a protocol error (-1) when the person refuses. */
  sampling(params: CreateMessageRequestParams, by: AskedBy): Promise<CreateMessageResult>
  elicitation(params: ElicitRequestParams, by: AskedBy): Promise<ElicitResult>
  roots(by: AskedBy): Promise<ListRootsResult>
}

export interface OpenServerRequests {
  /** A question is open. */
  busy(): boolean
  /**
   * Answers a question that came inside a result (`inputRequests`), as if it had come as a request of its own. Throws a
   * protocol error that says why there is no answer.
   */
  answer(
    question: Json,
    about: { readonly signal: AbortSignal; readonly callId?: string | undefined; readonly step?: FormStep | undefined },
  ): Promise<JsonObject>
}
