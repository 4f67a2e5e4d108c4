// Word of tasks that comes unasked: their states (`notifications/tasks/status`), and progress, which goes on under the
// token of a call that has long been answered with a task. It is taken off the wire before the SDK, which knows neither.
import type { JSONRPCNotification, RequestId } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { readTask, type Task } from './task.ts'

export interface TaskFollower {
  readonly callId: string
  /** When the server may forget the task; undefined: it did not say. */
  readonly expiresAt: number | undefined
  onProgress(update: JsonObject): void
  onStatus(task: Task): void
}

export interface TaskWatch {
  /** A call was answered with a task: its token is the task's from now on. */
  made(token: RequestId, taskId: string): void
  /** Returns its undo. */
  follow(taskId: string, follower: TaskFollower): () => void
  /** The call that made a task. */
  callOf(taskId: string): string | undefined
  /** Until when the task of a call is there. */
  expiresAt(callId: string): number | undefined
  /** Whether it was word of a task, and so no one else's business. */
  hear(notification: JSONRPCNotification): boolean
}

/** Tasks whose tokens are remembered. */
const most = 1000

export function createTaskWatch(): TaskWatch {
  const tokens = new Map<RequestId, string>()
  const followers = new Map<string, TaskFollower>()
  /** Progress between the answer and the one who follows. */
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
    made(token, taskId) {
      if (tokens.size < most) tokens.set(token, taskId)
    },
    follow(taskId, follower) {
      followers.set(taskId, follower)
      const missed = early.get(taskId)
      early.delete(taskId)
      if (missed) follower.onProgress(missed)
      return () => {
        followers.delete(taskId)
        for (const [token, of] of tokens) if (of === taskId) tokens.delete(token)
      }
    },
    callOf: (taskId) => followers.get(taskId)?.callId,
    expiresAt: (callId) => [...followers.values()].find((follower) => follower.callId === callId)?.expiresAt,
    hear({ method, params }) {
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
