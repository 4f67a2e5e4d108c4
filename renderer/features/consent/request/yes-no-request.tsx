// A request that takes yes or no: one frame, one pause before the yes, one place that sends the answer.
import { type ComponentProps, type ReactNode, useContext, useRef } from 'react'
import type { ConsentAnswer } from '#app/consent/request.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { Button, GhostButton } from '#renderer/ui/button.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { ConsentRequestFrame } from './request-frame.tsx'
import { InDock, useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'

type FrameProps = Pick<ComponentProps<typeof ConsentRequestFrame>, 'request' | 'beside' | 'headActions' | 'onEdit' | 'children'>

interface YesNoRequestProps extends FrameProps {
  /** Everything that the yes is for: a change restarts the pause before it. */
  readonly content: string
  /** Scope and changes that the yes is sent with. Default: for this once. */
  readonly allowed?: Omit<Extract<ConsentAnswer, { kind: 'allow' }>, 'kind'>
  /** Something looks wrong: the yes is not the highlighted button. */
  readonly plain: boolean
  /** The yes cannot be given. */
  readonly impossible?: boolean
  readonly yes: ReactNode
  readonly no?: string | undefined
  readonly noFirst?: boolean
  readonly actions?: ReactNode
  /** Sentence about a missing part of the yes. */
  readonly problem?: string | undefined
  /** Says why the host did not take the answer; default: a toast. */
  readonly onFailed?: (error: ErrorValue) => void
  readonly lastActions?: ReactNode
  /** Whether it can be cancelled: the server gets no answer. */
  readonly cancellable?: boolean
}

export function YesNoRequest(props: YesNoRequestProps) {
  const {
    content,
    allowed = { scope: 'once' },
    plain,
    impossible,
    yes,
    no,
    noFirst,
    actions,
    problem,
    lastActions,
    cancellable,
    onFailed,
    ...frame
  } = props
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(frame.request, undefined, onFailed)
  const arming = useArming(card, content)
  const blocked = busy || impossible === true
  const allow = (): void => {
    if (!blocked && arming.mayPress()) answer({ kind: 'allow', ...allowed })
  }
  const deny = (): void => answer({ kind: 'deny' })
  const answerWithout = useContext(InDock)?.answerWithout
  const answers = [
    <AllowButton key="yes" arming={arming} plain={plain} blocked={blocked} onPress={allow}>
      {yes}
    </AllowButton>,
    <DenyButton key="no" onPress={deny}>
      {no}
    </DenyButton>,
  ]
  return (
    <ConsentRequestFrame
      {...frame}
      card={card}
      onAllow={allow}
      allowKey={typeof yes === 'string' ? yes : undefined}
      onDeny={deny}
      denyKey={no}
      footer={
        <>
          {noFirst ? answers.toReversed() : answers}
          {cancellable && <GhostButton onClick={() => answer({ kind: 'cancel' })}>{t`Cancel`}</GhostButton>}
          {frame.request.kind === 'launch' && answerWithout && <Button onClick={answerWithout}>{t`Answer without it`}</Button>}
          {actions}
          <span className="grow help">{problem}</span>
          {lastActions}
        </>
      }
    />
  )
}
