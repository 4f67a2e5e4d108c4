import { describe, expect, test } from 'vitest'
import { createThinkSplitter, type SplitPiece } from './think-tags.ts'

function split(parts: readonly string[], { opened = false, cut = false } = {}): [thinking: string, text: string] {
  const splitter = createThinkSplitter({ opened })
  const pieces = [...parts.flatMap((part) => splitter.take(part)), ...splitter.end(cut)]
  const said = { thinking: '', text: '' }
  for (const piece of pieces) take(piece)
  function take(piece: SplitPiece): void {
    if (piece.type !== 'recast') said[piece.type] += piece.text
    else Object.assign(said, { thinking: '', text: '' }, { [piece.as]: piece.text })
  }
  return [said.thinking.trimEnd(), said.text]
}
/** The same wherever the text is cut in two, and letter by letter. */
function isSplit(text: string, expected: [thinking: string, text: string], how = {}): void {
  for (let at = 0; at <= text.length; at += 1) expect(split([text.slice(0, at), text.slice(at)], how)).toEqual(expected)
  expect(split([...text], how)).toEqual(expected)
}

test.each<[string, string, [string, string]]>([
  ['reasoning at the start', '<think>\nLet me see.</think>\n\nHello', ['Let me see.', 'Hello']],
  ['none', 'Hello <think>there</think>', ['', 'Hello <think>there</think>']],
  ['a line that is indented', '    Hello', ['', '    Hello']],
  ['only its beginning', '<thin', ['', '<thin']],
  ['no end', '<think>Let me </thi', ['Let me </thi', '']],
  ['empty', '<think></think>Hi', ['', 'Hi']],
  ['gpt-oss at Bedrock', '<reasoning>Let me see.</reasoning>Hello', ['Let me see.', 'Hello']],
  ['Nova at Bedrock', '<thinking> Let me see. </thinking>\n\nHello', ['Let me see.', 'Hello']],
  ['the same in pieces', '<reasoning>Let me</reasoning><reasoning> see.</reasoning>\nHello', ['Let me see.', 'Hello']],
  ['tags of two kinds', '<reasoning>Is </think> meant?</reasoning>Yes.', ['Is </think> meant?', 'Yes.']],
])('%s, however it is cut', (_title, text, expected) => isSplit(text, expected))

describe('reasoning that the prompt has opened', () => {
  test.each<[string, string, [string, string]]>([
    ['on a line of its own', 'Let me see.\n</think>\n\nHello', ['Let me see.', 'Hello']],
    ['right behind a sentence', 'So it is 4.</think>It is 4.', ['So it is 4.', 'It is 4.']],
    ['at once', '\n</think>\n\nHello', ['', 'Hello']],
    ['with what it would begin a fence with', 'Maybe ```js?\n</think>\n\n```js\n1\n```', ['Maybe ```js?', '```js\n1\n```']],
    ['that speaks of the tag first', 'Is `</think>` meant?\n</think>\nYes.', ['Is `</think>` meant?', 'Yes.']],
    ['and an answer that quotes it', 'Hm.\n</think>\nIt is\n</think>', ['Hm.', 'It is\n</think>']],
  ])('ends with its tag %s', (_title, text, expected) => {
    isSplit(text, expected)
    isSplit(text, expected, { opened: true })
  })

  test.each([
    ['in a fence', 'So:\n\n```xml\nHm.\n</think>\n```\n\nThat is all.'],
    ['in code', 'It ends with `Hm.</think>` there.'],
    ['in the midst of a sentence', 'The tag </think> ends it.'],
    ['with its opening', 'It writes\n<think>\nHm.\n</think>\nand so on.'],
  ])('is none where the tag stands %s', (_title, text) => {
    isSplit(text, ['', text])
    isSplit(text, ['', text], { opened: true })
  })

  test('stays reasoning where the answer is cut within, if that model opens it so', () => {
    expect(split(['Let me'], { opened: true, cut: true })).toEqual(['Let me', ''])
    expect(split(['Let me'], { opened: true })).toEqual(['', 'Let me'])
    expect(split(['Let me'], { cut: true })).toEqual(['', 'Let me'])
  })

  test('shows as such from its first letter, if that model opens it so', () => {
    expect(createThinkSplitter({ opened: true }).take('Let me')).toEqual([{ type: 'thinking', text: 'Let me' }])
    expect(createThinkSplitter().take('Let me')).toEqual([{ type: 'text', text: 'Let me' }])
  })

  test('is not looked for once reasoning came elsewhere, or a tool was called', () => {
    const text = 'One.\n</think>\nTwo.'
    const told = createThinkSplitter({ opened: true })
    told.tell()
    expect([...told.take(text), ...told.end(false)]).toEqual([{ type: 'text', text }])
    const called = createThinkSplitter()
    expect([...called.take('Go.'), ...called.end(false), ...called.take(text)].filter(({ type }) => type !== 'text')).toEqual([])
  })
})
