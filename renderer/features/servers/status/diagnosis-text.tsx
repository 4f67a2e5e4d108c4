import type { ReactNode } from 'react'
import type { Diagnosis } from '#app/server/doctor.ts'
import { Spinner } from '#renderer/ui/badges.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface DiagnosisWordsProps {
  readonly diagnosis: Diagnosis
  /** It is waited for all the same. */
  readonly going?: boolean
  /** What can be pressed. */
  readonly children: ReactNode
}

/** What happened, why, and what to do, as the doctor says it. */
export function DiagnosisText({ diagnosis: { tone, message, why, remedy }, going = false, children }: DiagnosisWordsProps) {
  return (
    <div className={`notice ${tone}`} role={going ? 'status' : 'alert'}>
      {going ? <Spinner /> : <Icon name="warning" />}
      <div>
        <p className="strong">
          <VisibleText text={message} />
        </p>
        {why ? (
          <p className="dim">
            <VisibleText text={why} />
          </p>
        ) : null}
        <p>
          <VisibleText text={remedy} />
        </p>
        <p className="row wrap remedies">{children}</p>
      </div>
    </div>
  )
}
