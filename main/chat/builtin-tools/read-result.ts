// Reading on in a result of which the model got only the beginning, or that was left out to save room. No consent is
// asked: the person let the call's result go to this model, and no other conversation's is reached.

import type { ToolResult } from '#app/chat/content.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { JsonObject } from '#app/json.ts'
import type { ChatContext } from '../chat-context.ts'
import { sliceBytesFor, wholeText } from '../results/result-text.ts'

// The one seam for the host's own tools: what the model may call without a server (`assent__read_result`, …). Such a tool
// asks for no consent, so it must have no effect outside the host and give the model nothing that the person has not
// already let it see. To add one: write a `BuiltinTool` in a file of this folder and put it into the list in `builtin-tools.ts`;
// `tool-calls.ts` runs it, `build-context.ts` offers it. Names begin with `assent__`, which `toolModelName` gives to no
// server's tool. The practice model is offered none: it would match words to them.

export interface BuiltinToolContext {
  readonly deps: Pick<ChatContext, 'store' | 'servers' | 'models' | 'settings'>
  /** The one in which the model calls it: nothing of another is to be reached. */
  readonly conversation: Conversation
  readonly callId: string
  /** Aborts with the call. */
  readonly signal: AbortSignal
}

/** A text for the model. Hidden characters are taken out, and it is cut at `LONGEST_OWN_RESULT`. */
export interface BuiltinToolResult {
  readonly text: string
  /** It could not do what was asked: the text says why. */
  readonly isError?: boolean
  /** For the host and the page; the model reads the text. */
  readonly structured?: JsonObject
}

export interface BuiltinTool {
  readonly name: `assent__${string}`
  /** For the person, on the call's row: what it does, e.g. "Read on". */
  readonly title: string
  readonly description: string
  /** What is added to the description in one conversation. */
  about?(context: Omit<BuiltinToolContext, 'callId' | 'signal'>): string
  readonly inputSchema: JsonObject
  /** Whether it is of use in this conversation. It should seldom change: the tools stand first in the provider's cache. */
  isOffered(context: Omit<BuiltinToolContext, 'callId' | 'signal'>): boolean
  /** `input`: an object, not checked against the schema. What it throws the model reads as a failed call. */
  run(input: JsonObject, context: BuiltinToolContext): BuiltinToolResult | Promise<BuiltinToolResult>
}

export const READ_RESULT = 'assent__read_result'

/** Characters of one reading, with room for the note within what an own tool may say. */
const MOST = 20_000
const MOST_FOUND = 20
const AROUND = 150
const LONGEST_SEARCH = 200

export const readResult: BuiltinTool = {
  name: READ_RESULT,
  title: 'Read on in a result',
  description:
    'Reads on in the result of an earlier tool call of this conversation of which you got only the beginning, or that was left out to save room. Give the id that the note there names, and either where to begin or a text to search for.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'string', description: 'The id of the result, as the note names it.' },
      offset: { type: 'integer', minimum: 0, description: 'The character to begin at. Default: 0.' },
      length: { type: 'integer', minimum: 1, description: 'How many characters. Default and limit depend on how much you can read.' },
      search: {
        type: 'string',
        description: `Plain text to find, upper or lower case alike: gives the places where it stands, from offset on, at most ${MOST_FOUND}.`,
      },
    },
    required: ['result'],
  },
  isOffered: ({ deps, conversation }) => deps.models.find(conversation.model)?.tools !== false && deps.servers.tools().length > 0,
  run(input, context) {
    const found = findResult(String(input['result'] ?? ''), context)
    if (!found) return { text: 'This conversation has no result of that id.', isError: true }
    const text = wholeText(found, context.deps.store.blobs)
    const offset = whole(input['offset']) ?? 0
    const { search } = input
    if (typeof search === 'string' && search !== '') return searched(text, search.slice(0, LONGEST_SEARCH), offset)
    return slice(
      text,
      offset,
      Math.min(MOST, sliceBytesFor(context.deps.models.find(context.conversation.model)?.contextTokens), length(input)),
    )
  },
}

const whole = (value: JsonObject[string] | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined

const length = (input: JsonObject): number => Math.max(1, whole(input['length']) ?? MOST)

function findResult(id: string, { deps, conversation }: BuiltinToolContext): ToolResult | undefined {
  for (const message of deps.store.conversations.messages(conversation.id)) {
    if (message.role !== 'assistant') continue
    for (const part of message.parts) {
      if (part.kind !== 'tool-call' || part.call.id !== id || part.call.own) continue
      const { state } = part.call
      return state.kind === 'done' ? state.result : state.kind === 'failed' ? state.late?.result : undefined
    }
  }
  return undefined
}

function slice(text: string, offset: number, most: number): BuiltinToolResult {
  if (offset >= text.length) return { text: `[The result has ${text.length} characters: nothing stands from ${offset} on.]`, isError: true }
  const end = wholeCharacter(text, Math.min(text.length, offset + most))
  const rest = end < text.length ? ` Read on from offset ${end}.` : ' This is its end.'
  return { text: `${text.slice(offset, end)}\n[Characters ${offset} to ${end} of ${text.length}.${rest}]` }
}

/** Not between the halves of one. */
const wholeCharacter = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length ? end + 1 : end

function searched(text: string, search: string, offset: number): BuiltinToolResult {
  // A hyphen needs no escape here, and with `u` may have none.
  const pattern = new RegExp(search.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu')
  pattern.lastIndex = Math.min(offset, text.length)
  const places: string[] = []
  let next: number | undefined
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (places.length === MOST_FOUND) {
      next = match.index
      break
    }
    const from = Math.max(0, match.index - AROUND)
    places.push(`At ${match.index}: …${text.slice(from, wholeCharacter(text, match.index + search.length + AROUND))}…`)
  }
  if (places.length === 0) return { text: `[It does not stand in the result from offset ${offset} on.]` }
  const more = next === undefined ? 'Nowhere else from there on.' : `There is more from offset ${next} on.`
  return { text: `${places.join('\n\n')}\n\n[Places: ${places.length}. The text has ${text.length} characters. ${more}]` }
}
