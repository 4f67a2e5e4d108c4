// The frame of every request: the only bordered thing in a conversation. Its keys work while focus is inside it. Its heading
// takes focus (Command J), so Tab goes on through arguments, scopes and buttons in that order. How long the server goes on
// waiting, where it gave a time. No live region: it would talk over everything else. A server whose name another's can be taken
// for: the name is what the person goes by.
import { type ReactNode, type RefObject, useId, useMemo, useRef } from 'react'
import { consentPieces } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { lookAlikes } from '#app/server/look-alike.ts'
import { requestHeadingId } from '#renderer/navigation/focus.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { ServerMark } from '#renderer/ui/badges.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useKeptFocus } from '#renderer/ui/lib/use-kept-focus.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Pieces, ServerName } from '#renderer/ui/named-text.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { type RequestActions, useRequestKeys } from './request-keys.ts'
import { AnswerButtons } from './unseen-notice.tsx'
import { useScrolls } from './use-scrolls.ts'
import { useSeen } from './use-seen.ts'

export function LookAlikeName({ server }: { readonly server: string }) {
  const servers = useServers((state) => state.list)
  const others = useMemo(() => lookAlikes(new Set([server, ...servers.map(({ name }) => name)])).get(server), [server, servers])
  if (!others) return null
  const quoted = (name: string): string => `“${name}”`
  return (
    <Notice tone="warn" title={<VisibleText text={t`${quoted(server)} looks like ${others.map(quoted).join(', ')}.`} />}>
      {t`They are different servers. Read the name letter by letter: what you allow one is not allowed to the other.`}
    </Notice>
  )
}

/** "4 min", "40 s": whole ones, rounded up, so that none is promised that is not there for long. */
export const timeLeftLabel = (ms: number): string =>
  ms > 60_000 ? t`${Math.ceil(ms / 60_000)} min` : `${Math.max(1, Math.ceil(ms / 1000))} s`

export function TimeLeft({ request: { server, expiresAt } }: { readonly request: Pick<ConsentRequest, 'server' | 'expiresAt'> }) {
  const now = useNow(1000, expiresAt !== undefined)
  if (expiresAt === undefined) return null
  return (
    <p
      data-ticks=""
      className="help num"
    >{tx`${<ServerName name={server} />} waits ${timeLeftLabel(expiresAt - now)} more. After that it goes on without your answer.`}</p>
  )
}

interface AskFrameProps extends RequestActions {
  readonly request: ConsentRequest
  readonly card: RefObject<HTMLElement | null>
  /** Beside the heading, e.g. the tool's own name. */
  readonly beside?: ReactNode
  /** At the right end of the head. */
  readonly headActions?: ReactNode
  readonly children: ReactNode
  readonly footer: ReactNode
}

export function ConsentRequestFrame(props: AskFrameProps) {
  const { request, card, beside, headActions, children, footer } = props
  const bodyId = useId()
  const body = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLElement>(null)
  const scrolls = useScrolls(body)
  const seen = useSeen(head, body)
  useKeptFocus(card)
  const headingId = requestHeadingId(request.id)
  const onKeyDown = useRequestKeys(props)
  return (
    <section
      className="ask"
      ref={card}
      data-request={request.id}
      aria-labelledby={headingId}
      aria-describedby={bodyId}
      onKeyDown={onKeyDown}
    >
      <header ref={head}>
        <ServerMark name={request.server} />
        <h2 id={headingId} tabIndex={-1}>
          <Pieces pieces={consentPieces(request)} plain="" />
        </h2>
        {beside}
        <span className="grow" />
        {headActions}
      </header>
      <div className="body" id={bodyId} ref={body} tabIndex={scrolls ? 0 : undefined}>
        <LookAlikeName server={request.server} />
        {request.view && (
          <p className="dim">{tx`Not the model: what ${<VisibleText text={request.view.tool} />} shows in the chat asks for this.`}</p>
        )}
        {children}
        <TimeLeft request={request} />
      </div>
      <AnswerButtons seen={seen} requestId={request.id}>
        <footer>{footer}</footer>
      </AnswerButtons>
    </section>
  )
}
