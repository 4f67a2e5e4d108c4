// Roots (MCP 2025-11-25, "Roots"). An approval counts once, for a conversation, or always, for the folders that it named: when one is
// added, the server asks again; when one is removed, it is told at once.
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ConsentBroker } from '../broker-api.ts'
import { type BrokerContext, requestBase } from '../broker-context.ts'
import type { Settled } from '../request-queue.ts'

export async function askRoots(context: BrokerContext, question: Parameters<ConsentBroker['roots']>[0]): Promise<boolean> {
  const { server, conversationId } = question
  const roots = structuredClone([...question.roots])
  const agreedTo = (): string[] => {
    const known = context.rules
      .sharedFolders(server)
      .filter((told) => told.conversationId === undefined || told.conversationId === conversationId)
    const uris = new Set(known.flatMap((told) => told.uris))
    return roots.flatMap(({ uri }) => (uris.has(uri) ? [uri] : []))
  }
  const agreed = agreedTo()
  const request: ConsentRequestOf<'roots'> = {
    ...requestBase(context, question, { kind: 'server-asks' }),
    kind: 'roots',
    roots,
    ...(agreed.length > 0 ? { agreed } : {}),
    ...(question.missing?.length ? { missing: [...question.missing] } : {}),
  }
  const answered = (): Settled<boolean> | undefined => {
    if (agreedTo().length < roots.length) return undefined
    context.audit.decided(request, 'allowed', 'rule')
    return { outcome: 'allowed', value: true }
  }
  const settled = question.signal.aborted ? undefined : answered()
  if (settled) return settled.value
  return context.queue.ask<boolean>({
    request,
    origin: question,
    withdrawn: false,
    reconsider: answered,
    settle(answer, by) {
      const allowed = answer.kind === 'allow'
      const scope = allowed ? answer.scope : 'once'
      if (scope === 'conversation' && conversationId === undefined) throw new HostError('contract.invalid', t`This belongs to no chat.`)
      context.audit.decided(request, allowed ? 'allowed' : 'denied', by, allowed ? { scope } : {})
      if (scope !== 'once')
        context.rules.addSharedFolders(server, {
          uris: roots.map(({ uri }) => uri),
          ...(scope === 'conversation' ? { conversationId } : {}),
        })
      return { outcome: allowed ? 'allowed' : 'denied', value: allowed }
    },
  })
}
