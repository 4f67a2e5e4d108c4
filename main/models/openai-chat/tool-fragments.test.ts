import { expect, test } from 'vitest'
import { createToolFragments } from './tool-fragments.ts'

const drafts = (...pieces: unknown[]): [string, string, string][] => {
  const fragments = createToolFragments()
  for (const piece of pieces) fragments.take(piece)
  return fragments.drafts.map(({ id, name, inputText }) => [id, name, inputText])
}
const piece = (fields: object, name?: string, args?: unknown) => ({
  ...fields,
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
})
const two: [string, string, string][] = [
  ['a', 'read', '{"p":1}'],
  ['b', 'read', '{"p":2}'],
]

test.each<[string, unknown[]]>([
  [
    'as the format has it',
    [
      piece({ index: 0, id: 'a' }, 'read', ''),
      piece({ index: 0 }, undefined, '{"p"'),
      piece({ index: 0 }, undefined, ':1}'),
      piece({ index: 1, id: 'b' }, 'read', '{"p":2}'),
    ],
  ],
  [
    'interleaved',
    [
      piece({ index: 0, id: 'a' }, 'read', '{"p"'),
      piece({ index: 1, id: 'b' }, 'read', '{"p"'),
      piece({ index: 0 }, undefined, ':1}'),
      piece({ index: 1 }, undefined, ':2}'),
    ],
  ],
  ['every call with index 0', [piece({ index: 0, id: 'a' }, 'read', '{"p":1}'), piece({ index: 0, id: 'b' }, 'read', '{"p":2}')]],
  ['no index', [piece({ id: 'a' }, 'read', '{"p"'), piece({}, undefined, ':1}'), piece({ id: 'b' }, 'read', '{"p":2}')]],
  ['arguments as objects', [piece({ id: 'a' }, 'read', { p: 1 }), piece({ id: 'b' }, 'read', { p: 2 })]],
  [
    'id and name in every piece',
    [
      piece({ index: 0, id: 'a' }, 'read', '{"p"'),
      piece({ index: 0, id: 'a' }, 'read', ':1}'),
      piece({ index: 1, id: 'b' }, 'read', '{"p":2}'),
    ],
  ],
  [
    'the id after the name',
    [piece({ index: 0 }, 'read'), piece({ index: 0, id: 'a' }, undefined, '{"p":1}'), piece({ index: 1, id: 'b' }, 'read', '{"p":2}')],
  ],
  [
    'a name in two pieces, nulls and nonsense between',
    [
      piece({ index: 0, id: 'a' }, 're'),
      piece({ index: 0, id: null }, 'ad', null),
      null,
      'x',
      piece({ index: 0 }, undefined, '{"p":1}'),
      piece({ index: 1, id: 'b' }, 'read', '{"p":2}'),
    ],
  ],
])('two calls: %s', (_title, pieces) => {
  expect(drafts(...pieces)).toEqual(two)
})

test('without ids a name after whole arguments begins the next call', () => {
  expect(drafts(piece({}, 'read', '{"p":1}'), piece({}, 'read', '{"p":2}'))).toEqual([
    ['', 'read', '{"p":1}'],
    ['', 'read', '{"p":2}'],
  ])
})

test('a flood of calls is not kept', () => {
  expect(drafts(...Array.from({ length: 1000 }, (_, index) => piece({ index, id: String(index) }, 'read', '{}')))).toHaveLength(128)
})
