// What a server has had of the model today, beside what it may have.

import type { SamplingDay as Day } from '#app/consent/rules/sampling-budget.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'

/** A term and its value, for a list of them. */
export function SamplingBudgetLine({ server, day }: { readonly server: string; readonly day: Day }) {
  const { used, budget } = day
  const share = Math.min(100, (used / budget.tokensPerDay) * 100)
  return (
    <>
      <dt>{tx`Today, ${<ServerName name={server} />}`}</dt>
      <dd className="num">
        {tx`${formatNumber(used)} of ${formatNumber(budget.tokensPerDay)} tokens ${(
          <span className="track day-track" aria-hidden="true">
            <i style={{ width: `${share}%` }} />
          </span>
        )}`}
      </dd>
    </>
  )
}
