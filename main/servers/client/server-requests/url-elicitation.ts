// Pages that a server sent the person to (MCP 2025-11-25, "URL mode"), and its word that what they had to do there is done
// (`notifications/elicitation/complete`). Word of a page that nobody was sent to, or that came before, is not heard.

import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { isProtocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { IdleTimeout } from '#main/servers/transport/idle-timeout.ts'
import type { OpenServerRequests } from './server-request-handlers.ts'

/** The calls in flight on one connection: whose course a server's question belongs to, and whose time it stops. */
export interface RunningRequests {
  /** Returns its undo. */
  add(callId: string, idleTimeout: IdleTimeout): () => void
  /** Something else that waits for the server: its time stops too. Returns its undo. */
  watch(idleTimeout: IdleTimeout): () => void
  /** The one call in flight; undefined when there is none or more than one, for then nobody knows. */
  only(): string | undefined
  /** Something waits for the server. */
  busy(): boolean
  /** Stops the time of all until the returned function is called. */
  pause(): () => void
}

export function createRunningRequests(): RunningRequests {
  const running = new Map<string, IdleTimeout>()
  const others = new Set<IdleTimeout>()
  return {
    add(callId, patience) {
      running.set(callId, patience)
      return () => running.delete(callId)
    },
    watch(patience) {
      others.add(patience)
      return () => others.delete(patience)
    },
    only: () => (running.size === 1 ? running.keys().next().value : undefined),
    busy: () => running.size > 0 || others.size > 0,
    pause() {
      const resumes = [...running.values(), ...others].map((patience) => patience.pause())
      return () => {
        for (const resume of resumes) resume()
      }
    },
  }
}

export interface UrlElicitations {
  /** Resolves when the server says that it is done; the same for the same page. Undefined when there is nothing to tell it by. */
  finished(elicitationId: string): Promise<void> | undefined
  complete(elicitationId: string): void
}

/** Pages that are waited for at once. */
const most = 100

export function createUrlElicitations(): UrlElicitations {
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

interface UrlElicitationOptions {
  readonly server: string
  readonly pages: UrlElicitations
  readonly asks: OpenServerRequests
  readonly calls: RunningRequests
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly callId?: string | undefined
}

/** The pages that a refusal names (`URLElicitationRequiredError`); undefined: it is another refusal. */
export function urlElicitationsIn(error: unknown): JsonObject[] | undefined {
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
export async function completeUrlElicitations(listed: readonly JsonObject[], options: UrlElicitationOptions): Promise<HostError> {
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
