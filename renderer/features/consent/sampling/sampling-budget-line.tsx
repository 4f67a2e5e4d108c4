import type { SamplingDay } from '#app/consent/rules/sampling-budget.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/visible-text.tsx'

/** Tokens that a server's sampling requests used today, of its daily budget, as a term and its value. */
export function SamplingBudgetLine({ server, day }: { readonly server: string; readonly day: SamplingDay }) {
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
