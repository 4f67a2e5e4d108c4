// A server of 2026-07-28 that answers calls with tasks (extension `io.modelcontextprotocol/tasks`), by hand. A task is
// known by the name of its tool; the tool `seen` tells what the server was sent. With the argument `undeclared` it knows
// no extensions. It answers a prompt with a task too, which is no answer.
import { answer, type Incoming, onMessage, refuse, text, tool } from './lines.ts'

const [mode] = process.argv.slice(2)
const seen: Incoming[] = []
const polls = new Map<string, number>()
const updates = new Map<string, object>()
const cached = { ttlMs: 0, cacheScope: 'private' }
const complete = (to: Incoming, result: object): void => answer(to, { resultType: 'complete', ...result })
const extensions = { 'io.modelcontextprotocol/tasks': {} }
const question = (message: string) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
})

interface State {
  readonly status: string
  readonly [more: string]: unknown
}
const working: State = { status: 'working' }
const done = (value: object): State => ({ status: 'completed', result: value })

/** What a task says of itself when it is asked for the nth time. */
const states: Readonly<Record<string, (poll: number) => State>> = {
  plain: (poll) => (poll < 3 ? { ...working, statusMessage: `step ${poll}` } : done(text('done'))),
  errs: () => done({ ...text('no such thing'), isError: true }),
  breaks: () => ({ status: 'failed', statusMessage: 'it broke', error: { code: -32603, message: 'rate limit' } }),
  dropped: () => ({ status: 'cancelled' }),
  empty: () => ({ status: 'completed' }),
  slow: () => working,
  /** Asks twice, and goes on naming what was answered for a while. */
  asks(poll) {
    const answers = updates.get('asks') ?? {}
    const open = { first: question('First?'), ...(poll > 2 ? { second: question('Second?') } : {}) }
    if ('second' in answers) return done(text(JSON.stringify(answers)))
    return { status: 'input_required', inputRequests: open }
  },
  rude: () => ({ status: 'input_required', inputRequests: { shell: { method: 'shell/run', params: {} } } }),
}
const tell = (taskId: string, state: State): object => ({
  taskId,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: new Date().toISOString(),
  ttlMs: null,
  pollIntervalMs: taskId === 'slow' ? 60_000 : 100,
  ...state,
})

const methods: Readonly<Record<string, (message: Incoming, taskId: string) => void>> = {
  'server/discover': (message) =>
    complete(message, {
      ...cached,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {}, ...(mode ? {} : { extensions }) },
    }),
  'tools/list': (message) => complete(message, { ...cached, tools: ['seen', ...Object.keys(states)].map((name) => tool(name)) }),
  'prompts/list': (message) => complete(message, { ...cached, prompts: [{ name: 'odd' }] }),
  'prompts/get': (message) => answer(message, { resultType: 'task', ...tell('odd', working) }),
  'tools/call'(message) {
    const name = message.params?.name ?? ''
    if (name === 'seen') complete(message, text(JSON.stringify(seen)))
    else if (mode) complete(message, text('no task'))
    else answer(message, { resultType: 'task', ...tell(name, working) })
  },
  'tasks/get'(message, taskId) {
    const poll = (polls.get(taskId) ?? 0) + 1
    polls.set(taskId, poll)
    const state = states[taskId]?.(poll)
    if (state) complete(message, tell(taskId, state))
    else refuse(message, -32602, 'Failed to retrieve task: Task not found')
  },
  'tasks/update'(message, taskId) {
    updates.set(taskId, { ...updates.get(taskId), ...(message.params?.['inputResponses'] as object) })
    complete(message, {})
  },
  'tasks/cancel': (message) => complete(message, {}),
}

onMessage((message) => {
  if (message.params?.name !== 'seen') seen.push(message)
  const method = methods[message.method ?? '']
  if (method) method(message, String(message.params?.['taskId']))
  else if (message.id !== undefined && message.method !== undefined) refuse(message, -32601, 'Method not found')
})
