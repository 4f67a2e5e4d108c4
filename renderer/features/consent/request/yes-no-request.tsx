// A question that takes yes or no and nothing else: one frame, one pause before the yes, one place where it is sent.
import { type ReactNode, useRef } from 'react'
import type { ConsentRequest, ConsentScope } from '#app/consent/request.ts'
import { AllowButton, DenyButton, SkipButton } from './answer-buttons.tsx'
import { ConsentRequestFrame } from './request-frame.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'

interface YesNoAskProps {
  readonly request: ConsentRequest
  /** What the yes is for: another one begins the pause anew. */
  readonly about: string
  /** What a yes holds for. */
  readonly scope: ConsentScope
  /** Something is wrong with it: the yes is not the button to press. */
  readonly plain: boolean
  readonly yes: ReactNode
  readonly no: string
  /** It can go on waiting while the person does something else. */
  readonly later: boolean
  readonly children: ReactNode
}

export function YesNoRequest({ request, about, scope, plain, yes, no, later, children }: YesNoAskProps) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const arming = useArming(card, about)
  const allow = (): void => {
    if (!busy && arming.mayPress()) answer({ kind: 'allow', scope })
  }
  const deny = (): void => answer({ kind: 'deny' })
  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      onAllow={allow}
      onDeny={deny}
      footer={
        <>
          <AllowButton arming={arming} plain={plain} blocked={busy} chord={allowChord} onPress={allow}>
            {yes}
          </AllowButton>
          <DenyButton chord={denyChord} onPress={deny}>
            {no}
          </DenyButton>
          <span className="grow" />
          {later ? <SkipButton /> : null}
        </>
      }
    >
      {children}
    </ConsentRequestFrame>
  )
}
