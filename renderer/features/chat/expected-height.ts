import type { Message } from '#app/chat/message.ts'

/** Pixels in the column of a chat: a line of text, what stands around a message, and a row that is closed. */
const line = 22
const around = 48
const closedRow = 40
/** Characters of an answer for each of its lines, which headings, lists and tables leave half empty. */
const answerLine = 60
const questionLine = 80

const linesOf = (text: string, characters: number): number => Math.ceil(text.length / characters) * line

/** Pixels that a message will about take, guessed by its length; it is measured as soon as it is drawn. */
export function expectedHeight(message: Message | undefined): number {
  if (message?.role === 'user') return around + linesOf(message.text, questionLine)
  if (message?.role !== 'assistant') return around
  return message.parts.reduce((sum, part) => sum + (part.kind === 'text' ? linesOf(part.text, answerLine) : closedRow), around)
}

/** Where to begin so that what stands from there to the end fills a window of that height with something to spare. */
export function firstToFill(heights: readonly number[], height: number): number {
  let room = height * 1.5
  for (let index = heights.length - 1; index > 0; index--) {
    room -= heights[index] ?? 0
    if (room <= 0) return index
  }
  return 0
}
