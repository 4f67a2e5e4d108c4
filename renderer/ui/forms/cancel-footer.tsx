import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { Button } from '../button.tsx'

export const CancelButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button variant="ghost" onClick={onClick}>
    {t`Cancel`}
  </Button>
)

interface CancelFooterProps {
  /** Sentence at the left edge: the next step. */
  readonly note: string
  readonly onCancel: () => void
  /** Buttons that go on. */
  readonly children: ReactNode
}

/** Footer of a dialog that can be cancelled. */
export const CancelFooter = ({ note, onCancel, children }: CancelFooterProps) => (
  <>
    <span className="help grow">{note}</span>
    <CancelButton onClick={onCancel} />
    {children}
  </>
)
