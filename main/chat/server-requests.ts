// What servers ask of the host in the course of a call: each goes to the broker, in the conversation that it belongs to.
import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import type { AskedBy, ServerRequestHandlers } from '#main/servers/handlers.ts'
import type { ChatOptions } from './deps.ts'
import { INVALID_PARAMS, withOrigin } from './origin.ts'
import type { RunningCalls } from './running.ts'
import { sample } from './sampling.ts'
import type { ToldRoots } from './told-roots.ts'

export function createHandlers(deps: ChatOptions, running: RunningCalls, toldRoots: ToldRoots): ServerRequestHandlers {
  const { broker } = deps
  return {
    sampling: (params, by) => sample(deps, running, params, by),
    elicitation(params, by) {
      if (params.mode === 'url') return openPage(deps, running, params, by)
      const { message, requestedSchema } = params
      if (requestedSchema === undefined) throw protocolError(INVALID_PARAMS, 'requestedSchema is missing')
      return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
        const answer = await broker.elicitForm({
          ...origin,
          message,
          requestedSchema: requestedSchema as unknown as JsonObject,
          step: by.step,
        })
        if (answer.action !== 'accept') return { action: answer.action }
        // The broker lets only values of the form's schema through: strings, numbers, booleans, lists of strings.
        return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> }
      })
    },
    roots: toldRoots.tell,
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : t`the page`)

function openPage(deps: ChatOptions, running: RunningCalls, params: ElicitRequestURLParams, by: AskedBy): Promise<ElicitResult> {
  const { message, url } = params
  return withOrigin(running, by, async (origin): Promise<ElicitResult> => {
    // Who went there by themselves needs no link any more.
    const done = new AbortController()
    void by.finished?.then(() => done.abort())
    const answer = await deps.broker.elicitUrl({ ...origin, message, url, signal: AbortSignal.any([origin.signal, done.signal]) })
    if (answer.action !== 'accept') return { action: answer.action }
    if (!deps.openUrl) return { action: 'cancel' }
    const call = running.askedIn(by.server, by.callId)
    await deps.openUrl(answer.approval)
    if (by.finished !== undefined) call?.note(t`waits until you have finished at ${hostOf(url)}`)
    void by.finished?.then(() => call?.note(t`you have finished at ${hostOf(url)}`))
    return { action: 'accept' }
  })
}
