// What one chat came to so far: tokens as the provider counted them, and what they cost where that is known.
import { useEffect, useState } from 'react'
import type { UseTotal } from '#app/chat/usage.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { costWords, formatTokens, readTokens } from './use-words.ts'

export function ChatUse({ conversationId }: { readonly conversationId: string }) {
  const total = useChatTotal(conversationId)
  if (!total || total.requests === 0) return null
  const cost = costWords(total)
  return (
    <p className="help num">
      {tx`So far in this chat: ${formatTokens(readTokens(total))} tokens read, ${formatTokens(total.outputTokens)} written`}
      {cost === undefined ? '' : `, ${cost}`}. <a href="#/settings/usage">{t`All usage`}</a>
    </p>
  )
}

/** Undefined: not known yet. As of now: asked for again when something was counted. */
function useChatTotal(conversationId: string): UseTotal | undefined {
  const { attempt } = useActions()
  const { link } = useStores()
  const [total, setTotal] = useState<UseTotal | undefined>(undefined)
  useEffect(() => {
    let open = true
    const look = async (): Promise<void> => {
      const outcome = await attempt('usage.ofChat', { conversationId })
      if (open && outcome.ok) setTotal(outcome.value)
    }
    const stop = link.onEvent(({ name }) => {
      if (name === 'usage.changed') void look()
    })
    void look()
    return () => {
      open = false
      stop()
    }
  }, [attempt, link, conversationId])
  return total
}
