// What the scripted model answers: the shapes that tests write, and nothing of HTTP.

export type ScriptBlock =
  | {
      readonly type: 'text'
      readonly text: string /** Milliseconds between words; absent: as fast as it goes. */
      readonly wordMs?: number
      /** Sources of these words, as the API writes them. */
      readonly cites?: readonly object[]
    }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  /** `inputText` sends these very characters as the arguments, broken or not. */
  | { readonly type: 'tool_use'; readonly id?: string; readonly name: string; readonly input?: object; readonly inputText?: string }
  /** A search of the API's own: what was searched, and the tools that it found, or the code of why it failed. */
  | { readonly type: 'tool_search'; readonly id: string; readonly query: string; readonly found: readonly string[] | string }
  /** Nothing more is sent until this resolves. */
  | { readonly type: 'gate'; readonly until: Promise<unknown> }

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'pause_turn'

export interface ScriptUsage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

export type Reply =
  | { readonly kind: 'message'; readonly blocks: readonly ScriptBlock[]; readonly stopReason?: StopReason; readonly usage?: ScriptUsage }
  /** An HTTP error with Anthropic's body. */
  | {
      readonly kind: 'error'
      readonly status: number
      readonly type: string
      readonly message?: string
      readonly details?: object
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The stream breaks after these blocks: `end` closes it in good order, `reset` drops the connection. */
  | { readonly kind: 'cut'; readonly blocks: readonly ScriptBlock[]; readonly how: 'end' | 'reset' }
  /** An `error` event in the middle of a stream that began with 200. */
  | { readonly kind: 'error-event'; readonly blocks: readonly ScriptBlock[]; readonly type: string }
  /** Something that is not Anthropic's API. */
  | { readonly kind: 'raw'; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Drops the connection without a byte. */
  | { readonly kind: 'drop' }

export const say = (text: string, wordMs?: number): Reply => ({
  kind: 'message',
  blocks: [{ type: 'text', text, ...(wordMs === undefined ? {} : { wordMs }) }],
})

/** One answer that calls tools, several of them in parallel. */
export const call = (...tools: readonly { readonly name: string; readonly input?: object; readonly id?: string }[]): Reply => ({
  kind: 'message',
  blocks: tools.map((tool) => ({ type: 'tool_use', ...tool })),
})

export const fail = (status: number, type: string, headers?: Readonly<Record<string, string>>): Reply => ({
  kind: 'error',
  status,
  type,
  ...(headers ? { headers } : {}),
})
