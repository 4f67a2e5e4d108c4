// What a view says for the chat, as text. Of other content it is named that it was there: no picture of a view is sent.
import { longestViewWords } from '#app/apps/view.ts'

type Block = { readonly type: string } & Readonly<Record<string, unknown>>

const longestMessage = 8000
const other = (type: string): string => `[${type}: left out]`

/** For the composer; undefined: it says nothing. */
export function messageWords(content: readonly Block[]): string | undefined {
  const words = textOf(content).slice(0, longestMessage)
  return words.trim() === '' ? undefined : words
}

/** For the model, with what the view has as data. Empty: nothing more is to be known. */
export function contextWords(context: { readonly content?: readonly Block[] | undefined; readonly structuredContent?: unknown }): string {
  const data = context.structuredContent === undefined ? [] : [JSON.stringify(context.structuredContent, null, 2)]
  return [textOf(context.content ?? []), ...data]
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .slice(0, longestViewWords)
}

const textOf = (content: readonly Block[]): string =>
  content.map((block) => (block.type === 'text' && typeof block['text'] === 'string' ? block['text'] : other(block.type))).join('\n')
