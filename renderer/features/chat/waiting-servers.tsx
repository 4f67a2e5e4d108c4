// The turn waits for servers to start for the first time: which, and the way to an answer without them.
import type { ReactNode } from 'react'
import type { Activity } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { focusComposer } from '#renderer/shell/focus.ts'
import { useActions, useConsent } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Dot, Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { listNodes, tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'

interface WaitingServersProps {
  readonly conversationId: string
  readonly activity: Activity
}

/** More are counted. */
const mostNamed = 3

function namesOf(names: readonly string[]): ReactNode[] {
  const shown = names.length > mostNamed + 1 ? names.slice(0, mostNamed) : names
  const more = names.length - shown.length
  return [
    ...shown.map((name) => (
      <b key={name}>
        <Revealed text={name} />
      </b>
    )),
    ...(more > 0 ? [t`${more} more`] : []),
  ]
}

/** A start that takes no longer is not worth a word. */
const quickMs = 1000

export function WaitingServers({ conversationId, activity }: WaitingServersProps) {
  const actions = useActions()
  const servers = (activity.kind === 'working' || activity.kind === 'waiting' ? activity.servers : undefined) ?? []
  const asked = servers.filter((server) => server.asked).map(({ name }) => name)
  // Asked for in another chat, or in none: the card does not stand here.
  const elsewhere = useConsent((state) =>
    state.requests.some(
      ({ kind, server, conversationId: at }) =>
        (kind === 'launch' || kind === 'sign-in') && asked.includes(server) && at !== conversationId,
    ),
  )
  const quick = asked.length === 0 && activity.kind === 'working' && activity.compacting === undefined
  const now = useNow(quickMs, quick && servers.length > 0)
  if (servers.length === 0 || (quick && activity.kind === 'working' && now - activity.since < quickMs)) return null
  const names = servers.map(({ name }) => name)
  return (
    <p className="waitbar" role="status">
      {asked.length > 0 ? <Dot tone="you" /> : <Spinner />}
      <span className="words">{tx`Waits for ${listNodes(namesOf(names))} to start.`}</span>
      <span className="grow" />
      {elsewhere && (
        <LinkButton size="sm" variant="ghost" href={hrefOf({ page: 'requests' })}>
          {t`Show request`}
        </LinkButton>
      )}
      <Button
        size="sm"
        onClick={() => {
          actions.answerWithout(conversationId)
          // The bar goes, and with it what had focus.
          focusComposer()
        }}
      >
        {names.length > 1 ? t`Answer without them` : t`Answer without it`}
      </Button>
    </p>
  )
}
