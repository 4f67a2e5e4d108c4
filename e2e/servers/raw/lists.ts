// Lists in pages, by its argument or the variable LISTS. Two behave, oddly: `long` has 80 pages, `empty` has a cursor that is an empty text.
// The others misbehave: `loop`, `endless`, `again` (the empty text for ever), `broken`, `mixed`, `fails`, `silent`. Two fail as
// servers of the npm registry do: `supabase` (@supabase/mcp-server-supabase 0.13.0 with a token and no way to its API) and
// `firebase` (firebase-tools 15.34.2 without a login or a network), both recorded on 2026-11-23. `half` fails at its prompts
// and resources alone.
import { answer, type Incoming, legacy, refuse, tool } from './lines.ts'

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
  half: () => ({ tools: [tool('t1')] }),
}
const errors: Readonly<Record<string, readonly [code: number, message: string]>> = {
  supabase: [-32603, 'fetch failed'],
  firebase: [
    -32603,
    'Failed to fetch remote tools for https://developerknowledge.googleapis.com: {"name":"FirebaseError","children":[],"exit":1,"message":"Failed to make request to https://developerknowledge.googleapis.com/mcp","original":{"errno":-3001,"code":"EAI_AGAIN","syscall":"getaddrinfo","hostname":"developerknowledge.googleapis.com"},"status":500}',
  ],
}
const kind = process.argv[2] ?? process.env['LISTS'] ?? ''

const half = {
  'resources/list': (message: Incoming) => refuse(message, -32603, 'no shelf'),
  'prompts/list': (message: Incoming) => refuse(message, -32603, 'no poems'),
}

legacy(
  [],
  {
    ...(kind === 'half' ? half : {}),
    'tools/list'(message) {
      page += 1
      if (kind === 'silent') return
      const result = lists[kind]?.()
      if (result) answer(message, result)
      else refuse(message, ...(errors[kind] ?? ([-32000, 'the shelf is empty'] as const)))
    },
  },
  kind === 'half' ? { tools: {}, resources: {}, prompts: {} } : { tools: {} },
)
