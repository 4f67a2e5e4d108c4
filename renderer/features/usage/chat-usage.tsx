// What one chat came to so far: tokens as the provider counted them, and their cost where it is known.

import type { HostEvent } from '#app/contract/events.ts'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useEventCount, useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { costLabel, readTokens } from './usage-labels.ts'

export const usageEvents: ReadonlySet<HostEvent['name']> = new Set(['usage.changed'])

export function ChatUsage({ conversationId }: { readonly conversationId: string }) {
  const { value: total } = useHostAnswer('usage.ofChat', { conversationId }, useEventCount(usageEvents))
  if (!total || total.requests === 0) return null
  const cost = costLabel(total)
  return (
    <p className="help num">
      {tx`This chat: ${formatCount(readTokens(total))} tokens read, ${formatCount(total.outputTokens)} written`}
      {cost === undefined ? '' : `, ${cost}`}. <a href="#/settings/usage">{t`All usage`}</a>
    </p>
  )
}
