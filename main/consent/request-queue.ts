// The questions that wait for the person, held in memory; events tell every window. The first answer wins. An answer that
// cannot be taken (`settle` throws) leaves its question open. Aborting a question's signal withdraws it. Why a question was
// withdrawn, from the reason with which its signal was aborted. Whoever aborts may say so outright (`data.withdrawal`);
// otherwise the code of the error does.

import type { ConsentAnswer, ConsentOutcome, ConsentRequest, ConsentScope } from '#app/consent/request.ts'
import { type ConsentEnd, type Withdrawal, withdrawal } from '#app/consent/request-ending.ts'
import { HostError } from '#app/errors.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { AnswerPolicy, RequestCause } from './broker-api.ts'

const gone: ReadonlySet<unknown> = new Set(['server.stopped', 'server.exited', 'server.connection-lost', 'server.unreachable'])
/** The server's own words are for a line. */
const longestWord = 200

interface Withdrawn {
  readonly because?: Withdrawal
  readonly word?: string
}

/** `inCall`: it was asked in the course of a call, which takes its questions along however it ends. */
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
  readonly signal: AbortSignal
  readonly onAsked?: ((requestId: string) => void) | undefined
  /** What the asker gets when it is withdrawn. */
  readonly withdrawn: T
  /** Takes an answer and puts it on record. Throws when it cannot be taken. */
  settle(answer: ConsentAnswer, by: AnsweredBy): Settled<T>
  /** Whether a rule made since answers it. */
  reconsider?(): Settled<T> | undefined
  /** Looks up what that depends on, before. Undefined: nothing is to be waited for. */
  look?(): Promise<void> | undefined
}

export interface Queue {
  ask<T>(question: QueuedQuestion<T>): Promise<T>
  answer(id: string, answer: ConsentAnswer): boolean
  /** See `ConsentBroker.place`. */
  place(id: string, cause: RequestCause): void
  /** Oldest first. */
  open(): ConsentRequest[]
  /** The rules are others than before: whether they answer what waits. */
  reconsider(): void
  dispose(): void
}

interface Entry {
  request: ConsentRequest
  settling: boolean
  /** Each takes it off the queue, or throws and leaves it. */
  answer(answer: ConsentAnswer): void
  reconsider(): void
  withdraw(why: Withdrawn): void
}

interface QueueOptions {
  readonly emit: Emit
  readonly clock: Clock
  readonly policy?: AnswerPolicy | undefined
  readonly onOpened?: ((request: ConsentRequest) => void) | undefined
  /** Before a question is put to the person: the record. When it throws, nobody is asked. */
  readonly onAsking: (request: ConsentRequest) => void
  readonly onWithdrawn: (request: ConsentRequest, why: Withdrawn) => void
}

export function createQueue(options: QueueOptions): Queue {
  const entries = new Map<string, Entry>()
  let disposed = false

  function put<T>(question: QueuedQuestion<T>): Promise<T> {
    const { request, signal } = question
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
        answer(answer) {
          const { outcome, value } = question.settle(answer, 'person')
          close({ outcome, by: 'person', ...scopeOf(answer) }, value)
        },
        reconsider() {
          const decide = (): void => {
            if (!entries.has(request.id) || entry.settling) return
            const settled = question.reconsider?.()
            if (settled) close({ outcome: settled.outcome, by: 'rule' }, settled.value)
          }
          const looking = question.look?.()
          if (looking !== undefined)
            void looking.then(() => tell(decide)).catch(() => {}) // What cannot be looked up goes on waiting.
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
      tell(() => question.onAsked?.(request.id))
      tell(() => options.onOpened?.(request))
    })
  }

  /** A rule that an answer made may answer others that wait. One that fails to be recorded simply goes on waiting. */
  function reconsiderAll(): void {
    for (const entry of [...entries.values()]) tell(() => entry.reconsider())
  }

  return {
    async ask(question) {
      const { request, signal } = question
      if (disposed || signal.aborted) return question.withdrawn
      if (options.policy) {
        const answer = await unlessAborted(options.policy(request), signal)
        if (disposed || signal.aborted) return question.withdrawn
        if (answer) return question.settle(answer, 'command-line').value
      }
      return put(question)
    },
    answer(id, answer) {
      const entry = entries.get(id)
      if (!entry || entry.settling) return false
      entry.settling = true
      try {
        entry.answer(answer)
      } finally {
        entry.settling = false
      }
      reconsiderAll()
      return true
    },
    place(id, { conversationId, callId }) {
      const entry = entries.get(id)
      if (!entry || conversationId === undefined) return
      const { request } = entry
      const isElsewhere = request.conversationId !== undefined && request.conversationId !== conversationId
      if (isElsewhere || request.callId !== undefined || (request.conversationId === conversationId && callId === undefined)) return
      entry.request = { ...request, conversationId, ...(callId === undefined ? {} : { callId }) }
      options.emit('consent.opened', { request: entry.request })
    },
    open: () => [...entries.values()].map((entry) => entry.request),
    reconsider: reconsiderAll,
    dispose() {
      disposed = true
      for (const entry of [...entries.values()]) entry.withdraw({})
    },
  }
}

const scopeOf = (answer: ConsentAnswer): { scope?: ConsentScope } => (answer.kind === 'allow' ? { scope: answer.scope } : {})

/** Whoever is only told of a question cannot make it fail. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch {
    // The question is open and every window knows it; that is what counts.
  }
}

async function unlessAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
