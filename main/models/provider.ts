// The seam between the host and a language model. One shape serves chat and sampling; each provider translates it.

import type { Citation } from '#app/chat/message.ts'
import type { ToolChoice } from '#app/consent/sampling.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { Effort, ModelInfo, ProviderId } from '#app/models/models.ts'
import type { Usage, UsagePurpose } from '#app/models/usage.ts'

export type ModelContent =
  /** `byHost`: the host's own word to the model ("go on"), not the person's. Not for the wire. */
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
      /** Not for the wire: what the practice model reads fields from. */
      readonly structured?: Json
      /** Of a search for tools: the names that it found. */
      readonly references?: readonly string[]
    }
export type ModelAssistantBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations?: readonly Citation[] }
  | {
      readonly type: 'thinking'
      readonly text: string
      readonly signature?: string
      readonly redacted?: string
      readonly details?: readonly JsonObject[]
    }
  | {
      readonly type: 'tool-call'
      readonly providerId: string
      readonly name: string
      readonly input: JsonObject
      /** Goes back to the very model that gave it. */
      readonly providerData?: JsonObject
    }
  /** A search for tools that the provider ran itself: its blocks, as they came. No other provider reads of it. */
  | { readonly type: 'searched'; readonly blocks: readonly JsonObject[] }

/** `model` on an assistant message: who wrote it. Signatures are only sent back to the provider that made them. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ModelUserBlock[] }
  | { readonly role: 'assistant'; readonly model: string; readonly content: readonly ModelAssistantBlock[] }

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** Not for the wire: what the practice model matches words against. */
  readonly title?: string
  /** It came with a search: where the provider can, its definition is read where the result names it (`references`). */
  readonly deferred?: true
  /** It is the host's search for tools, which a provider that searches `searchable` itself has no need of. */
  readonly finds?: true
}

export interface ModelRequest {
  /** Without the provider's prefix. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** In a stable order, so that the provider's prompt cache hits. */
  readonly tools: readonly ModelTool[]
  /** Further tools, for a provider that holds definitions back and searches them itself (`ModelInfo.toolSearch`). Others leave them out. */
  readonly searchable?: readonly ModelTool[]
  /** Whether it must use one of them (`required`), or may use none; default: as it likes (`auto`). */
  readonly toolChoice?: ToolChoice
  readonly maxTokens?: number
  /** `auto`: as the model does by itself. Absent: as little as it can do with. A level that it lacks is taken for the nearest. */
  readonly effort?: Effort | 'auto'
  /** Left out by providers that have none (`takesTemperature`). */
  readonly temperature?: number
  /** Not for the wire: what it is counted as. */
  readonly use?: { readonly purpose: UsagePurpose; readonly conversationId?: string }
  /** It stops before these. Those without a visible character are left out: no provider takes them. The practice model heeds none. */
  readonly stopSequences?: readonly string[]
}

/**
 * A stream of these; `done` is always the last, and a stream that ends without it was cut. `index` numbers the parts.
 * `paused`: the provider took a break in a long answer, and goes on with the next request.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  /** About the text of part `index` that came so far. */
  | { readonly type: 'citation'; readonly index: number; readonly citation: Citation }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  /** Part `index`, the first one, turns out to be thinking, or text, and is this; it may go on. Nothing but it came so far. */
  | { readonly type: 'recast'; readonly index: number; readonly as: 'text' | 'thinking'; readonly text: string }
  /** What goes back to the model with it. It may come again for the same part, with more; the last counts. */
  | {
      readonly type: 'thinking-end'
      readonly index: number
      readonly signature?: string
      readonly redacted?: string
      readonly details?: readonly JsonObject[]
    }
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
  /** The provider looks among its held back tools itself; `searched` with the same index says what came of it. */
  | { readonly type: 'search-start'; readonly index: number; readonly providerId: string }
  | ({ readonly type: 'searched'; readonly index: number; readonly providerId: string } & ProviderSearch)
  | { readonly type: 'usage'; readonly usage: Usage }
  /** A retry after an overload or a limit: what is shown meanwhile. */
  | { readonly type: 'retrying'; readonly afterMs: number; readonly reason: string }
  | { readonly type: 'done'; readonly reason: 'end' | 'tool-calls' | 'max-tokens' | 'stop-sequence' | 'refusal' | 'paused' }

/** The words of an answer so far: what turns out to be thinking is none of them. */
export function textAfter(text: string, event: ModelEvent): string {
  if (event.type === 'text') return text + event.text
  if (event.type === 'recast') return event.as === 'text' ? event.text : ''
  return text
}

export interface ProviderSearch {
  /** Whose search it was, as people know them. */
  readonly by: string
  readonly query: string
  /** Names of tools, the best first. */
  readonly found: readonly string[]
  /** The provider's code for why it did not work. */
  readonly failed?: string
  /** What goes back with the answer, unchanged. None: it is too large to keep. */
  readonly blocks: readonly JsonObject[]
}

export interface ModelProvider {
  readonly id: ProviderId
  readonly name: string
  /** Throws HostErrors with `model.*` codes. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>
  /** Throws HostErrors with `model.*` codes, `cancelled` when aborted. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Tokens that the request would be read as. Absent: this provider does not count. Throws as `stream` does. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number>
}
