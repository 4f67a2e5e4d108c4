// From a task to its result: asks how it is (`tasks/get`) as often as the server wants, answers what it asks in its
// course, and fetches what came of it. A task outlives its connection: it is asked for again on the next one, a few
// times; it is never begun again. Who cancels is not kept waiting: the server is told so, and that is that.
import type { Progress } from '#app/chat/message.ts'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, type ProtocolError, protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { Patience } from '../calls/patience.ts'
import { answerAll, wait } from '../calls/rounds.ts'
import type { Connection } from '../connection/connection.ts'
import { formOf, hasEnded, leastPollMs, mayCancel, readTask, shortWords, type Task } from './task.ts'

export interface FollowOptions {
  readonly connection: Connection
  /** A connection that stands, once this one does not. */
  readonly reconnect: () => Promise<Connection>
  readonly tool: string
  readonly callId: string
  readonly clock: Clock
  /** Runs only while the server owes an answer. */
  readonly patience: Patience
  readonly onProgress: (progress: Progress) => void
  /** Aborts when the call is cancelled, or the server silent. */
  readonly signal: AbortSignal
}

/** In a row. */
const mostFailures = 4
const firstRetryMs = 500
/** What is asked in a task that lasts longer has no end that anybody need be told of. */
const longestToldMs = 24 * 3600_000

/** A connection that broke; what was asked may be asked again on another. Who stopped the server wants it to stay so. */
const lost: ReadonlySet<HostErrorCode> = new Set(['server.exited', 'server.connection-lost', 'server.unreachable', 'server.http-status'])

