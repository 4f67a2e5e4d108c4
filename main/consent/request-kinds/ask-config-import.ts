// Imports: one question for all servers of other apps, with their exact commands, and the starts that their approval covers. What is
// shown of a start is what its launch request shows; an approval is bound to it in the same way, and nothing is started.
import type { ConfigImportRequest, ConsentAnswer } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ConfigImportQuestion, ConfigImportVerdict } from '../broker-api.ts'
import { type BrokerContext, refuse, requestBase } from '../broker-context.ts'
import type { AnsweredBy } from '../request-queue.ts'
import { approveReviewed, prepareLaunch } from './ask-launch.ts'

type Allowed = Extract<ConsentAnswer, { kind: 'allow' }>

/** The starts that the person is shown; a command's policy is asked about each when it starts. */
const prepareAll = ({ servers }: ConfigImportQuestion, context: BrokerContext) =>
  Promise.all(
    servers.map(async ({ launch, ...shown }) => {
      const question = context.asksPerson ? await launch?.() : undefined
      return { shown, prepared: question && (await prepareLaunch(context, question)) }
    }),
  )
type Reviewed = Awaited<ReturnType<typeof prepareAll>>

export async function askConfigImport(context: BrokerContext, question: ConfigImportQuestion): Promise<ConfigImportVerdict> {
  const { from, signal, joined } = question
  const reviewed = await prepareAll(question, context)
  if (signal.aborted) return { outcome: 'withdrawn' }
  const request: ConfigImportRequest = {
    ...requestBase(context, { server: from, signal, joined }, { kind: 'person-asks' }),
    kind: 'config-import',
    servers: reviewed.map(({ shown, prepared }) => ({ ...shown, ...defined({ launch: prepared?.request }) })),
  }
  return context.queue.ask<ConfigImportVerdict>({
    request,
    origin: { signal },
    withdrawn: { outcome: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind === 'allow') return { outcome: 'allowed', value: settleImport({ context, request, reviewed }, answer, by) }
      return { outcome: refuse(context, request, answer, by).outcome, value: { outcome: 'denied' } }
    },
  })
}

interface AskedImport {
  readonly context: BrokerContext
  readonly request: ConfigImportRequest
  readonly reviewed: Reviewed
}

/** @throws {HostError} `contract.invalid` for a server that was not shown, and what its sandbox throws */
function settleImport({ context, request, reviewed }: AskedImport, { imports }: Allowed, by: AnsweredBy): ConfigImportVerdict {
  const isWanted = (name: string): boolean => imports === undefined || Object.hasOwn(imports, name)
  const wanted = reviewed.filter(({ shown }) => isWanted(shown.name))
  const unknown = Object.keys(imports ?? {}).filter((name) => !wanted.some(({ shown }) => shown.name === name))
  if (unknown.length > 0 || wanted.length === 0)
    throw new HostError('contract.invalid', t`The answer names servers that were not shown: ${unknown.join(', ')}.`)
  const approved = wanted.map(({ shown: { name }, prepared }) => {
    const choice = by === 'person' ? imports?.[name] : undefined
    return { name, start: choice && prepared && approveReviewed(prepared, choice.sandbox) }
  })
  const shownOf = (name: string) => request.servers.filter((one) => one.name === name)
  // Audited first: what cannot be audited is not allowed.
  context.audit.decided({ ...request, servers: wanted.flatMap(({ shown }) => shownOf(shown.name)) }, 'allowed', by, {
    scope: 'once',
    ...(imports ? { servers: Object.keys(imports) } : {}),
  })
  for (const { start } of approved) start?.audit(request.id)
  return { outcome: 'allowed', approved: new Map(approved.map(({ name, start }) => [name, start && { keep: start.keep }])) }
}
