// Requests about what the sandbox of a server refused. Every answer is on record before it holds.
import { isDeepStrictEqual } from 'node:util'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { AnswerEffect, AttemptAnswer, ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { type HandlersOf, type HostContext, knownServer } from '../request-handlers.ts'

type Answer = RequestInput<'server.answerSandboxAttempt'>

/** @throws {HostError} `server.sandbox-attempt` */
function answerable({ servers }: HostContext, { name, attempt, answer, reviewed }: Answer): ListedAttempt {
  const listed = servers
    .sandboxAttempts(name)
    .attempts.find(
      ({ kind, target, port, refused }) =>
        refused !== undefined && isDeepStrictEqual({ kind, target, port }, { port: undefined, ...attempt }),
    )
  const refuse = (message: string): HostError =>
    new HostError('server.sandbox-attempt', message, { data: { server: name, target: attempt.target } })
  if (!listed) throw refuse(t`“${name}” was refused nothing of that name.`)
  if (answer === 'keep') return listed
  if (answer === 'always') throw refuse(t`Kept permissions of “${name}” are changed on its page.`)
  if (listed.allowance === 'never') throw refuse(t`No answer allows “${name}” to use ${attempt.target}.`)
  if (listed.allowance === 'review' && reviewed !== true) throw refuse(t`${attempt.target} is only allowed after a review.`)
  return listed
}

export function sandboxHandlers(context: HostContext) {
  const { servers, store } = context
  return {
    'server.sandboxAttempts': ({ name }) => servers.sandboxAttempts(knownServer(context, name)),
    'server.clearSandboxAttempts'({ name }) {
      store.audit.append({ kind: 'config', server: knownServer(context, name), decision: 'sandbox-attempts-cleared', by: 'person' })
      servers.clearSandboxAttempts(name)
    },
    'server.answerSandboxAttempt'(asked): AnswerEffect {
      const { name, answer, reviewed } = asked
      knownServer(context, name)
      const { kind, target, port, allowance } = answerable(context, asked)
      const attempt = { kind, target, ...(port === undefined ? {} : { port }) }
      store.audit.append({
        kind: 'config',
        server: name,
        decision: decisions[answer],
        by: 'person',
        detail: { ...attempt, ...(allowance === 'review' && reviewed ? { reviewed } : {}) },
      })
      return { holds: servers.answerSandboxAttempt(name, attempt, answer) }
    },
  } satisfies Partial<HandlersOf<'server'>>
}

const decisions = { once: 'sandbox-allowed-once', always: 'sandbox-allowed', keep: 'sandbox-kept-blocked' } as const satisfies Record<
  AttemptAnswer,
  string
>
