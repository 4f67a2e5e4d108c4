// Tasks of agents: calls that go on while nobody waits for them (MCP 2025-11-25, "Tasks", and its extension of 2026-07-28). A task belongs to the
// entry that began it, whose other connections may ask for it, and lives no longer than this host: a call that the end of the host cut off is not repeated.
import { randomBytes } from 'node:crypto'
import type { Progress } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { orAborted, wait } from '#main/base/abort.ts'
import { jsonSize } from '#main/base/json-size.ts'
import { createListeners } from '#main/base/listeners.ts'
import { type AgentOutcome, tooMany } from './agent-outcome.ts'
import { createForwards, type GateContext } from './agent-scope.ts'

/** Tasks of one entry, those that have ended among them, and bytes of results that are kept for it. */
const MOST_TASKS = 64
const MOST_KEPT_BYTES = 64 * 1024 * 1024
/** Milliseconds that a task is kept from its beginning: unless the agent says so, and at most and least. */
const USUAL_TTL_MS = 60 * 60_000
const LONGEST_TTL_MS = 24 * 60 * 60_000
const SHORTEST_TTL_MS = 60_000
/** Milliseconds for which news of a task are waited for: a shell that left is not waited for much longer. */
const NEWS_WITHIN_MS = 20_000

/** A task, as the agent's side makes a result of it. */
export interface TaskState {
  readonly taskId: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number
  /** Raised by each change. */
  readonly revision: number
  readonly message?: string
  /** Questions that the agent has to answer, in the form of `agent.asked`. */
  readonly questions: readonly JsonObject[]
  /** Outcome of the call; absent: it runs. */
  readonly outcome?: AgentOutcome
  readonly cancelled?: true
}

interface Task {
  readonly entry: string
  readonly server: string
  state: TaskState
  /** Whether the call was allowed, and so may have been run. */
  sent: boolean
  bytes: number
  readonly control: AbortController
  readonly forwards: ReturnType<typeof createForwards>
  readonly changed: ReturnType<typeof createListeners>
  stopTimer: () => void
}

/** Tasks of all entries, and what bounds them. */
function createTaskStore(clock: GateContext['clock']) {
  const tasks = new Map<string, Task>()

  function change(task: Task, more: Partial<TaskState>): void {
    const { state } = task
    if (state.outcome) return
    task.state = { ...state, ...more, revision: state.revision + 1, updatedAt: clock.now() }
    task.changed.tell()
  }
  function drop(task: Task): void {
    tasks.delete(task.state.taskId)
    task.stopTimer()
    task.control.abort()
    change(task, { outcome: gone(), questions: [] })
  }
  const ofEntry = (entry: string): Task[] => [...tasks.values()].filter((task) => task.entry === entry)
  /** Makes room for one more. @throws {HostError} `tool.too-many` when all run */
  function makeRoom(entry: string): void {
    const all = ofEntry(entry)
    if (all.length < MOST_TASKS) return
    const ended = all.find(({ state }) => state.outcome)
    if (!ended) throw tooMany()
    drop(ended)
  }
  function forgetLarge(entry: string): void {
    const kept = ofEntry(entry).filter(({ bytes }) => bytes > 0)
    let total = kept.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const task of kept.slice(0, -1)) {
      if (total <= MOST_KEPT_BYTES) return
      total -= task.bytes
      drop(task)
    }
  }

  function make(entry: string, server: string, ttlMs: number, control: AbortController): Task {
    const now = clock.now()
    const task: Task = {
      entry,
      server,
      state: { taskId: randomBytes(24).toString('base64url'), createdAt: now, updatedAt: now, ttlMs, revision: 0, questions: [] },
      sent: false,
      bytes: 0,
      control,
      forwards: createForwards((name, { questions, id }) => {
        const open = task.state.questions
        const next = name === 'agent.asked' ? [...open, ...(questions as JsonObject[])] : open.filter((one) => one['id'] !== id)
        change(task, { questions: next })
      }),
      changed: createListeners(),
      stopTimer: clock.after(ttlMs, () => drop(task)),
    }
    tasks.set(task.state.taskId, task)
    return task
  }

  return { tasks, change, drop, ofEntry, makeRoom, forgetLarge, make }
}

export type AgentTasks = ReturnType<typeof createAgentTasks>
export type AgentTaskHandle = ReturnType<AgentTasks['begin']>

