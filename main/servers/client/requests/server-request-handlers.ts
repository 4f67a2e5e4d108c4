// Requests that a server may make of the host (MCP, "Client features"). The handlers are declared here, implemented in
// `chat` and handed in by the host: `servers` never imports `chat`.
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client'
import type { FormStep } from '#app/consent/request.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { CallContext } from './running-calls.ts'

export interface AskedBy {
  readonly server: string
  /** Tool call in whose course the server asks, where that is certain. */
  readonly call?: CallContext
  /** End of the server's task in whose course it asks, in milliseconds since the epoch. */
  readonly expiresAt?: number
  /** Aborts when the server cancels, stops or dies: open questions are then withdrawn. */
  readonly signal: AbortSignal
  /** Resolves when the server says that the person has finished on the page (URL mode). It may never. */
  readonly finished?: Promise<void>
  /** Key of the question in its round (2026-07-28). */
  readonly key?: string
  /** Position of a form that came with others in one result. */
  readonly step?: FormStep
}

export interface ServerRequestHandlers {
  /** @throws {ProtocolError} -1 when the person refuses */
  sampling(params: CreateMessageRequestParams, by: AskedBy): Promise<CreateMessageResult>
  elicitation(params: ElicitRequestParams, by: AskedBy): Promise<ElicitResult>
  roots(by: AskedBy): Promise<ListRootsResult>
}

export interface OpenServerRequests {
  busy(): boolean
  /**
   * Answers a question that came inside a result (`inputRequests`), as if it had come as a request of its own.
   * @throws {ProtocolError} why there is no answer
   */
  answer(
    question: Json,
    about: Pick<AskedBy, 'signal' | 'key'> & { readonly call?: CallContext | undefined; readonly step?: FormStep | undefined },
  ): Promise<JsonObject>
}

export interface UrlElicitations {
  /** Resolves when the server says that the page is done. Undefined without an id, and beyond the limit. */
  finished(elicitationId: string): Promise<void> | undefined
  complete(elicitationId: string): void
}
