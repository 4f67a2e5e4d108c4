// The foot of both steps of a question to the model: what goes on, what keeps it back, what is still missing.
import type { ReactNode } from 'react'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import type { Arming } from './use-arming.ts'

interface SamplingFooterProps {
  readonly arming: Arming
  readonly allowWords: ReactNode
  /** Default: Deny. */
  readonly denyWords?: string
  /** Allowing it is not the button to press. */
  readonly plain: boolean
  readonly blocked: boolean
  /** Of how long it counts: what is missing. */
  readonly problem: string | undefined
  readonly onAllow: () => void
  readonly onDeny: () => void
}

export function SamplingFooter({ arming, allowWords, denyWords, plain, blocked, problem, onAllow, onDeny }: SamplingFooterProps) {
  return (
    <>
      <AllowButton arming={arming} plain={plain} blocked={blocked} chord={allowChord} onPress={onAllow}>
        {allowWords}
      </AllowButton>
      <DenyButton chord={denyChord} onPress={onDeny}>
        {denyWords}
      </DenyButton>
      <span className="grow help">{problem}</span>
      <NotNow />
    </>
  )
}
