import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { t } from '#app/i18n/translate.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  /** Node before the title, e.g. a server's mark. */
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

export const Dialog = ({ open, onClose, title, mark, children, footer, asks, width, initialFocus }: DialogProps) => (
  <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="scrim" />
      <Base.Viewport className="veil mid clear">
        <Base.Popup className="over" style={width ? { maxWidth: width } : undefined} {...(initialFocus && { initialFocus })}>
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
