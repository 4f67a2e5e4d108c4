// A view that reaches beyond this machine, before it is drawn for the first time: where to.

import { useId, useRef } from 'react'
import { t } from '#app/words/translate.ts'
import { AllowButton, DenyButton } from '#renderer/features/consent/answer-buttons.tsx'
import { Answers } from '#renderer/features/consent/unseen.tsx'
import { useArming } from '#renderer/features/consent/use-arming.ts'
import { useSeen } from '#renderer/features/consent/use-seen.ts'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { AskingView } from './use-tool-view.ts'
import { ViewReach } from './view-reach.tsx'

interface ViewAsksProps {
  readonly view: AskingView
  readonly tool: string
  readonly onShow: () => void
  readonly onHide: () => void
}

export function ViewAsks({ view, tool, onShow, onHide }: ViewAsksProps) {
  const card = useRef<HTMLElement>(null)
  const head = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const seen = useSeen(head, body)
  const headingId = useId()
  const arming = useArming(card, view.fingerprint)
  return (
    <section className="ask" ref={card} aria-labelledby={headingId}>
      <header ref={head}>
        <ServerMark name={view.server} />
        <h2 id={headingId}>{tx`${<ServerName name={view.server} />} wants to show what ${<Revealed text={tool} />} gave`}</h2>
      </header>
      <div className="body" ref={body}>
        <p className="dim">
          {t`It draws it itself, in a frame that cannot reach this page. What it knows it can send to the places that it talks to, and who gives it its parts learns that you look at it.`}
        </p>
        <ViewReach {...view} />
        <p className="dim">{t`You are asked again when it is another one.`}</p>
      </div>
      <Answers seen={seen}>
        <footer>
          <AllowButton arming={arming} onPress={onShow}>
            {t`Show it`}
          </AllowButton>
          <DenyButton onPress={onHide}>{t`Don’t show it`}</DenyButton>
        </footer>
      </Answers>
    </section>
  )
}