export async function followTask(first: Task, options: FollowOptions): Promise<JsonObject> {
  const { tool, callId, clock, patience, signal } = options
  const { taskId } = first
  const { server } = options.connection
  const form = formOf(options.connection.session)
  const begun = clock.now()
  const expiresAt = first.ttlMs !== undefined && first.ttlMs <= longestToldMs ? begun + first.ttlMs : undefined
  /** Ends what is still asked once nobody waits for it. */
  const gone = new AbortController()
  let connection = options.connection
  /** The server has it, and it has not ended. */
  let alive = true
  let told: Progress = { progress: 0 }
  let nudge: (() => void) | undefined
  let unfollow = (): void => {}
  const answered = new Set<string>()
  /** Of the core: asked for while the task waits for input, and then not again. */
  let fetched: { readonly result: Promise<JsonObject>; over: boolean } | undefined

  function tell(change: Partial<Progress>): void {
    told = { ...told, ...change }
    options.onProgress(told)
  }

  function listen(): void {
    unfollow()
    unfollow = connection.tasks.follow(taskId, {
      callId,
      expiresAt,
      onProgress({ progress, total, message }) {
        if (typeof progress !== 'number') return
        tell({ progress, ...(typeof total === 'number' ? { total } : {}), ...(typeof message === 'string' ? { message } : {}) })
      },
      onStatus(task) {
        if (task.statusMessage !== undefined) tell({ message: task.statusMessage })
        nudge?.()
      },
    })
  }

  const unknown = (because: string, why: string, cause?: unknown): HostError =>
    new HostError('tool.outcome-unknown', t`Nobody knows what became of ${tool}: ${why} It is not run again by itself.`, {
      data: { server, tool, because, taskId },
      cause,
    })

  /** A request about the task, on whichever connection stands. */
  async function ask(method: string, params: Readonly<Record<string, Json>> = {}, silent = false): Promise<JsonObject> {
    for (let failures = 1; ; failures += 1) {
      const resume = silent ? patience.pause() : undefined
      try {
        return await connection.request(method, { taskId, ...params }, { signal: gone.signal })
      } catch (error) {
        // What ends the call comes this way too (2025-11-25, "Result retrieval"): it is the answer.
        if (gone.signal.aborted || (isProtocolError(error) && method === 'tasks/result')) throw error
        await recover(error, failures)
      } finally {
        resume?.()
      }
    }
  }

  async function recover(error: unknown, failures: number): Promise<void> {
    if (isProtocolError(error) && error.code === protocolErrorCodes.invalidParams) {
      alive = false
      throw unknown('task-forgotten', t`“${server}” does not know its task any more (${error.message}).`, error)
    }
    const passing = isProtocolError(error) ? error.code === protocolErrorCodes.internalError : isLost(error)
    if (!passing) throw error instanceof HostError ? unknown(error.code, error.message, error) : error
    if (failures >= mostFailures) throw unknown('unanswered', t`“${server}” could not be asked how its task is.`, error)
    const resume = patience.pause()
    try {
      await wait(clock, firstRetryMs * 2 ** (failures - 1), signal)
      if (isProtocolError(error)) return
      const next = await options.reconnect()
      if (formOf(next.session) !== form) throw unknown('era-changed', t`“${server}” came back in another revision of the protocol.`, error)
      if (next !== connection) {
        connection = next
        listen()
      }
    } catch (failure) {
      if (signal.aborted || (failure instanceof HostError && failure.code === 'tool.outcome-unknown')) throw failure
      throw unknown('unreachable', t`the connection was lost, and “${server}” did not come back.`, failure)
    } finally {
      resume()
    }
  }

  /** Until the server wants to be asked again, has news, or the result is there. */
  async function rest(task: Task): Promise<void> {
    const resume = patience.pause()
    const over = new AbortController()
    const news = new Promise<void>((resolve) => {
      nudge = resolve
    })
    try {
      const either = AbortSignal.any([signal, over.signal])
      const time = wait(clock, task.pollMs, either)
      time.catch(() => undefined)
      await Promise.race([
        time,
        news.then(() => wait(clock, leastPollMs, either)),
        ...(fetched ? [fetched.result.then(noWord, noWord)] : []),
      ])
      signal.throwIfAborted()
    } finally {
      nudge = undefined
      over.abort()
      resume()
    }
  }

  /** In the core form the questions come as requests, once the result is asked for. */
  function fetchEarly(): void {
    if (fetched) return
    const one = { result: ask('tasks/result', {}, true), over: false }
    const done = (): void => {
      one.over = true
    }
    one.result.then(done, done)
    fetched = one
  }

  async function answer(task: Task): Promise<void> {
    const { inputRequests } = task.raw
    const open = Object.entries(isJsonObject(inputRequests) ? inputRequests : {}).filter(([key]) => !answered.has(key))
    if (open.length === 0) return
    for (const [key] of open) answered.add(key)
    const inputResponses = await answerAll(Object.fromEntries(open), { server, asks: connection.asks, signal, callId })
    await ask('tasks/update', { inputResponses })
  }

  async function run(): Promise<JsonObject> {
    let task = first
    for (;;) {
      signal.throwIfAborted()
      if (task.statusMessage !== undefined) tell({ message: task.statusMessage })
      if (hasEnded(task)) return endOf(task)
      if (task.status === 'input_required') {
        if (form === 'core') fetchEarly()
        else await answer(task)
      }
      await rest(task)
      if (fetched?.over) return fetched.result
      const before = task
      const next = readTask(await ask('tasks/get'))
      if (!next) throw new HostError('server.protocol', t`“${server}” did not say how its task is.`, { data: { server, tool, taskId } })
      task = next
      const expired = task.ttlMs !== undefined && clock.now() - begun > task.ttlMs
      if (expired && !hasEnded(task) && task.lastUpdatedAt === before.lastUpdatedAt)
        throw unknown('task-expired', t`the time that “${server}” gave its task is over, and it has not ended.`)
    }
  }

  async function endOf(task: Task): Promise<JsonObject> {
    alive = false
    if (task.status === 'cancelled')
      throw new HostError(
        'tool.task-cancelled',
        task.statusMessage ? t`“${server}” cancelled ${tool}: ${task.statusMessage}` : t`“${server}” cancelled ${tool}.`,
        { data: { server, tool, taskId } },
      )
    if (form === 'core') return fetched ? fetched.result : ask('tasks/result')
    const { result, error } = task.raw
    if (task.status === 'failed') throw failureOf(error, task)
    if (isJsonObject(result)) return result
    throw new HostError('server.protocol', t`The task of ${tool} is done but has no result.`, { data: { server, tool, taskId } })
  }

  listen()
  const running = run()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([running, aborted.promise])
  } catch (error) {
    running.catch(() => undefined)
    // Nobody waits for it any more: it need not go on.
    if (alive) await cancelTask(connection, taskId, clock)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    fetched?.result.catch(() => undefined)
    unfollow()
    gone.abort(new HostError('cancelled', t`Nobody waits for the task of ${tool} any more.`))
  }
}

const noWord = (): undefined => undefined

const isLost = (error: unknown): boolean =>
  error instanceof HostError && lost.has(error.code) && (error.code !== 'server.http-status' || Number(error.data['status']) >= 500)

/** The JSON-RPC error that ended it, as if it had come in answer to the call. */
function failureOf(error: Json | undefined, { statusMessage }: Task): ProtocolError {
  const { code, message, data } = isJsonObject(error) ? error : {}
  return protocolError(
    typeof code === 'number' ? code : protocolErrorCodes.internalError,
    typeof message === 'string' ? shortWords(message) : (statusMessage ?? 'The task failed'),
    data,
  )
}

/** How long the word of it may take: it is a courtesy, and the server decides. */
const cancelMs = 1000

/** Tells the server that nobody waits for it any more. Never throws. */
export async function cancelTask(connection: Connection, taskId: string, clock: Clock): Promise<void> {
  if (!mayCancel(formOf(connection.session), connection.capabilities)) return
  const late = new AbortController()
  const stopTimer = clock.after(cancelMs, () => late.abort(new HostError('cancelled', t`It took too long to say.`)))
  try {
    await connection.request('tasks/cancel', { taskId }, { signal: late.signal })
  } catch {
    // It has ended meanwhile, or cannot be told.
  } finally {
    stopTimer()
  }
}
