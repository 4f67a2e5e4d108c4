// What a server has had of the model today, beside what it may have.

import type { SamplingDay as Day } from '#app/consent/sampling-terms.ts'
import { numberWords } from '#app/words/formats.ts'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'

/** A term and its value, for a list of them. */
export function SamplingDay({ server, day }: { readonly server: string; readonly day: Day }) {
  const { used, budget } = day
  const share = Math.min(100, (used / budget.tokensPerDay) * 100)
  return (
    <>
      <dt>{tx`Today, ${<ServerName name={server} />}`}</dt>
      <dd className="num">
        {tx`${numberWords(used)} of ${numberWords(budget.tokensPerDay)} tokens ${(
          <span className="track day-track" aria-hidden="true">
            <i style={{ width: `${share}%` }} />
          </span>
        )}`}
      </dd>
    </>
  )
}
