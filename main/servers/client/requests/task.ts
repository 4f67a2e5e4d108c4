// Tasks in both forms: the core of 2025-11-25 (`task`, `ttl`, `pollInterval`) and the extension of 2026-07-28 (`resultType: "task"`,
// `ttlMs`, `pollIntervalMs`). `TaskWatch` takes notifications of tasks before the SDK, which knows neither: states and progress.
import type { JSONRPCNotification, RequestId, ServerCapabilities } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import type { CallContext } from './running-calls.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** `core`: the result is fetched apart, questions come as requests. `extension`: all comes with `tasks/get`. */
type TaskForm = 'core' | 'extension'

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const

export interface Task {
  readonly taskId: string
  readonly status: (typeof statuses)[number]
  readonly statusMessage: string | undefined
  readonly lastUpdatedAt: string | undefined
  /** Milliseconds from its making; undefined: without end, or unsaid. */
  readonly ttlMs: number | undefined
  readonly pollMs: number
  readonly raw: JsonObject
}

export const isTaskEnded = ({ status }: Task): boolean => status !== 'working' && status !== 'input_required'

const usualPollMs = 1000
/** However soon or late it wants to be asked. */
export const leastPollMs = 100
const mostPollMs = 60_000

/** Words of a server about its task: they reach the page, the chat and the model. */
const longestWords = 2000
export const shortMessage = (words: string): string =>
  words.length > longestWords ? `${words.slice(0, longestWords).toWellFormed()}…` : words

export function readTask(value: Json | undefined): Task | undefined {
  if (!isJsonObject(value)) return undefined
  const { taskId, statusMessage, lastUpdatedAt } = value
  const status = statuses.find((one) => one === value['status'])
  if (typeof taskId !== 'string' || taskId === '' || status === undefined) return undefined
  const ttl = value['ttlMs'] ?? value['ttl']
  const poll = value['pollIntervalMs'] ?? value['pollInterval']
  return {
    taskId,
    status,
    statusMessage: typeof statusMessage === 'string' && statusMessage.trim() !== '' ? shortMessage(statusMessage) : undefined,
    lastUpdatedAt: typeof lastUpdatedAt === 'string' ? lastUpdatedAt : undefined,
    ttlMs: typeof ttl === 'number' && ttl >= 0 ? ttl : undefined,
    pollMs: Math.min(Math.max(typeof poll === 'number' ? poll : usualPollMs, leastPollMs), mostPollMs),
    raw: value,
  }
}

/** The task that was made in place of a result; undefined: it is a result. */
export function madeTask(result: JsonObject, form: TaskForm): Task | undefined {
  if (form === 'core') return readTask(result['task'])
  return result['resultType'] === 'task' ? readTask(result) : undefined
}

/** Form of task that a session can make; in the newer one the server decides, and nothing is asked for. */
export const taskFormOf = ({ era }: Session): TaskForm => (era === 'modern' ? 'extension' : 'core')

/** Whether calls of a server may be tasks, of which in the core form each tool says more. */
export const offersTasks = (session: Pick<Session, 'era'>, { tasks, extensions }: ServerCapabilities): boolean =>
  session.era === 'legacy' ? tasks?.requests?.tools?.call !== undefined : extensions?.[tasksExtension] !== undefined

/** Whether a tool is called as a task: where it must be, or may be and that is wanted (2025-11-25, "Tool-level negotiation"). */
export function callsAsTask(
  session: Session,
  capabilities: ServerCapabilities,
  { execution }: Pick<ToolEntry, 'execution'>,
  isWanted = false,
): boolean {
  const support = execution?.taskSupport
  const fits = support === 'required' || (isWanted && support === 'optional')
  return session.era === 'legacy' && fits && offersTasks(session, capabilities)
}

export const mayCancel = (form: TaskForm, capabilities: ServerCapabilities): boolean =>
  form === 'extension' || capabilities.tasks?.cancel !== undefined

interface TaskFollower {
  readonly call: CallContext
  readonly expiresAt: number | undefined
  onProgress(update: JsonObject): void
  onStatus(task: Task): void
}

export type TaskWatch = ReturnType<typeof createTaskWatch>

const most = 1000

export function createTaskWatch() {
  const tokens = new Map<RequestId, string>()
  const followers = new Map<string, TaskFollower>()
  const early = new Map<string, JsonObject>()

  function progressed(params: JsonObject): boolean {
    const taskId = tokens.get(params['progressToken'] as RequestId)
    if (taskId === undefined) return false
    const follower = followers.get(taskId)
    if (follower) follower.onProgress(params)
    else early.set(taskId, params)
    return true
  }

  return {
    /** A call was answered with a task: its token is the task's from now on. */
    made(token: RequestId, taskId: string): void {
      if (tokens.size < most) tokens.set(token, taskId)
    },
    follow(taskId: string, follower: TaskFollower): () => void {
      followers.set(taskId, follower)
      const missed = early.get(taskId)
      early.delete(taskId)
      if (missed) follower.onProgress(missed)
      return () => {
        followers.delete(taskId)
        for (const [token, of] of tokens) if (of === taskId) tokens.delete(token)
      }
    },
    callOf: (taskId: string): CallContext | undefined => followers.get(taskId)?.call,
    expiresAt: (call: CallContext): number | undefined => [...followers.values()].find((follower) => follower.call === call)?.expiresAt,
    hear({ method, params }: JSONRPCNotification): boolean {
      const given = params as Json | undefined
      if (!isJsonObject(given)) return method === 'notifications/tasks/status'
      if (method === 'notifications/progress') return progressed(given)
      if (method !== 'notifications/tasks/status') return false
      const task = readTask(given)
      if (task) followers.get(task.taskId)?.onStatus(task)
      return true
    },
  }
}
