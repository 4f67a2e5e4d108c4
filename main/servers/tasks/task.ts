// A task as a server tells of it, in both forms: the core of 2025-11-25 (`task`, `ttl`, `pollInterval`) and the extension
// of 2026-07-28 (`resultType: "task"`, `ttlMs`, `pollIntervalMs`). Pure.
import type { ServerCapabilities } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/state.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** `core`: the result is fetched apart, questions come as requests. `extension`: all comes with `tasks/get`. */
export type TaskForm = 'core' | 'extension'

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const
export type TaskStatus = (typeof statuses)[number]

export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage: string | undefined
  readonly lastUpdatedAt: string | undefined
  /** Milliseconds from its making; undefined: without end, or unsaid. */
  readonly ttlMs: number | undefined
  readonly pollMs: number
  /** All of it, as it came. */
  readonly raw: JsonObject
}

export const hasEnded = ({ status }: Task): boolean => status !== 'working' && status !== 'input_required'

/** When the server does not say. */
const usualPollMs = 1000
/** However soon or late it wants to be asked. */
export const leastPollMs = 100
const mostPollMs = 60_000

/** Words of a server about its task: they reach the page, the record of the chat and the model. */
const longestWords = 2000
export const shortWords = (words: string): string =>
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
    statusMessage: typeof statusMessage === 'string' && statusMessage.trim() !== '' ? shortWords(statusMessage) : undefined,
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

/** What is made instead of a result there: nothing is asked for in the newer form, the server decides. */
export const formOf = ({ era }: Session): TaskForm => (era === 'modern' ? 'extension' : 'core')

/**
 * Whether a tool is called as a task (2025-11-25, "Tool-level negotiation"): only where it must be, and never on a server
 * that did not declare it.
 */
export const needsTask = (session: Session, capabilities: ServerCapabilities, tool: Pick<ToolEntry, 'execution'>): boolean =>
  session.era === 'legacy' && capabilities.tasks?.requests?.tools?.call !== undefined && tool.execution?.taskSupport === 'required'

export const mayCancel = (form: TaskForm, capabilities: ServerCapabilities): boolean =>
  form === 'extension' || capabilities.tasks?.cancel !== undefined
