// Where a message stands on the path: which answer it is part of, and what else could stand in its place. Summaries stand
// between messages without being anybody's.
import type { AssistantMessage, Usage } from '#app/chat/message.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'

const placesByIds = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Its number on the path; of a long one not looked for each time. */
function placeOf({ ids }: ReadyTranscript, id: string): number {
  const known = placesByIds.get(ids)
  const places = known ?? new Map(ids.map((one, index) => [one, index]))
  if (!known) placesByIds.set(ids, places)
  return places.get(id) ?? -1
}

const roleAt = (transcript: ReadyTranscript, index: number): string | undefined => transcript.messages[transcript.ids[index] ?? '']?.role

/** Whether it is the last message of an answer. */
export function endsAnswer(transcript: ReadyTranscript, id: string): boolean {
  const index = placeOf(transcript, id)
  if (roleAt(transcript, index) !== 'assistant') return false
  let next = index + 1
  while (roleAt(transcript, next) === 'summary') next += 1
  return roleAt(transcript, next) !== 'assistant'
}

function answerStart(transcript: ReadyTranscript, index: number): number {
  let start = index
  for (let at = index; at >= 0 && roleAt(transcript, at) !== 'user'; at -= 1) if (roleAt(transcript, at) === 'assistant') start = at
  return start
}

/** The messages of an answer up to that one. */
export function answerMessages(transcript: ReadyTranscript, id: string): readonly AssistantMessage[] {
  const index = placeOf(transcript, id)
  return transcript.ids.slice(answerStart(transcript, index), index + 1).flatMap((one) => {
    const message = transcript.messages[one]
    return message?.role === 'assistant' ? [message] : []
  })
}

/**
 * What the question, or the answer that the message is part of, has versions of: itself, or what stands before it without
 * being anybody's. Undefined: there is one version only.
 */
export function versionShown(transcript: ReadyTranscript, id: string): string | undefined {
  const index = placeOf(transcript, id)
  let at = roleAt(transcript, index) === 'assistant' ? answerStart(transcript, index) : index
  for (; at >= 0; at -= 1) {
    const here = transcript.ids[at]
    if (here !== undefined && versionsOf(transcript, here)) return here
    if (roleAt(transcript, at - 1) !== 'summary') return undefined
  }
  return undefined
}

/** What may stand in the place of that message, itself too; undefined: nothing else. */
export function versionsOf(transcript: ReadyTranscript, id: string): readonly string[] | undefined {
  const place = placeOf(transcript, id)
  // What stands before the first one that is here is known only where that begins the chat.
  if (place === 0 && transcript.earlier > 0) return undefined
  const versions = transcript.branches[transcript.ids[place - 1] ?? '']
  return versions !== undefined && versions.length > 1 ? versions : undefined
}

/** Of the whole answer: tokens as the provider counted them, what was read for it in all of its steps, and what was written. */
export interface AnswerUse {
  readonly read: number
  readonly written: number
  /** Dollars; undefined: of some of it not known. */
  readonly cost: number | undefined
}

export function answerUse(transcript: ReadyTranscript, id: string): AnswerUse | undefined {
  const known = answerMessages(transcript, id).flatMap(({ usage }) => (usage ? [usage] : []))
  if (known.length === 0) return undefined
  const readBy = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
    inputTokens + cacheReadTokens + cacheWriteTokens
  const read = known.reduce((sum, usage) => sum + readBy(usage), 0)
  if (read === 0) return undefined // No answer comes of nothing: the practice model does not count.
  return {
    read,
    written: known.reduce((sum, usage) => sum + usage.outputTokens, 0),
    cost: known.reduce<number | undefined>((sum, { cost }) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0),
  }
}
