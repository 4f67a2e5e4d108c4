// Sources of what a model has read in a conversation. A call knows how its result is marked, a message of the person what servers said in
// it, and an answer what its model had read before: so a summary, a fork, an edit and a restart keep what belongs to them.
import { type ContentRead, joinReads, serverSource, unknownMarks } from '../consent/taint/private-flow.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { ToolResult } from './content.ts'
import type { Conversation } from './conversation.ts'
import type { AssistantMessage, Message, ToolCall, UserMessage } from './message.ts'

/** Sources of the messages, as they are on the shown path, and of the conversation itself. */
export const readsIn = ({ importedFrom }: Pick<Conversation, 'importedFrom'>, messages: readonly Message[]): ContentRead[] =>
  joinReads([...(importedFrom ? [{ from: { kind: 'imported' as const }, ...unknownMarks }] : []), ...messages.flatMap(readBy)])

function readBy(message: Message): readonly ContentRead[] {
  switch (message.role) {
    case 'user':
      return fromPerson(message)
    case 'assistant':
      return fromModel(message)
    case 'summary':
      // A summary outlives the messages that it covers: they may be deleted.
      return message.sources ?? []
  }
}

function fromPerson({ attachments = [], prompt, sources = [] }: UserMessage): ContentRead[] {
  const servers = [...attachments.flatMap(({ from }) => from?.server ?? []), ...(prompt ? [prompt.server] : [])]
  const unmarked = servers.filter((name) => !sources.some(({ from }) => from.kind === 'server' && from.server === name))
  const own = attachments.some(({ from }) => from === undefined)
  return [
    ...sources,
    ...unmarked.map((server) => ({ from: serverSource(server), ...unknownMarks })),
    ...(own ? [{ from: { kind: 'attached' as const }, private: true as const }] : []),
  ]
}

function fromModel({ parts, sources = [] }: AssistantMessage): ContentRead[] {
  return [
    ...sources,
    ...parts.flatMap((part): ContentRead[] => {
      if (part.kind === 'tool-call') return fromCall(part.call)
      const cited = part.kind === 'text' && part.citations?.some(({ url }) => url !== undefined)
      const searched = part.kind === 'thinking' && part.details?.some(({ type }) => type === 'web_search_call')
      return cited || searched ? [{ from: { kind: 'web' }, untrusted: true }] : []
    }),
  ]
}

/** Errors of calls whose text is the host's alone. Any other may quote what the server wrote. */
const errorsOfHost: ReadonlySet<string> = new Set([
  ...[
    'unknown',
    'disabled',
    'refused',
    'secret-missing',
    'command-not-found',
    'cwd-not-found',
    'stopped',
    'start-timeout',
    'not-offered',
  ].map((code) => `server.${code}`),
  ...['unknown', 'too-many', 'changed', 'timeout'].map((code) => `tool.${code}`),
  ...['consent.denied', 'consent.withdrawn', 'consent.gone', 'cancelled', 'disk.full'],
])

function fromCall({ server, state, arguments: args, marks: { identity, ...marks } = unknownMarks }: ToolCall): ContentRead[] {
  const spoke =
    (state.kind === 'done' && !isAcknowledgement(state.result, args)) ||
    (state.kind === 'failed' && (!errorsOfHost.has(state.error.code) || state.late !== undefined))
  return server !== undefined && spoke ? [{ from: serverSource(server, identity), ...marks }] : []
}

const longestAcknowledgement = 60
/** Most full stops, quotes, blanks and the like in a row: more can be a code. */
const mostSigns = 10
/** Longer text is not compared with the arguments: both may be long, and each call reads all results anew. */
const longestCompared = 10_000
const acknowledging =
  /^(?:successfully|success|ok|done|wrote|written|saved|created|added|moved|deleted|removed|updated|sent|archived|file|directory|folder|to|from|the)$/

/** Whether a result says nothing but that the call was done, in a few words and whole arguments of the call: nothing was read. */
export function isAcknowledgement({ content, structuredContent, more }: ToolResult, args: Json | undefined): boolean {
  const [block] = content
  if (content.length !== 1 || block?.type !== 'text' || block.whole || block.more || more) return false
  const { text } = block
  if (text.length > longestCompared) return false
  if (structuredContent !== undefined && !repeats(structuredContent, text)) return false
  const sent = valuesOf(args).filter((value) => typeof value === 'string' && value.length > 2)
  const longestFirst = sent.map(String).sort((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((before, value) => before.replace(value, () => ' '), text)
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const isSaid = words.length > 0 ? words.every((word) => acknowledging.test(word)) : rest.trim() === ''
  const signs = rest.replaceAll(/[\p{L}\p{N}]+ ?/gu, '')
  return rest.length <= longestAcknowledgement && !otherSigns.test(rest) && isSaid && signs.length <= mostSigns
}

/** Signs that can say something without a letter: pictures, Braille. A check mark says no more than “done”. */
const otherSigns = /[^\p{L}\p{N}\p{P}\p{Z}\p{C}$+<=>^`|~✓✔✅]/u
const usualName = /^(?:result|content|text|message|output|status|value)$/

/** Whether structured content says the text once more. A model may read the names of members too. */
const repeats = (structured: Json, text: string): boolean =>
  text.trim() !== '' &&
  isJsonObject(structured) &&
  Object.entries(structured).every(([name, value]) => usualName.test(name) && value === text)

const valuesOf = (value: Json | undefined): Json[] => (isJsonObject(value) ? Object.values(value) : value === undefined ? [] : [value])
