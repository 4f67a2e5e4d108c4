// Lists in pages, by its argument or the variable LISTS. Two behave, oddly: `long` has 80 pages, `empty` has a cursor that is an empty text.
// The others misbehave: `loop`, `endless`, `again` (the empty text for ever), `broken`, `mixed`, `fails`.
import { answer, legacy, refuse, tool } from './lines.ts'

let page = 0
const lists: Readonly<Record<string, () => object | undefined>> = {
  loop: () => ({ tools: [tool(`t${page}`)], nextCursor: page % 2 ? 'a' : 'b' }),
  long: () => ({ tools: [tool(`t${page}`)], ...(page < 80 ? { nextCursor: `c${page}` } : {}) }),
  empty: () => ({ tools: [tool(`t${page}`)], ...(page < 2 ? { nextCursor: '' } : {}) }),
  again: () => ({ tools: [tool(`t${page}`)], nextCursor: '' }),
  endless: () => ({ tools: [tool(`t${page}`)], nextCursor: `c${page}` }),
  broken: () => ({ tools: 'none' }),
  mixed: () => ({
    tools: [
      tool('zebra', { description: 'good', surprise: 1 }),
      tool('apple', { title: null }),
      tool('apple'),
      { name: 'no-schema' },
      { name: '', inputSchema: { type: 'object' } },
      tool('text-schema', { inputSchema: { type: 'string' } }),
      tool('number-description', { description: 7 }),
      'not even an object',
    ],
  }),
  fails: () => undefined,
}

legacy([], {
  'tools/list'(message) {
    page += 1
    const result = lists[process.argv[2] ?? process.env['LISTS'] ?? '']?.()
    if (result) answer(message, result)
    else refuse(message, -32000, 'the shelf is empty')
  },
})
