import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { SecretKind } from '#app/server/sandbox/protected-paths.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice } from '#renderer/ui/notice.tsx'
import { VisibleValue } from '#renderer/ui/visible-text.tsx'
import { secretWords } from './sandbox-labels.ts'

interface SecretReviewProps {
  readonly path: string
  /** Undefined: a folder that holds secret places. */
  readonly secret: SecretKind | undefined
  readonly writes?: boolean
  /** Buttons that let it in. */
  readonly allow: ReactNode
  readonly onKeep: () => void
}

/** Says what it means to let a server read one secret place. Focus begins on the answer that keeps it blocked, which Escape gives too. */
export function SecretReview({ path, secret, writes, allow, onKeep }: SecretReviewProps) {
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  const name = (
    <span className="mono arg-word">
      <VisibleValue text={path} />
    </span>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      className="secret-review"
      role="group"
      aria-label={t`Review ${path}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onKeep()
      }}
    >
      <BadNotice title={writes ? tx`Let it write ${name}?` : tx`Let it read ${name}?`}>
        {secret ? secretWords[secret].meaning : t`Your whole home folder, without its secret places.`}{' '}
        {t`It can send what it reads to each allowed host.`}
      </BadNotice>
      <div className="row wrap">
        <SmallButton ref={keep} onClick={onKeep}>
          {t`Keep blocked`}
        </SmallButton>
        {allow}
      </div>
    </div>
  )
}
