// Tasks in the forms of both eras (MCP 2025-11-25, "Tasks"; extension `io.modelcontextprotocol/tasks` of 2026-07-28).
import type { ProtocolError, ServerContext } from '@modelcontextprotocol/server'
import type { Json, JsonObject } from '#app/json.ts'
import type { AgentOutcome } from '#main/chat/gate/agent-outcome.ts'
import type { TaskState } from '#main/chat/gate/agent-tasks.ts'
import { tasksExtension } from '#main/servers/client/requests/task.ts'
import { asObject, gateResult, RELATED_TASK } from './gate-names.ts'

/** Milliseconds between two polls, as agents are asked. */
const POLL_MS = 1000

type Era = 'legacy' | 'modern'

export const relatedTask = (taskId: string): JsonObject => ({ [RELATED_TASK]: { taskId } })

/** Whether a request of the newer era declares tasks. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const capabilities = asObject(mcpReq.envelope)['io.modelcontextprotocol/clientCapabilities'] as Json | undefined
  return asObject(asObject(capabilities)['extensions'])[tasksExtension] !== undefined
}

/** A result, or the error that it is. */
type TaskEnd = { readonly result: JsonObject } | { readonly error: ProtocolError }

export function endOf(outcome: AgentOutcome): TaskEnd {
  try {
    return { result: gateResult(outcome) }
  } catch (error) {
    return { error: error as ProtocolError }
  }
}

function statusOf(era: Era, { cancelled, outcome, questions }: TaskState): string {
  if (cancelled || (outcome?.kind === 'failed' && outcome.code === 'tool.task-cancelled')) return 'cancelled'
  if (!outcome) return questions.length > 0 ? 'input_required' : 'working'
  const end = endOf(outcome)
  // A tool's own error makes the task fail in the older era.
  return 'error' in end || (era === 'legacy' && end.result['isError'] === true) ? 'failed' : 'completed'
}

/** A task as both eras tell of one, without its result. */
export function taskOf(era: Era, state: TaskState): JsonObject {
  const { taskId, createdAt, updatedAt, ttlMs, message } = state
  return {
    taskId,
    status: statusOf(era, state),
    ...(message ? { statusMessage: message } : {}),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...(era === 'legacy' ? { ttl: ttlMs, pollInterval: POLL_MS } : { ttlMs, pollIntervalMs: POLL_MS }),
  }
}

/** Result that tells of a task in place of the call's own. In the older era the SDK takes one with `content` alone, which may be empty. */
export const taskResult = (era: Era, state: TaskState): JsonObject =>
  era === 'legacy' ? { content: [], task: taskOf(era, state) } : { resultType: 'task', ...taskOf(era, state) }
