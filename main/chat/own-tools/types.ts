// The one seam for the host's own tools: what the model may call without a server (`assent__read_result`, …). Such a tool
// asks for no consent, so it must have no effect outside the host and give the model nothing that the person has not
// already let it see. To add one: write an `OwnTool` in a file of this folder and put it into the list in `own-tools.ts`;
// `tool-calls.ts` runs it, `context.ts` offers it. Names begin with `assent__`, which `toolModelName` gives to no
// server's tool. The practice model is offered none: it would match words to them.
import type { Conversation } from '#app/chat/conversation.ts'
import type { JsonObject } from '#app/json.ts'
import type { ChatOptions } from '../deps.ts'

export interface OwnToolContext {
  readonly deps: Pick<ChatOptions, 'store' | 'servers' | 'models' | 'settings'>
  /** The one in which the model calls it: nothing of another is to be reached. */
  readonly conversation: Conversation
  readonly callId: string
  /** Aborts with the call. */
  readonly signal: AbortSignal
}

/** A text for the model. Hidden characters are taken out, and it is cut at `LONGEST_OWN_RESULT`. */
export interface OwnResult {
  readonly text: string
  /** It could not do what was asked: the text says why. */
  readonly isError?: boolean
  /** For the host and the page; the model reads the text. */
  readonly structured?: JsonObject
}

export interface OwnTool {
  readonly name: `assent__${string}`
  /** For the person, on the call's row: what it does, e.g. "Read on". */
  readonly title: string
  readonly description: string
  /** What is added to the description in one conversation. */
  about?(context: Omit<OwnToolContext, 'callId' | 'signal'>): string
  readonly inputSchema: JsonObject
  /** Whether it is of use in this conversation. It should seldom change: the tools stand first in the provider's cache. */
  isOffered(context: Omit<OwnToolContext, 'callId' | 'signal'>): boolean
  /** `input`: an object, not checked against the schema. What it throws the model reads as a failed call. */
  run(input: JsonObject, context: OwnToolContext): OwnResult | Promise<OwnResult>
}
