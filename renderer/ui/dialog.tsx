import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type Ref, type RefObject, useId } from 'react'
import { t } from '#app/i18n/translate.ts'
import { Button, GhostButton, IconButton } from './button.tsx'
import { SubmitForm } from './field.tsx'

interface DialogProps {
  readonly onClose: () => void
  readonly title: ReactNode
  readonly mark?: ReactNode
  readonly children: ReactNode
  readonly footer?: ReactNode
  /** The dialog asks for assent: it has an ink wash, and no Close button. */
  readonly asks?: boolean
  /** Width in pixels. Default: 620. */
  readonly width?: number
  /** Element that gets the focus. Default: the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>
}

export const Dialog = ({ onClose, title, mark, children, footer, asks, width, initialFocus }: DialogProps) => (
  <Base.Root open onOpenChange={(next) => !next && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="scrim" />
      <Base.Viewport className="veil mid clear">
        <Base.Popup className="over" style={width ? { maxWidth: `${width / 16}rem` } : undefined} {...(initialFocus && { initialFocus })}>
          <header className="row">
            {mark}
            <Base.Title className="grow">{title}</Base.Title>
            {!asks && <Base.Close render={<IconButton label={t`Close`} icon="close" small />} />}
          </header>
          <div className="in">{children}</div>
          {footer && <footer className={asks ? 'foot ask-foot' : 'foot'}>{footer}</footer>}
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  </Base.Root>
)

export const CancelButton = ({ onClick }: { readonly onClick: () => void }) => <GhostButton onClick={onClick}>{t`Cancel`}</GhostButton>

interface CancelFooterProps {
  readonly note?: string
  readonly onCancel: () => void
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

interface FormDialogProps extends Omit<DialogProps, 'footer' | 'asks' | 'mark'> {
  readonly className?: string
  /** Label of the button. Default: Save. */
  readonly submit?: string
  /** A required field is empty: submitting does nothing. */
  readonly incomplete?: boolean
  readonly onSubmit: () => unknown
  readonly formRef?: Ref<HTMLFormElement>
  /** Content below the form. */
  readonly below?: ReactNode
}

/** Dialog that is a form, with Cancel and a button that submits. */
export function FormDialog({
  className = 'stack',
  submit = t`Save`,
  incomplete = false,
  onSubmit,
  formRef,
  below,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  const footer = (
    <>
      <span className="grow" />
      <Button onClick={dialog.onClose}>{t`Cancel`}</Button>
      <Button type="submit" form={id} variant="primary" aria-disabled={incomplete}>
        {submit}
      </Button>
    </>
  )
  return (
    <Dialog {...dialog} footer={footer}>
      <SubmitForm id={id} className={className} ref={formRef} onSubmit={() => incomplete || onSubmit()}>
        {children}
      </SubmitForm>
      {below}
    </Dialog>
  )
}
