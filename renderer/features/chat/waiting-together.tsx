// Several calls of this chat wait: the way to the list of them, where they can be answered together. Each has its card
// in the chat all the same.
import { hrefOf } from '#renderer/router.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Dot } from '#renderer/ui/marks.tsx'

export function WaitingTogether({ conversationId }: { readonly conversationId: string }) {
  const calls = useConsent(
    (state) => state.requests.filter((request) => request.kind === 'tool-call' && request.conversationId === conversationId).length,
  )
  if (calls < 2) return null
  return (
    <p className="waitbar">
      <Dot tone="you" /> {calls} calls wait for you.
      <span className="grow" />
      <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'requests' })}>
        See them as a list
      </LinkButton>
    </p>
  )
}
