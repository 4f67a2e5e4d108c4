// What one chat came to so far: tokens as the provider counted them, and their cost where it is known.

import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { onEvents } from '#renderer/ui/lib/on-events.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { costLabel, readTokens } from './usage-labels.ts'

export function ChatUsage({ conversationId }: { readonly conversationId: string }) {
  const { value: total } = useHostAnswer('usage.ofChat', { conversationId }, useUsageChanges())
  if (!total || total.requests === 0) return null
  const cost = costLabel(total)
  return (
    <p className="help num">
      {tx`This chat: ${formatCount(readTokens(total))} tokens read, ${formatCount(total.outputTokens)} written`}
      {cost === undefined ? '' : `, ${cost}`}. <a href="#/settings/usage">{t`All usage`}</a>
    </p>
  )
}

const usageEvents = new Set(['usage.changed'])

/** Counts the changes of the usage while the page is open; answers within 300 ms count as one. */
export function useUsageChanges(): number {
  const { hostConnection } = useStores()
  const [changes, setChanges] = useState(0)
  useEffect(() => onEvents(hostConnection, usageEvents, 300, () => setChanges((count) => count + 1)), [hostConnection])
  return changes
}
