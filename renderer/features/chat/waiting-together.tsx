// Several calls of this chat wait: the way to the list of them, where they can be answered together. Each has its card
// in the chat all the same.
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Dot } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'

export function WaitingTogether({ conversationId }: { readonly conversationId: string }) {
  const calls = useConsent(
    (state) => state.requests.filter((request) => request.kind === 'tool-call' && request.conversationId === conversationId).length,
  )
  if (calls < 2) return null
  return (
    <p className="waitbar">
      <Dot tone="you" /> {tx`${calls} calls wait for you.`}
      <span className="grow" />
      <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'requests' })}>
        {t`See them as a list`}
      </LinkButton>
    </p>
  )
}
