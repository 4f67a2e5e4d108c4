// Why a server that is wanted is not started.
import type { Decision } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { crashWindowMs, startsBeforeAsking } from '#app/server/next-state.ts'
import type { ServerState } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'

/** Says that the person refused only when they did: on the command line, an option may have. */
export function refused(name: string, { by, word }: Pick<Decision, 'by' | 'word'> = { by: 'person' }): HostError {
  const message =
    by === 'person'
      ? t`You did not allow “${name}” to be started.`
      : [t`“${name}” was not allowed to start.`, word ?? ''].join(' ').trimEnd()
  return new HostError('server.refused', message, { data: { server: name } })
}

export const stoppedError = (name: string): HostError =>
  new HostError('server.stopped', t`“${name}” was stopped.`, { data: { server: name } })

/** The model reads it too: it must learn that asking again is of no use. */
export function inLoop(name: string, { error, exit }: Extract<ServerState, { kind: 'failed' }>): HostError {
  const message = t`“${name}” failed ${startsBeforeAsking} times within ${crashWindowMs / 60_000} minutes and is not started again by a call: only a person can do that, with “Try again” on its page. The last time: ${error.message}`
  const stderr = error.data?.['stderr']
  return new HostError('server.crash-loop', message, {
    data: { server: name, reason: error.code, ...(stderr === undefined ? {} : { stderr }), ...(exit ? { exit: { ...exit } } : {}) },
  })
}
