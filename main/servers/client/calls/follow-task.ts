// Follows a task to its result: polls it (`tasks/get`), answers its questions, and fetches the result. A task outlives its connection: it
// is polled on the next one, a few times, and never started again. A cancelled call does not wait for the server to confirm.
import type { Progress } from '#app/chat/message.ts'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { orAborted, wait } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, type ProtocolError, protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { IdleTimeout } from '#main/servers/transport/idle-timeout.ts'
import type { Connection } from '../connection/connection.ts'
import { answerInputRequests } from '../requests/multi-round-trip.ts'
import type { CallContext } from '../requests/running-calls.ts'
import { isTaskEnded, leastPollMs, mayCancel, readTask, shortMessage, type Task, taskFormOf } from '../requests/task.ts'

interface FollowOptions {
  readonly connection: Connection
  readonly reconnect: () => Promise<Connection>
  readonly call: CallContext
  readonly clock: Clock
  readonly timeout: IdleTimeout
  readonly onProgress: (progress: Progress) => void
  /** Aborts when the call is cancelled, or the server silent. */
  readonly signal: AbortSignal
}

const mostFailures = 4
const firstRetryMs = 500
/** Milliseconds: the end of a task that lasts longer is told to nobody. */
const longestToldMs = 24 * 3600_000

/** A connection that broke; what was asked may be asked again on another. Who stopped the server wants it to stay so. */
const lost: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.unreachable', 'server.http-status'])

type FollowedTask = ReturnType<typeof startFollowing>

function startFollowing(first: Task, options: FollowOptions) {
  const { connection, clock } = options
  return {
    first,
    options,
    server: connection.server,
    form: taskFormOf(connection.session),
    begun: clock.now(),
    gone: new AbortController(),
    connection,
    /** The server has it, and it has not ended. */
    alive: true,
    told: { progress: 0 } as Progress,
    nudge: undefined as (() => void) | undefined,
    unfollow: (): void => {},
    answered: new Set<string>(),
    /** Request for the result in the core form: sent while the task waits for input, and then not again. */
    fetched: undefined as { readonly result: Promise<JsonObject>; over: boolean } | undefined,
  }
}

export async function followTask(first: Task, options: FollowOptions): Promise<JsonObject> {
  const { call, clock, signal } = options
  const followed = startFollowing(first, options)
  listen(followed)
  const running = pollToEnd(followed)
  try {
    return await orAborted(running, signal, () => signal.reason)
  } catch (error) {
    running.catch(() => undefined)
    // Nobody waits for it any more: it need not go on.
    if (followed.alive && call.leavesTask?.() !== true) await cancelTask(followed.connection, first.taskId, clock)
    throw error
  } finally {
    followed.fetched?.result.catch(() => undefined)
    followed.unfollow()
    followed.gone.abort(new HostError('cancelled', t`The call of ${call.tool} was cancelled.`))
  }
}

async function pollToEnd(followed: FollowedTask): Promise<JsonObject> {
  const { first, options, server, form, begun } = followed
  const { call, clock, signal } = options
  const { taskId } = first
  let task = first
  for (;;) {
    signal.throwIfAborted()
    if (task.statusMessage !== undefined) tell(followed, { message: task.statusMessage })
    if (isTaskEnded(task)) return endOf(followed, task)
    if (task.status === 'input_required') {
      if (form === 'core') fetchEarly(followed)
      else await answer(followed, task)
    }
    await rest(followed, task)
    if (followed.fetched?.over) return followed.fetched.result
    const before = task
    const next = readTask(await ask(followed, 'tasks/get'))
    if (!next)
      throw new HostError('server.protocol', t`“${server}” did not report on its task.`, { data: { server, tool: call.tool, taskId } })
    task = next
    const expired = task.ttlMs !== undefined && clock.now() - begun > task.ttlMs
    if (expired && !isTaskEnded(task) && task.lastUpdatedAt === before.lastUpdatedAt)
      throw unknownOutcome(followed, 'task-expired', t`the time of the task is over.`)
  }
}

async function endOf(followed: FollowedTask, task: Task): Promise<JsonObject> {
  const { server, form, fetched } = followed
  const { tool } = followed.options.call
  const data = { server, tool, taskId: followed.first.taskId }
  followed.alive = false
  if (task.status === 'cancelled')
    throw new HostError(
      'tool.task-cancelled',
      task.statusMessage ? t`“${server}” cancelled ${tool}: ${task.statusMessage}` : t`“${server}” cancelled ${tool}.`,
      { data },
    )
  if (form === 'core') return fetched ? fetched.result : ask(followed, 'tasks/result')
  const { result, error } = task.raw
  if (task.status === 'failed') throw failureOf(error, task)
  if (isJsonObject(result)) return result
  throw new HostError('server.protocol', t`“${server}” did not report on its task.`, { data })
}

function tell(followed: FollowedTask, change: Partial<Progress>): void {
  followed.told = { ...followed.told, ...change }
  followed.options.onProgress(followed.told)
}

function listen(followed: FollowedTask): void {
  const { first, begun, options } = followed
  followed.unfollow()
  followed.unfollow = followed.connection.tasks.follow(first.taskId, {
    call: options.call,
    expiresAt: first.ttlMs !== undefined && first.ttlMs <= longestToldMs ? begun + first.ttlMs : undefined,
    onProgress({ progress, total, message }) {
      if (typeof progress !== 'number') return
      const given = { total: typeof total === 'number' ? total : undefined, message: typeof message === 'string' ? message : undefined }
      tell(followed, { progress, ...defined(given) })
    },
    onStatus(task) {
      if (task.statusMessage !== undefined) tell(followed, { message: task.statusMessage })
      followed.nudge?.()
    },
  })
}

