import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

interface PopoverProps {
  /** A single button element. */
  readonly trigger: ReactElement
  readonly title: ReactNode
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
}

export function Popover({ trigger, title, children, side = 'bottom', align = 'start' }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} className="floating">
          <Base.Popup className="pop pop-body">
            <Base.Title className="label">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
