import { expect, test } from 'vitest'
import { createThinkSplitter } from './think-tags.ts'

function split(parts: readonly string[]): [thinking: string, text: string] {
  const splitter = createThinkSplitter()
  const pieces = [...parts.flatMap((part) => splitter.take(part)), ...splitter.end()]
  const of = (type: string): string =>
    pieces
      .filter((piece) => piece.type === type)
      .map(({ text }) => text)
      .join('')
  return [of('thinking'), of('text')]
}

test.each<[string, string, [string, string]]>([
  ['reasoning at the start', '<think>\nLet me see.</think>\n\nHello', ['Let me see.', 'Hello']],
  ['none', 'Hello <think>there</think>', ['', 'Hello <think>there</think>']],
  ['only its beginning', '<thin', ['', '<thin']],
  ['no end', '<think>Let me </thi', ['Let me </thi', '']],
  ['empty', '<think></think>Hi', ['', 'Hi']],
])('%s, however it is cut', (_title, text, expected) => {
  for (let at = 0; at <= text.length; at += 1) expect(split([text.slice(0, at), text.slice(at)])).toEqual(expected)
  expect(split([...text])).toEqual(expected)
})
