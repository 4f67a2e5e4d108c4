// Pages that a server sent the person to (MCP 2025-11-25, "URL mode"), and its word that what they had to do there is done
// (`notifications/elicitation/complete`). Word of a page that nobody was sent to, or that came before, is not heard.
import { HostError } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { Asks } from './asks.ts'
import type { RunningCalls } from './running-calls.ts'

export interface Pages {
  /** Resolves when the server says that it is done; the same for the same page. Undefined when there is nothing to tell it by. */
  finished(elicitationId: string): Promise<void> | undefined
  complete(elicitationId: string): void
}

/** Pages that are waited for at once. */
const most = 100

export function createPages(): Pages {
  const open = new Map<string, PromiseWithResolvers<void>>()
  return {
    finished(elicitationId) {
      if (elicitationId === '') return undefined
      const known = open.get(elicitationId)
      if (known) return known.promise
      if (open.size >= most) return undefined
      const page = Promise.withResolvers<void>()
      open.set(elicitationId, page)
      return page.promise
    },
    complete(elicitationId) {
      open.get(elicitationId)?.resolve()
      open.delete(elicitationId)
    },
  }
}

/** Of one refusal. */
const mostAtOnce = 5
/** The notice is optional: after this, nobody knows whether the person has finished. */
const patienceMs = 60_000

export interface PagesFirstOptions {
  readonly server: string
  readonly pages: Pages
  readonly asks: Asks
  readonly calls: RunningCalls
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly callId?: string | undefined
}

/** The pages that a refusal names (`URLElicitationRequiredError`); undefined: it is another refusal. */
export function pagesIn(error: unknown): JsonObject[] | undefined {
  if (!isProtocolError(error) || error.code !== protocolErrorCodes.urlElicitationRequired) return undefined
  const data = error.data as Json | undefined
  const listed = isJsonObject(data) && Array.isArray(data['elicitations']) ? (data['elicitations'] as readonly Json[]) : []
  const seen = new Set<Json>()
  return listed.filter((page): page is JsonObject => {
    if (!isJsonObject(page) || page['mode'] !== 'url' || typeof page['elicitationId'] !== 'string') return false
    const known = seen.has(page['elicitationId'])
    seen.add(page['elicitationId'])
    return !known
  })
}

/**
 * Puts the pages to the person, one after another, and waits a while for the server's word that they have finished. What
 * was asked for is never asked again by itself: the error says that it may be.
 */
export async function pagesFirst(listed: readonly JsonObject[], options: PagesFirstOptions): Promise<HostError> {
  const { server, pages, asks, calls, clock, signal, callId } = options
  const resume = calls.pause()
  try {
    const finished: Promise<void>[] = []
    for (const params of listed.slice(0, mostAtOnce)) {
      const done = pages.finished(String(params['elicitationId']))
      const { action } = await asks.answer({ method: 'elicitation/create', params }, { signal, callId })
      signal.throwIfAborted()
      if (action !== 'accept')
        return new HostError('server.page-first', t`“${server}” wants something done on a page first, and the page was not opened.`, {
          data: { server, opened: false, finished: false },
        })
      if (done !== undefined) finished.push(done)
    }
    const all = finished.length > 0 && (await within(Promise.all(finished), clock, signal))
    const message = all
      ? t`“${server}” wanted something done on a page first. That is done: it can be asked again.`
      : t`“${server}” wants something done on a page first. The page was opened, but nobody knows whether it is done: ask the person before it is asked again.`
    return new HostError('server.page-first', message, { data: { server, opened: listed.length > 0, finished: all } })
  } finally {
    resume()
  }
}

/** Whether it comes in time. Throws the signal's reason. */
function within(work: Promise<unknown>, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      cancel()
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const cancel = clock.after(patienceMs, () => settle(() => resolve(false)))
    signal.addEventListener('abort', onAbort, { once: true })
    void work.then(() => settle(() => resolve(true)))
  })
}
