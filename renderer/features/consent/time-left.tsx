// How long the server goes on waiting, where it gave a time. No live region: it would talk over everything else.

import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'

/** "4 min", "40 s": whole ones, rounded up, so that none is promised that is not there for long. */
export const leftWords = (ms: number): string => (ms > 60_000 ? t`${Math.ceil(ms / 60_000)} min` : `${Math.max(1, Math.ceil(ms / 1000))} s`)

export function TimeLeft({ request: { server, expiresAt } }: { readonly request: Pick<ConsentRequest, 'server' | 'expiresAt'> }) {
  const now = useNow(1000, expiresAt !== undefined)
  if (expiresAt === undefined) return null
  return (
    <p
      data-ticks=""
      className="help num"
    >{tx`${<ServerName name={server} />} waits ${leftWords(expiresAt - now)} more. After that it goes on without your answer.`}</p>
  )
}
