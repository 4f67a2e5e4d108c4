import { useEffect, useRef } from 'react'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { Badge, Dot, ServerMark, Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { addressOf, failureView } from './failure-view.ts'
import { issuerHost } from './sign-in-words.ts'
import { countsTime, formatTokens, idleWords, startingWords, stateWord, toolsWords } from './state-words.ts'

/** The second line: what is wrong, what it is at, or what it offers. */
function SecondLine({ server, now }: { readonly server: ServerView; readonly now: number }) {
  const { state, definition, session, signIn } = server
  if (signIn?.kind === 'waiting') return <span className="d cut">{tx`Sign-in at ${issuerHost(signIn.issuer)}`}</span>
  if (state.kind === 'failed' && !state.offline) {
    const { short } = failureView(state)
    const address = state.error.code === 'server.sign-in-needed' ? addressOf(definition) : undefined
    return <span className="d cut">{address ?? short}</span>
  }
  if (state.kind === 'waiting')
    return <span className="d cut">{definition.transport === 'stdio' ? t`Asks whether it may run` : t`Asks whether it may connect`}</span>
  if (state.kind === 'starting') return <span className="d cut">{startingWords(server, now)}</span>
  if (state.kind !== 'ready' && state.kind !== 'stopping') return <span className="d cut">{idleWords(server)}</span>
  const known = state.kind === 'ready' ? state.session : session
  return (
    <span className="d row server-facts">
      {known ? <Badge mono>{known.protocolVersion}</Badge> : null}
      {known?.era === 'legacy' ? <Badge>{t`legacy`}</Badge> : null}
      <span className="num">
        {toolsWords(server)} · {formatTokens(server.tokens)}
        <span className="unit"> {t`tokens`}</span>
      </span>
      {server.warnings.length > 0 ? <Badge tone="warn">{t`read this`}</Badge> : null}
    </span>
  )
}

export interface ServerRowProps {
  readonly server: ServerView
  readonly selected: boolean
  readonly href: string
}

export function ServerRow({ server, selected, href }: ServerRowProps) {
  const now = useNow(1000, countsTime(server))
  const { dot, word } = stateWord(server, now)
  const row = useRef<HTMLAnchorElement | null>(null)
  // Also where a change of its state moves it to another group.
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <a ref={row} className="item" href={href} aria-current={selected ? 'page' : undefined} data-server={server.name}>
      <ServerMark name={server.name} />
      <span className="t">
        <span className="cut">{server.name}</span>
      </span>
      <span className="state">
        {dot === 'ring' ? <Spinner /> : <Dot tone={dot} />}
        <span className="when num">{word}</span>
      </span>
      <SecondLine server={server} now={now} />
    </a>
  )
}
