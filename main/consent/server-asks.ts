// What a server wants of the host itself: the names of the person's folders.
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { type Kit, requestBase } from './kit.ts'
import type { ConsentBroker } from './types.ts'

const why = { kind: 'server-asks' } as const

export async function askRoots(kit: Kit, question: Parameters<ConsentBroker['roots']>[0]): Promise<boolean> {
  const request: ConsentRequestOf<'roots'> = {
    ...requestBase(kit, question, why),
    kind: 'roots',
    roots: structuredClone([...question.roots]),
  }
  return kit.queue.ask<boolean>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: false,
    settle(answer, by) {
      const allowed = answer.kind === 'allow'
      kit.record.decided(request, allowed ? 'allowed' : 'denied', by)
      return { outcome: allowed ? 'allowed' : 'denied', value: allowed }
    },
  })
}
