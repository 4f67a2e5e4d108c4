// An old server with tools that behave in every way; a call is answered by the tool's name.
import { closeSync } from 'node:fs'
import { answer, type Incoming, legacy, refuse, send, text, tool } from './lines.ts'

const progressOf = (message: Incoming, progress: number): void => {
  const token = (message.params?.['_meta'] as { progressToken?: unknown } | undefined)?.progressToken
  send({ method: 'notifications/progress', params: { progressToken: token, progress, total: 3, message: `step ${progress}` } })
}
/** So many as are asked for. */
const rows = ({ params }: Incoming): object => ({
  rows: Array.from({ length: Number(params?.arguments?.['rows'] ?? 0) }, (_, n) => ({ n })),
})
const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
let changed = false
let cancelled = 0
const asked = new Map<number | string, Incoming>()

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  echo: (message) => answer(message, { ...text(JSON.stringify(message.params?.arguments)), surprise: { kept: true } }),
  exit: () => process.exit(7),
  hang: () => {},
  /** Lives on, but has nothing more to say. */
  mute: () => closeSync(1),
  cancelled: (message) => answer(message, text(String(cancelled))),
  fails: (message) => answer(message, { ...text('no such invoice'), isError: true }),
  refuses: (message) => refuse(message, -32602, 'Bad arguments'),
  odd: (message) => answer(message, { content: [{ type: 'hologram', depth: 3 }] }),
  good: (message) => answer(message, { content: [], structuredContent: { total: 3, ...rows(message) } }),
  bad: (message) => answer(message, { content: [], structuredContent: { total: 'three', ...rows(message) } }),
  bare: (message) => answer(message, { ...text('no more than this'), ...(message.params?.arguments?.['fail'] ? { isError: true } : {}) }),
  remote: (message) => answer(message, { content: [], structuredContent: { a: 1 } }),
  slow: (message) => answer(message, { content: [], structuredContent: { a: `${'a'.repeat(40)}!` } }),
  change(message) {
    changed = true
    send({ method: 'notifications/tools/list_changed' })
    answer(message, text('changed'))
  },
  /** Three words, 400 ms apart. */
  steps(message) {
    for (let step = 1; step <= 3; step += 1) setTimeout(() => progressOf(message, step), step * 400)
    setTimeout(() => answer(message, text('done')), 1300)
  },
  ask(message) {
    const id = `ask-${message.id}`
    asked.set(id, message)
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    send({ id, method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema } })
  },
  environment: (message) => answer(message, text(process.env[String(message.params?.arguments?.['name'])] ?? 'not set')),
}

legacy(
  [],
  {
    'tools/list'(message) {
      const schemas: Readonly<Record<string, object>> = {
        good: { outputSchema },
        bad: { outputSchema },
        bare: { outputSchema },
        remote: { outputSchema: { $ref: 'https://example.com/schema.json' } },
        slow: { outputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
        echo: { description: changed ? 'Echoes, and tells others' : 'Echoes' },
      }
      answer(message, { tools: Object.keys(calls).map((name) => tool(name, schemas[name])) })
    },
    'tools/call'(message) {
      const call = calls[message.params?.name ?? '']
      if (call) call(message)
      else refuse(message, -32602, 'Unknown tool')
    },
    'logging/setLevel': (message) => answer(message, {}),
    'notifications/cancelled': () => {
      cancelled += 1
    },
    response(message) {
      const call = message.id === undefined ? undefined : asked.get(message.id)
      if (call) answer(call, text(JSON.stringify(message.result ?? 'refused')))
    },
  },
  { tools: { listChanged: true }, logging: {} },
)
process.stderr.write('the tools are open\n')
if (process.env['ECHO_TOKEN']) process.stderr.write(`token ${process.env['ECHO_TOKEN']}\n`)
