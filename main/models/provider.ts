// The seam between the host and a language model, for chat and sampling; each provider translates it.
import type { Citation } from '#app/chat/message.ts'
import type { ToolChoice } from '#app/consent/sampling.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { Effort, ModelInfo, ProviderId } from '#app/models/models.ts'
import type { Usage, UsagePurpose } from '#app/models/usage.ts'

export type ModelContent =
  /** `byHost`: the text is the host's ("go on"), not the person's. Not for the wire. */
  | { readonly type: 'text'; readonly text: string; readonly byHost?: true }
  /** `data`: base64. */
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  /** `data`: base64. A provider that takes none says so to the model. */
  | { readonly type: 'document'; readonly mimeType: 'application/pdf'; readonly data: string; readonly name: string }

export type ModelUserBlock =
  | ModelContent
  | {
      readonly type: 'tool-result'
      readonly providerId: string
      readonly content: readonly ModelContent[]
      readonly isError: boolean
      /** Data that the practice model reads fields from. Not for the wire. */
      readonly structured?: Json
      /** Names of the tools that a search found. */
      readonly references?: readonly string[]
    }

/** Data that goes back to the provider with a part of thinking. */
interface ThinkingProof {
  readonly signature?: string
  readonly redacted?: string
  readonly details?: readonly JsonObject[]
}

export type ModelAssistantBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations?: readonly Citation[] }
  | ({ readonly type: 'thinking'; readonly text: string } & ThinkingProof)
  | {
      readonly type: 'tool-call'
      readonly providerId: string
      readonly name: string
      readonly input: JsonObject
      /** Data for the very model that made the call. */
      readonly providerData?: JsonObject
    }
  /** A search for tools that the provider ran itself: its blocks, as they came, for that provider alone. */
  | { readonly type: 'searched'; readonly blocks: readonly JsonObject[] }

/** `model`: the author of an assistant message. Signatures are only sent back to the provider that made them. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelUserBlock[] }
  | { readonly role: 'assistant'; readonly model: string; readonly content: readonly ModelAssistantBlock[] }

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** Text that the practice model matches words against. Not for the wire. */
  readonly title?: string
  /** A search found the tool: a provider that can reads the definition where the result names it (`references`). */
  readonly deferred?: true
  /** The tool is the host's search for tools: a provider that searches `searchable` itself does not need it. */
  readonly finds?: true
}

export interface ModelRequest {
  /** Model name without the provider's prefix. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Tools in a stable order, so that the provider's prompt cache hits. */
  readonly tools: readonly ModelTool[]
  /** Further tools, for a provider that defers definitions and searches them itself (`ModelInfo.toolSearch`). */
  readonly searchable?: readonly ModelTool[]
  /** Whether the model must (`required`), may (`auto`, the default) or must not (`none`) use a tool. */
  readonly toolChoice?: ToolChoice
  readonly maxTokens?: number
  /** `auto`: the model's default. Absent: as little as possible. A level that the model lacks is replaced by the nearest. */
  readonly effort?: Effort | 'auto'
  readonly temperature?: number
  /** Whether the provider may search the web, where it does so itself. Absent: no. */
  readonly webSearch?: boolean
  /** Purpose for the usage report. Not for the wire. */
  readonly use?: { readonly purpose: UsagePurpose; readonly conversationId?: string }
  /** Texts before which the answer stops. Blank ones are left out: no provider takes them. The practice model ignores all. */
  readonly stopSequences?: readonly string[]
}

/**
 * A stream of these; `done` is always the last, and a stream that ends without it was cut. `index` numbers the parts.
 * `paused`: the provider took a break in a long answer, and goes on with the next request.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  /** Citation of the text of part `index` so far. */
  | { readonly type: 'citation'; readonly index: number; readonly citation: Citation }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  /** An image that the model made, whole. `data`: base64. */
  | { readonly type: 'image'; readonly index: number; readonly data: string }
  /** Part `index`, the first and only one so far, turns out to be of the other kind, with this text; more may follow. */
  | { readonly type: 'recast'; readonly index: number; readonly as: 'text' | 'thinking'; readonly text: string }
  /** Proof of a part of thinking. It may come again for the same part, with more; the last counts. */
  | ({ readonly type: 'thinking-end'; readonly index: number } & ThinkingProof)
  | { readonly type: 'tool-call-start'; readonly index: number; readonly providerId: string; readonly name: string }
  /** `inputText`: the whole JSON text as the model wrote it; may be broken. */
  | {
      readonly type: 'tool-call'
      readonly index: number
      readonly providerId: string
      readonly name: string
      readonly inputText: string
      readonly providerData?: JsonObject
    }
  /** The provider searches its deferred tools; `searched` with the same index has the outcome. */
  | { readonly type: 'search-start'; readonly index: number; readonly providerId: string }
  | ({ readonly type: 'searched'; readonly index: number; readonly providerId: string } & ProviderSearch)
  | { readonly type: 'usage'; readonly usage: Usage }
  /** A retry after an overload or a limit, to be shown meanwhile. */
  | { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string }
  | {
      readonly type: 'done'
      readonly reason: 'end' | 'tool-calls' | 'max-tokens' | 'stop-sequence' | 'refusal' | 'paused'
      /** Category and explanation of a refusal, in the provider's words. */
      readonly detail?: string
    }

export const documentNote = (name: string): string => `[The PDF ${JSON.stringify(name)} is attached. This model takes no PDFs.]`

/** Returns the text of an answer after the event; thinking is not part of it. */
export function textAfter(text: string, event: ModelEvent): string {
  if (event.type === 'text') return text + event.text
  if (event.type === 'recast') return event.as === 'text' ? event.text : ''
  return text
}

export interface ProviderSearch {
  readonly by: string
  readonly query: string
  /** Names of tools, the best first. */
  readonly found: readonly string[]
  readonly failed?: string
  /** Blocks that go back with the answer, unchanged; empty when they are too large to keep. */
  readonly blocks: readonly JsonObject[]
}

export interface ModelProvider {
  readonly id: ProviderId
  readonly name: string
  /** @throws {HostError} `model.*` */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>
  /** @throws {HostError} `model.*`, `cancelled` when aborted */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Counts the input tokens of a request. Absent: the provider does not count. @throws {HostError} as `stream` */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number>
  /** Whether the last list came from an Ollama, which can pull models. */
  isOllama?(): boolean
  /** Downloads a model to where the provider runs it; yields what it says of its progress. @throws {HostError} as `stream` */
  pull?(model: string, signal: AbortSignal): AsyncIterable<JsonObject>
}
