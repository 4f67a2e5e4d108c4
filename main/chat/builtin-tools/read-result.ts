// The seam for the host's own tools, and the tool that reads on in a result. A built-in tool asks for no consent, so it must have no
// effect outside the host and give the model only what the person has let it see. To add one, write a `BuiltinTool` and put it into
// the list in `builtin-tools.ts`. Names begin with `assent__`, which `toolModelName` gives to no server's tool.
import type { ToolResult } from '#app/chat/content.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { JsonObject } from '#app/json.ts'
import type { ChatContext } from '../chat-context.ts'
import { sliceBytesFor, wholeText } from '../results/result-text.ts'

export interface BuiltinToolContext {
  readonly deps: Pick<ChatContext, 'store' | 'servers' | 'models' | 'settings'>
  /** The conversation of the call: nothing of another one may be read. */
  readonly conversation: Conversation
  readonly callId: string
  /** Aborts with the call. */
  readonly signal: AbortSignal
}

export interface BuiltinToolResult {
  /** Text for the model. Hidden characters are removed, and it is cut at `LONGEST_BUILTIN_RESULT`. */
  readonly text: string
  readonly isError?: boolean
  /** Data for the host and the page; the model reads the text. */
  readonly structured?: JsonObject
}

export interface BuiltinTool {
  readonly name: `assent__${string}`
  /** Title on the call's row, for the person. */
  readonly title: string
  readonly description: string
  /** Returns what is added to the description in one conversation. */
  about?(context: Omit<BuiltinToolContext, 'callId' | 'signal'>): string
  readonly inputSchema: JsonObject
  /** Whether it is of use in this conversation. It should seldom change: the tools stand first in the provider's cache. */
  isOffered(context: Omit<BuiltinToolContext, 'callId' | 'signal'>): boolean
  /** Runs a call. `input` is not checked against the schema. The model reads a thrown error as a failed call. */
  run(input: JsonObject, context: BuiltinToolContext): BuiltinToolResult | Promise<BuiltinToolResult>
}

export const READ_RESULT = 'assent__read_result'

/** Characters of one reading, with room for the note within `LONGEST_BUILTIN_RESULT`. */
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
    const { contextTokens } = context.deps.models.find(context.conversation.model) ?? {}
    return slice(text, offset, Math.min(MOST, sliceBytesFor(contextTokens), Math.max(1, whole(input['length']) ?? MOST)))
  },
}

const whole = (value: JsonObject[string] | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined

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

/** Moves `end` behind a surrogate pair that it would split. */
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
