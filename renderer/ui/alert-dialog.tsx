import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

interface AlertDialogProps {
  readonly open: boolean
  readonly title: string
  readonly children: ReactNode
  readonly go: string
  readonly stay: string
  readonly onGo: () => void
  readonly onStay: () => void
}

/**
 * Asks before something is thrown away, by the button `go`. Focus begins on `stay`, which Escape gives too; a press beside the
 * dialog does nothing.
 */
export function AlertDialog({ open, title, children, go, stay, onGo, onStay }: AlertDialogProps) {
  const first = useRef<HTMLButtonElement | null>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onStay()}>
      <Base.Portal>
        <Base.Backdrop className="scrim" forceRender />
        <Base.Viewport className="veil mid clear">
          <Base.Popup className="over" style={{ maxWidth: '27.5rem' }} initialFocus={first}>
            <header className="row">
              <Base.Title className="grow">{title}</Base.Title>
            </header>
            <div className="in">
              <Base.Description className="dim">{children}</Base.Description>
            </div>
            <footer className="foot">
              <span className="grow" />
              <Button danger onClick={onGo}>
                {go}
              </Button>
              <Base.Close render={<Button ref={first}>{stay}</Button>} />
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
