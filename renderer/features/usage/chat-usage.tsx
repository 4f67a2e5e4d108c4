// What one chat came to so far: tokens as the provider counted them, and what they cost where that is known.
import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { UsageTotal } from '#app/models/usage.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { costLabel, formatCompactTokens, readTokens } from './usage-labels.ts'

export function ChatUsage({ conversationId }: { readonly conversationId: string }) {
  const total = useChatTotal(conversationId)
  if (!total || total.requests === 0) return null
  const cost = costLabel(total)
  return (
    <p className="help num">
      {tx`So far in this chat: ${formatCompactTokens(readTokens(total))} tokens read, ${formatCompactTokens(total.outputTokens)} written`}
      {cost === undefined ? '' : `, ${cost}`}. <a href="#/settings/usage">{t`All usage`}</a>
    </p>
  )
}

/** Undefined: not known yet. As of now: asked for again when something was counted. */
function useChatTotal(conversationId: string): UsageTotal | undefined {
  const { attempt } = useActions()
  const { hostConnection } = useStores()
  const [total, setTotal] = useState<UsageTotal | undefined>(undefined)
  useEffect(() => {
    let open = true
    const look = async (): Promise<void> => {
      const outcome = await attempt('usage.ofChat', { conversationId })
      if (open && outcome.ok) setTotal(outcome.value)
    }
    const stop = hostConnection.onEvent(({ name }) => {
      if (name === 'usage.changed') void look()
    })
    void look()
    return () => {
      open = false
      stop()
    }
  }, [attempt, hostConnection, conversationId])
  return total
}
