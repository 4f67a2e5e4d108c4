// The queue of open requests, in memory; events tell every window. The first answer wins. An answer that cannot be taken (`settle`
// throws) leaves its request open. Aborting the signal withdraws a request.
import type { ConsentAnswer, ConsentOutcome, ConsentRequest, ConsentScope } from '#app/consent/request.ts'
import { type ConsentEnd, type Withdrawal, withdrawal } from '#app/consent/request-ending.ts'
import { HostError } from '#app/errors.ts'
import { orAborted } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { AnswerPolicy, RequestCause, RequestOrigin } from './broker-api.ts'

const gone: ReadonlySet<unknown> = new Set(['server.stopped', 'server.exited', 'server.connection-lost', 'server.unreachable'])
/** Length of a server's reason, which is shown on one line. */
const longestWord = 200

interface Withdrawn {
  readonly because?: Withdrawal
  readonly word?: string
}

/**
 * Tells why a request was withdrawn from the reason of its abort: `data.withdrawal` where it is set, or else the error's code.
 * `inCall`: the request belongs to a call, whose end withdraws it.
 */
export function classifyWithdrawal(reason: unknown, inCall: boolean): Withdrawn {
  if (reason instanceof HostError) {
    const { code, data } = reason
    const said = withdrawal.safeParse(data['withdrawal'])
    const word = data['word']
    if (said.success) return { because: said.data, ...(typeof word === 'string' && word ? { word: word.slice(0, longestWord) } : {}) }
    if (gone.has(code === 'tool.outcome-unknown' ? data['because'] : code)) return { because: 'server-gone' }
  }
  return inCall ? { because: 'call-ended' } : {}
}

export type AnsweredBy = 'person' | 'command-line'

export interface Settled<T> {
  readonly outcome: Exclude<ConsentOutcome, 'withdrawn'>
  readonly value: T
}

interface QueuedQuestion<T> {
  readonly request: ConsentRequest
  readonly origin: Pick<RequestOrigin, 'signal' | 'onAsked'>
  /** Result when the request is withdrawn. */
  readonly withdrawn: T
  /** Takes an answer and audits it. @throws {HostError} when it cannot be taken */
  settle(answer: ConsentAnswer, by: AnsweredBy): Settled<T>
  /** Returns the answer of a rule that was made since. */
  reconsider?(): Settled<T> | undefined
  /** Looks up what `reconsider` depends on. Undefined: there is nothing to wait for. */
  look?(): Promise<void> | undefined
}

export type Queue = ReturnType<typeof createQueue>

interface Entry {
  request: ConsentRequest
  settling: boolean
  /** Takes the entry off the queue. @throws {HostError} and leaves it where it cannot */
  answer(answer: ConsentAnswer, by: AnsweredBy): void
  reconsider(): void
  withdraw(why: Withdrawn): void
}

interface QueueOptions {
  readonly emit: Emit
  readonly clock: Clock
  readonly policy?: AnswerPolicy | undefined
  readonly onOpened?: ((request: ConsentRequest) => void) | undefined
  /** Audits a request before the person is asked. When it throws, they are not asked. */
  readonly onAsking: (request: ConsentRequest) => void
  readonly onWithdrawn: (request: ConsentRequest, why: Withdrawn) => void
}

export function createQueue(options: QueueOptions) {
  const entries = new Map<string, Entry>()
  let disposed = false

  function put<T>(question: QueuedQuestion<T>): Promise<T> {
    const { request, origin } = question
    const { signal } = origin
    options.onAsking(request)
    return new Promise((resolve) => {
      const onAbort = (): void => entry.withdraw(classifyWithdrawal(signal.reason, request.callId !== undefined))
      let stopTimer: (() => void) | undefined
      const close = (end: ConsentEnd, value: T): void => {
        entries.delete(request.id)
        signal.removeEventListener('abort', onAbort)
        stopTimer?.()
        options.emit('consent.closed', { id: request.id, ...end })
        resolve(value)
      }
      const entry: Entry = {
        request,
        settling: false,
        answer(answer, by) {
          const { outcome, value } = question.settle(answer, by)
          close({ outcome, by, ...scopeOf(answer) }, value)
        },
        reconsider() {
          const decide = (): void => {
            if (!entries.has(request.id) || entry.settling) return
            const settled = question.reconsider?.()
            if (settled) close({ outcome: settled.outcome, by: 'rule' }, settled.value)
          }
          const looking = question.look?.()
          if (looking !== undefined)
            void looking.then(() => tell(decide)).catch(() => {}) // A request whose lookup fails goes on waiting.
          else decide()
        },
        withdraw(why) {
          if (!entries.has(request.id)) return
          close({ outcome: 'withdrawn', ...why }, question.withdrawn)
          options.onWithdrawn(request, why)
        },
      }
      entries.set(request.id, entry)
      signal.addEventListener('abort', onAbort, { once: true })
      if (request.expiresAt !== undefined)
        stopTimer = options.clock.after(Math.max(0, request.expiresAt - options.clock.now()), () => entry.withdraw({ because: 'expired' }))
      options.emit('consent.opened', { request })
      tell(() => origin.onAsked?.(request.id))
      tell(() => options.onOpened?.(request))
    })
  }

  /** Lets the present rules answer open requests. One that cannot be audited goes on waiting. */
  function reconsiderAll(): void {
    for (const entry of [...entries.values()]) tell(() => entry.reconsider())
  }

  return {
    async ask<T>(question: QueuedQuestion<T>): Promise<T> {
      const { request } = question
      const { signal } = question.origin
      if (disposed || signal.aborted) return question.withdrawn
      if (options.policy) {
        const answer = await askPolicy(options.policy, request, signal)
        if (disposed || signal.aborted) return question.withdrawn
        if (answer) return question.settle(answer, 'command-line').value
      }
      return put(question)
    },
    answer(id: string, answer: ConsentAnswer, by: AnsweredBy): boolean {
      const entry = entries.get(id)
      if (!entry || entry.settling) return false
      entry.settling = true
      try {
        entry.answer(answer, by)
      } finally {
        entry.settling = false
      }
      reconsiderAll()
      return true
    },
    place(id: string, { conversationId, callId }: RequestCause): void {
      const entry = entries.get(id)
      if (!entry || conversationId === undefined) return
      const { request } = entry
      const isElsewhere = request.conversationId !== undefined && request.conversationId !== conversationId
      if (isElsewhere || request.callId !== undefined || (request.conversationId === conversationId && callId === undefined)) return
      entry.request = { ...request, conversationId, ...(callId === undefined ? {} : { callId }) }
      options.emit('consent.opened', { request: entry.request })
    },
    open: (): ConsentRequest[] => [...entries.values()].map((entry) => entry.request),
    reconsider: reconsiderAll,
    dispose(): void {
      disposed = true
      for (const entry of [...entries.values()]) entry.withdraw({})
    },
  }
}

/** Asks the policy. Undefined: it has no answer, or the request was withdrawn. */
const askPolicy = (policy: AnswerPolicy, request: ConsentRequest, signal: AbortSignal): Promise<ConsentAnswer | undefined> =>
  orAborted(Promise.resolve(policy(request)), signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
    return undefined
  })

const scopeOf = (answer: ConsentAnswer): { scope?: ConsentScope } => (answer.kind === 'allow' ? { scope: answer.scope } : {})

/** Calls a listener, whose failure does not concern the request. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch {
    // The request is open and every window knows it.
  }
}
