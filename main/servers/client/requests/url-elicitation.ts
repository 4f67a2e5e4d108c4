// Pages that a server sends the person to (MCP 2025-11-25, "URL mode"), and the notification that they have finished there
// (`notifications/elicitation/complete`). A notification for a page that nobody was sent to is ignored.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { doneWithin } from '#main/base/abort.ts'
import { isProtocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import type { RequestContext } from './request-context.ts'
import type { UrlElicitations } from './server-request-handlers.ts'

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

const mostAtOnce = 5
/** Milliseconds to wait for the notification, which is optional. */
const finishMs = 60_000

/** Returns the pages that a refusal names (`URLElicitationRequiredError`); undefined: it is another refusal. */
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

/** Puts the pages to the person, one after another, and waits a while for their end. Returns the error that the request fails with. */
export async function completeUrlElicitations(
  listed: readonly JsonObject[],
  { connection, signal, call }: RequestContext,
): Promise<HostError> {
  const { server, urlElicitations, serverRequests, running, clock } = connection
  const resume = running.pause()
  try {
    const finished: Promise<void>[] = []
    for (const params of listed.slice(0, mostAtOnce)) {
      const done = urlElicitations.finished(String(params['elicitationId']))
      const { action } = await serverRequests.answer({ method: 'elicitation/create', params }, { signal, call })
      signal.throwIfAborted()
      if (action !== 'accept')
        return new HostError('server.page-first', t`“${server}” needs a step on a page that was not opened.`, {
          data: { server, opened: false, finished: false },
        })
      if (done !== undefined) finished.push(done)
    }
    const all = finished.length > 0 && (await doneWithin(Promise.all(finished), clock, finishMs, signal))
    const message = all
      ? t`The step on the page of “${server}” is done. Try again.`
      : t`The page of “${server}” was opened. Ask whether the step is done.`
    return new HostError('server.page-first', message, { data: { server, opened: listed.length > 0, finished: all } })
  } finally {
    resume()
  }
}
