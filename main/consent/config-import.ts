// Servers that the person takes over from another program: one question for all of them, with the exact commands. A yes
// writes them and starts nothing; the launch of each is asked for by itself.
import type { ConfigImportRequest } from '#app/consent/request.ts'
import { type Kit, requestBase } from './kit.ts'
import { refuse } from './refusal.ts'
import type { ConfigImportQuestion } from './types.ts'

type Outcome = 'allowed' | 'denied' | 'withdrawn'

export function askConfigImport(kit: Kit, { from, servers, signal }: ConfigImportQuestion): Promise<Outcome> {
  const request: ConfigImportRequest = {
    ...requestBase(kit, { server: from, signal }, { kind: 'person-asks' }),
    kind: 'config-import',
    servers: [...servers],
  }
  return kit.queue.ask<Outcome>({
    request,
    signal,
    withdrawn: 'withdrawn',
    settle(answer, by) {
      if (answer.kind !== 'allow') return { outcome: refuse(kit, request, answer, by).outcome, value: 'denied' }
      kit.record.decided(request, 'allowed', by, { scope: 'once' })
      return { outcome: 'allowed', value: 'allowed' }
    },
  })
}
