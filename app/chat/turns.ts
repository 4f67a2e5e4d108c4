// What belongs together on a path: an answer is all that the model says between two messages of the person, in as many
// messages as it took steps; a turn is a question with its answer. Tool calls stand in their message with their results, so
// what is cut along these lines never parts the two.
import type { Message } from './message.ts'

/** The messages of the answer that `id` is part of; none when it is no answer's. */
export function answerAround(path: readonly Message[], id: string): readonly Message[] {
  const at = path.findIndex((message) => message.id === id)
  if (path[at]?.role !== 'assistant') return []
  let start = at
  while (start > 0 && path[start - 1]?.role !== 'user') start -= 1
  const end = path.findIndex((message, index) => index > at && message.role === 'user')
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'assistant')
}

/** The question and whatever answers it; what the person added while it was being answered is part of it. */
export function turnAround(path: readonly Message[], questionId: string): readonly Message[] {
  const start = path.findIndex((message) => message.id === questionId)
  const question = path[start]
  if (question?.role !== 'user') return []
  const end = path.findIndex((message, index) => index > start && message.role === 'user' && message.turnId !== question.turnId)
  return path.slice(start, end < 0 ? undefined : end).filter(({ role }) => role === 'user' || role === 'assistant')
}

/** What goes when the person deletes a message: a question takes its answer along, an answer goes whole. */
export function deletedWith(path: readonly Message[], id: string): readonly Message[] {
  const answer = answerAround(path, id)
  return answer.length > 0 ? answer : turnAround(path, id)
}
