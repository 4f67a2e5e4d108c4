// A small pane that a button opens: focus goes into it, Escape closes it and gives the focus back.
import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './lib/class-names.ts'

interface PopoverProps {
  readonly trigger: ReactElement
  readonly title: ReactNode
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
  readonly className?: string
  readonly onOpenChange?: (open: boolean) => void
}

export const Popover = ({ trigger, title, children, align = 'start', className, onOpenChange }: PopoverProps) => (
  <Base.Root onOpenChange={(open) => onOpenChange?.(open)}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner side="bottom" align={align} sideOffset={6} collisionPadding={8} className="floating">
        <Base.Popup className={cx('pop', 'pop-pane', className)}>
          <Base.Title className="h3">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
