import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { type ArgumentBlock, argumentBlocks, needsQuotes } from './argument-blocks.ts'

const change = (before: string, after: string, at: readonly [string, string, string], rest: JsonObject = {}) => ({
  before,
  after,
  at: { within: at[0], before: at[0] + at[1], after: at[0] + at[2] },
  rest,
})

const cases: readonly (readonly [string, JsonObject, readonly ArgumentBlock[]])[] = [
  [
    'paths, and short values beside their names, in the order of the call',
    { path: '~/a/b.csv', dryRun: false, count: 2, tags: ['a', 'b'], to: '/x' },
    [
      { kind: 'path', name: 'path', text: '~/a/b.csv' },
      { kind: 'short', values: { dryRun: false, count: 2, tags: ['a', 'b'] } },
      { kind: 'path', name: 'to', text: '/x' },
    ],
  ],
  ['text with line breaks', { body: 'a\nb' }, [{ kind: 'long', name: 'body', text: 'a\nb' }]],
  ['nested values', { deep: { a: [1] } }, [{ kind: 'json', name: 'deep', value: { a: [1] } }]],
  [
    'a list of edits',
    {
      edits: [
        { oldText: 'a', newText: 'b' },
        { oldText: 'c', newText: '', all: true },
      ],
    },
    [
      {
        kind: 'changes',
        name: 'edits',
        changes: [
          change('a', 'b', ['/edits/0', '/oldText', '/newText']),
          change('c', '', ['/edits/1', '/oldText', '/newText'], { all: true }),
        ],
      },
    ],
  ],
  [
    'two texts that stand beside each other',
    { file_path: '/a', old_string: 'a', replace_all: true, new_string: 'b' },
    [
      { kind: 'path', name: 'file_path', text: '/a' },
      { kind: 'changes', name: 'old_string, new_string', changes: [change('a', 'b', ['', '/old_string', '/new_string'])] },
      { kind: 'short', values: { replace_all: true } },
    ],
  ],
  [
    'no list of edits that holds anything else',
    { edits: [{ oldText: 'a', newText: 'b' }, 'c'] },
    [{ kind: 'json', name: 'edits', value: [{ oldText: 'a', newText: 'b' }, 'c'] }],
  ],
  [
    'no change where one of the texts is missing or none',
    { old_string: 'a', oldText: 'b', newText: 1 },
    [{ kind: 'short', values: { old_string: 'a', oldText: 'b', newText: 1 } }],
  ],
  ['no change of two paths', { old_path: 'a', new_path: 'b' }, [{ kind: 'short', values: { old_path: 'a', new_path: 'b' } }]],
]

describe('argumentBlocks', () => {
  it.each(cases)('knows %s', (_name, value, expected) => {
    expect(argumentBlocks(value)).toEqual(expected)
  })
})

describe('text that could be taken for something else', () => {
  it.each(['true', 'NULL', '5', '-0.5', '1e9', '0417', ' a', 'a ', '"quoted"'])('%j stands in quotes', (text) =>
    expect(needsQuotes(text)).toBe(true),
  )
  it.each(['yes', '5 files', '2026-09-04', '1.2.3', '/a/5', 'a b'])('%j does not', (text) => expect(needsQuotes(text)).toBe(false))
})
