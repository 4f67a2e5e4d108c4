// Requests about what the sandbox of a server refused. Every answer is on record before it holds.
import { isDeepStrictEqual } from 'node:util'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { parseHostPattern } from '#app/server/sandbox/host-pattern.ts'
import {
  type AnswerEffect,
  type AttemptAnswer,
  type AttemptTarget,
  answeredGrants,
  hostPatternOf,
  type ListedAttempt,
} from '#app/server/sandbox/sandbox-report.ts'
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
  if (!listed) throw refuse(t`That is not in the list of what was blocked for “${name}”. Open its page again.`)
  if (answer === 'keep') return listed
  if (listed.allowance === 'never') throw refuse(t`No server may use ${attempt.target}.`)
  if (listed.allowance === 'review' && reviewed !== true) throw refuse(t`${attempt.target} is only allowed after a review.`)
  return listed
}

/**
 * Keeps an answer with the approved launch. A refusal that cannot be kept there, since nothing is approved for good, still stands in the
 * list of attempts.
 */
async function keepAnswer(
  { servers, broker }: HostContext,
  name: string,
  attempt: AttemptTarget,
  answer: 'always' | 'keep',
): Promise<void> {
  // What is no host, or not shown whole, is refused as it is.
  if (answer === 'keep' && attempt.kind === 'host' && !parseHostPattern(hostPatternOf(attempt))) return
  const kept = broker.approvedSandbox(name)
  if (kept?.kind !== 'on') {
    if (answer === 'keep') return
    throw new HostError('server.sandbox-attempt', t`“${name}” has no approved sandbox to change. Start it, and allow it there.`, {
      data: { server: name },
    })
  }
  const { kind, ownFolder: _own, asked: _asked, ...grants } = kept
  await servers.setSandbox(name, { kind, grants: answeredGrants(grants, attempt, answer === 'keep' ? 'deny' : 'allow') })
}

export function sandboxHandlers(context: HostContext) {
  const { servers, store } = context
  return {
    'server.sandboxAttempts': ({ name }) => servers.sandboxAttempts(knownServer(context, name)),
    'server.clearSandboxAttempts'({ name }) {
      store.audit.append({ kind: 'config', server: knownServer(context, name), decision: 'sandbox-attempts-cleared', by: 'person' })
      servers.clearSandboxAttempts(name)
    },
    async 'server.answerSandboxAttempt'(asked): Promise<AnswerEffect> {
      const { name, answer, reviewed } = asked
      knownServer(context, name)
      const { kind, target, port, allowance } = answerable(context, asked)
      const attempt = { kind, target, ...(port === undefined ? {} : { port }) }
      if (answer !== 'once') await keepAnswer(context, name, attempt, answer)
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