export function createAgentTasks({ clock, clients }: Pick<GateContext, 'clock' | 'clients'>) {
  const { tasks, change, drop, ofEntry, makeRoom, forgetLarge, make } = createTaskStore(clock)
  const stopEnds = clients.onEnd((entry) => {
    for (const task of ofEntry(entry)) drop(task)
  })

  /** Task of an entry. To another entry, and where its server is not offered, it is not there. */
  function find(entry: string, taskId: string, isOffered: (server: string) => boolean): Task {
    const task = tasks.get(taskId)
    if (task?.entry === entry && isOffered(task.server)) return task
    throw new HostError('tool.unknown', t`There is no such task. Tasks end with Assent: its record says what became of the call.`)
  }

  return {
    /** Makes a task of a call, whose `control` ends it. @throws {HostError} `tool.too-many` */
    begin(entry: string, server: string, control: AbortController, wantedMs: number = USUAL_TTL_MS) {
      makeRoom(entry)
      const task = make(entry, server, Math.round(Math.min(Math.max(wantedMs, SHORTEST_TTL_MS), LONGEST_TTL_MS)), control)
      return {
        ask: task.forwards.ask,
        state: (): TaskState => task.state,
        /** Notes that the call was allowed. */
        sent(): void {
          task.sent = true
        },
        waits(): () => void {
          change(task, { message: t`waits for your answer in Assent` })
          return () => change(task, { message: '' })
        },
        progress({ message, progress, total }: Progress): void {
          change(task, { message: message ?? (total === undefined ? `${progress}` : `${progress}/${total}`) })
        },
        end(outcome: AgentOutcome): void {
          if (task.state.outcome) return
          task.bytes = outcome.kind === 'ran' ? jsonSize(outcome.result) : 0
          change(task, { outcome, questions: [], message: '' })
          forgetLarge(entry)
        },
      }
    },
    /** State of a task. `after`: once it is another than that revision, or after a while. */
    async state(entry: string, taskId: string, isOffered: (server: string) => boolean, after: number | undefined, signal: AbortSignal) {
      const task = find(entry, taskId, isOffered)
      if (after === undefined || task.state.outcome || task.state.revision > after) return task.state
      const over = new AbortController()
      const either = AbortSignal.any([signal, over.signal])
      const news = new Promise<void>((resolve) =>
        over.signal.addEventListener(
          'abort',
          task.changed.add(() => resolve()),
          { once: true },
        ),
      )
      const late = wait(clock, NEWS_WITHIN_MS, either).catch(() => undefined)
      await orAborted(Promise.race([news, late]), signal).finally(() => over.abort())
      return task.state
    },
    list: (entry: string, isOffered: (server: string) => boolean): TaskState[] =>
      ofEntry(entry)
        .filter(({ server }) => isOffered(server))
        .map(({ state: { outcome, ...state } }) => ({ ...state, ...defined({ outcome: outcome && withoutResult(outcome) }) })),
    /** Ends a task, unless it has ended. */
    cancel(entry: string, taskId: string, isOffered: (server: string) => boolean): TaskState {
      const task = find(entry, taskId, isOffered)
      if (task.state.outcome) return task.state
      change(task, { cancelled: true, questions: [], outcome: { kind: 'failed', code: 'cancelled', message: t`It was cancelled.` } })
      task.control.abort()
      return task.state
    },
    reply(
      entry: string,
      { taskId, id, result, error }: { taskId: string; id: string; result?: unknown; error?: string | undefined },
    ): void {
      const task = tasks.get(taskId)
      if (task?.entry !== entry) return
      task.forwards.reply(id, result, error)
      change(task, { questions: task.state.questions.filter((one) => one['id'] !== id) })
    },
    /** Whether a task runs; `sent`: one that was allowed. */
    isRunning: (only?: 'sent'): boolean => [...tasks.values()].some(({ state, sent }) => !state.outcome && (sent || !only)),
    dispose(): void {
      stopEnds()
      for (const task of tasks.values()) drop(task)
    },
  }
}

const gone = (): AgentOutcome => ({ kind: 'failed', code: 'cancelled', message: t`It was cancelled.` })

/** An outcome of which a list tells. */
function withoutResult(outcome: AgentOutcome): AgentOutcome {
  if (outcome.kind !== 'ran') return outcome
  const isError = (outcome.result as JsonObject)['isError'] === true
  return { kind: 'ran', result: { content: [], ...(isError ? { isError } : {}) } }
}