function unknownOutcome({ server, options, first }: FollowedTask, because: string, why: string, cause?: unknown): HostError {
  const { tool } = options.call
  const data = { server, tool, because, taskId: first.taskId }
  return new HostError('tool.outcome-unknown', t`It is not known whether ${tool} ran: ${why}`, {
    data,
    cause,
  })
}

/** Sends a request about the task on whichever connection stands. `silent`: the server may take its time. */
async function ask(followed: FollowedTask, method: string, params: JsonObject = {}, silent = false): Promise<JsonObject> {
  const { gone, first, options } = followed
  for (let failures = 1; ; failures += 1) {
    const resume = silent ? options.timeout.pause() : undefined
    try {
      return await followed.connection.request(method, { taskId: first.taskId, ...params }, { signal: gone.signal })
    } catch (error) {
      // What ends the call comes this way too (2025-11-25, "Result retrieval"): it is the answer.
      if (gone.signal.aborted || (isProtocolError(error) && method === 'tasks/result')) throw error
      await recover(followed, error, failures)
    } finally {
      resume?.()
    }
  }
}

/** Waits, and connects again, where the same request may succeed then. @throws {unknown} what ends the call */
async function recover(followed: FollowedTask, error: unknown, failures: number): Promise<void> {
  const { server, options } = followed
  const { clock, timeout, signal } = options
  if (isProtocolError(error) && error.code === protocolErrorCodes.invalidParams) {
    followed.alive = false
    throw unknownOutcome(followed, 'task-forgotten', t`“${server}” did not report on its task.`, error)
  }
  const passing = isProtocolError(error) ? error.code === protocolErrorCodes.internalError : isLost(error)
  if (!passing) throw error instanceof HostError ? unknownOutcome(followed, error.code, error.message, error) : error
  if (failures >= mostFailures) throw unknownOutcome(followed, 'unanswered', t`“${server}” did not report on its task.`, error)
  const resume = timeout.pause()
  try {
    await wait(clock, firstRetryMs * 2 ** (failures - 1), signal)
    if (isProtocolError(error)) return
    const next = await options.reconnect()
    if (taskFormOf(next.session) !== followed.form)
      throw unknownOutcome(followed, 'era-changed', t`“${server}” did not report on its task.`, error)
    if (next !== followed.connection) {
      followed.connection = next
      listen(followed)
    }
  } catch (failure) {
    if (signal.aborted || (failure instanceof HostError && failure.code === 'tool.outcome-unknown')) throw failure
    throw unknownOutcome(followed, 'unreachable', t`the connection to “${server}” was lost.`, failure)
  } finally {
    resume()
  }
}

/** Resolves when the server wants to be asked again, has news, or the result is there. */
async function rest(followed: FollowedTask, task: Task): Promise<void> {
  const { clock, timeout, signal } = followed.options
  const { fetched } = followed
  const resume = timeout.pause()
  const over = new AbortController()
  const news = new Promise<void>((resolve) => {
    followed.nudge = resolve
  })
  try {
    const either = AbortSignal.any([signal, over.signal])
    const time = wait(clock, task.pollMs, either)
    time.catch(() => undefined)
    await Promise.race([time, news.then(() => wait(clock, leastPollMs, either)), ...(fetched ? [fetched.result.then(noWord, noWord)] : [])])
    signal.throwIfAborted()
  } finally {
    followed.nudge = undefined
    over.abort()
    resume()
  }
}

/** Asks for the result before it is there: in the core form the questions come as requests only then. */
function fetchEarly(followed: FollowedTask): void {
  if (followed.fetched) return
  const one = { result: ask(followed, 'tasks/result', {}, true), over: false }
  const done = (): void => {
    one.over = true
  }
  one.result.then(done, done)
  followed.fetched = one
}

async function answer(followed: FollowedTask, task: Task): Promise<void> {
  const { answered, connection } = followed
  const { inputRequests } = task.raw
  const open = Object.entries(isJsonObject(inputRequests) ? inputRequests : {}).filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  for (const [key] of open) answered.add(key)
  const inputResponses = await answerInputRequests(Object.fromEntries(open), connection, followed.options)
  await ask(followed, 'tasks/update', { inputResponses })
}

const noWord = (): undefined => undefined

const isLost = (error: unknown): boolean =>
  error instanceof HostError && lost.has(error.code) && (error.code !== 'server.http-status' || Number(error.data['status']) >= 500)

function failureOf(error: Json | undefined, { statusMessage }: Task): ProtocolError {
  const { code, message, data } = isJsonObject(error) ? error : {}
  return protocolError(
    typeof code === 'number' ? code : protocolErrorCodes.internalError,
    typeof message === 'string' ? shortMessage(message) : (statusMessage ?? 'The task failed'),
    data,
  )
}

/** How long the word of it may take: it is a courtesy, and the server decides. */
const cancelMs = 1000

/** Tells the server that nobody waits for it any more. Never throws. */
export async function cancelTask(connection: Connection, taskId: string, clock: Clock): Promise<void> {
  if (!mayCancel(taskFormOf(connection.session), connection.capabilities)) return
  const late = new AbortController()
  const stopTimer = clock.after(cancelMs, () => late.abort(new HostError('cancelled', t`It was cancelled.`)))
  try {
    await connection.request('tasks/cancel', { taskId }, { signal: late.signal })
  } catch {
    // It has ended meanwhile, or cannot be told.
  } finally {
    stopTimer()
  }
}
