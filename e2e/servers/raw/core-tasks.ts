// A server of 2025-11-25 whose tools are tasks, by hand. It keeps what it was sent, and its tool `seen` tells. A task is
// known by the name of its tool; with the argument `file`, ended ones are kept there and outlive the process.
import { existsSync, writeFileSync } from 'node:fs'
import { answer, type Incoming, onMessage, refuse, send, text, tool } from './lines.ts'

const [mode, file] = process.argv.slice(2)
const seen: object[] = []
const now = (): string => new Date().toISOString()
const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } })

interface Task {
  status: string
  statusMessage?: string
  polls: number
  ttl: number | null
  token?: unknown
  /** `tasks/result` requests that wait for the end. */
  readonly waiting: Incoming[]
  outcome?: object
}
const tasks = new Map<string, Task>(
  file !== undefined && existsSync(file)
    ? [['survives', { status: 'completed', polls: 0, ttl: null, waiting: [], outcome: text('kept') }]]
    : [],
)
const told = (taskId: string, { status, statusMessage, ttl }: Task): object => ({
  taskId,
  status,
  ...(statusMessage === undefined ? {} : { statusMessage }),
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: taskId === 'stuck' ? '2026-01-01T00:00:00Z' : now(),
  ttl,
  pollInterval: taskId === 'slow' || taskId === 'pushed' ? 60_000 : 100,
})

function end(taskId: string, status: string, outcome: object): void {
  const task = tasks.get(taskId)
  if (!task) return
  Object.assign(task, { status, outcome })
  for (const asked of task.waiting.splice(0)) answer(asked, { ...outcome, _meta: related(taskId) })
}

/** What happens to a task each time that it is asked for. */
const onPoll: Readonly<Record<string, (task: Task) => void>> = {
  plain(task) {
    task.statusMessage = `step ${task.polls}`
    if (task.polls === 1)
      send({ method: 'notifications/progress', params: { progressToken: task.token, progress: 1, total: 3, message: 'one of three' } })
    if (task.polls >= 3) end('plain', 'completed', text('done'))
  },
  fails: () => end('fails', 'failed', { ...text('no such thing'), isError: true }),
  breaks(task) {
    task.status = 'failed'
  },
  dropped(task) {
    Object.assign(task, { status: 'cancelled', statusMessage: 'the machine was needed' })
  },
  asks(task) {
    if (task.polls === 1) task.status = 'input_required'
  },
  survives() {
    if (file === undefined) return
    writeFileSync(file, 'done')
    process.exit(3)
  },
  lost: () => process.exit(3),
  forgets: () => tasks.delete('forgets'),
}

const call: Readonly<Record<string, (message: Incoming) => void>> = {
  seen: (message) => answer(message, text(JSON.stringify(seen))),
  plainly: (message) => answer(message, text(message.params?.['task'] === undefined ? 'called plainly' : 'called as a task')),
}
const names = ['plain', 'fails', 'breaks', 'dropped', 'asks', 'survives', 'lost', 'forgets', 'slow', 'pushed', 'stuck', 'late', 'mute']

function create(message: Incoming, name: string): void {
  if (message.params?.['task'] === undefined) {
    refuse(message, -32601, 'Task augmentation required')
    return
  }
  const ttl = name === 'stuck' ? 300 : 60_000
  const task: Task = {
    status: 'working',
    polls: 0,
    ttl,
    waiting: [],
    token: (message.params['_meta'] as { progressToken?: unknown } | undefined)?.progressToken,
  }
  tasks.set(name, task)
  const made = (): void => answer(message, { task: told(name, task) })
  if (name === 'late') setTimeout(made, 500)
  else made()
  if (name === 'pushed')
    setTimeout(() => {
      end('pushed', 'completed', text('pushed'))
      send({ method: 'notifications/tasks/status', params: { ...told('nobody’s', task), statusMessage: 'not this one' } })
      send({ method: 'notifications/tasks/status', params: { ...told('pushed', task), statusMessage: 'nearly' } })
    }, 200)
}

/** The task that a request of ours names, or a refusal of it. */
function taskOf(message: Incoming): [string, Task] | undefined {
  const taskId = String(message.params?.['taskId'])
  const task = tasks.get(taskId)
  if (task) return [taskId, task]
  refuse(message, -32602, 'Failed to retrieve task: Task not found')
  return undefined
}

const methods: Readonly<Record<string, (message: Incoming) => void>> = {
  initialize: (message) =>
    answer(message, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, ...(mode === 'undeclared' ? {} : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }) },
      serverInfo: { name: 'core-tasks', version: '1' },
    }),
  'tools/list': (message) =>
    answer(message, {
      tools: [
        tool('seen', { execution: { taskSupport: 'forbidden' } }),
        tool('plainly', { execution: { taskSupport: mode === 'undeclared' ? 'required' : 'optional' } }),
        ...names.map((name) => tool(name, { execution: { taskSupport: 'required' } })),
      ],
    }),
  'tools/call'(message) {
    const name = message.params?.name ?? ''
    const own = call[name]
    if (own) own(message)
    else create(message, name)
  },
  'tasks/get'(message) {
    const found = taskOf(message)
    if (!found) return
    const [taskId, task] = found
    task.polls += 1
    if (task.status === 'working') onPoll[taskId]?.(task)
    if (taskId === 'mute') return
    if (taskId === 'forgets') refuse(message, -32602, 'Failed to retrieve task: Task has expired')
    else answer(message, told(taskId, task))
  },
  'tasks/result'(message) {
    const found = taskOf(message)
    if (!found) return
    const [taskId, task] = found
    if (taskId === 'breaks') refuse(message, -32602, 'Bad arguments')
    else if (task.outcome) answer(message, { ...task.outcome, _meta: related(taskId) })
    else {
      task.waiting.push(message)
      if (taskId !== 'asks') return
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
      send({ id: 'who', method: 'elicitation/create', params: { message: 'Who?', requestedSchema, _meta: related(taskId) } })
    }
  },
  'tasks/cancel'(message) {
    const found = taskOf(message)
    if (!found) return
    found[1].status = 'cancelled'
    answer(message, told(...found))
  },
}

onMessage((message) => {
  if (message.params?.name !== 'seen') seen.push(message)
  if (message.method === undefined && message.id === 'who')
    end('asks', 'completed', text(`Hello ${JSON.stringify(message.result?.['content'])}`))
  const method = methods[message.method ?? '']
  if (method) method(message)
  else if (message.id !== undefined && message.method !== undefined) refuse(message, -32601, 'Method not found')
})
