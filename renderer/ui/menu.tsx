import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Icon } from './icon.tsx'

interface MenuProps {
  /** A single button element; the menu gives it its behaviour. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
}

export function Menu({ trigger, children, side = 'bottom', align = 'start', onOpen }: MenuProps) {
  return (
    <Base.Root onOpenChange={(open) => open && onOpen?.()}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} className="floating">
          <Base.Popup className="pop menu-list">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  readonly onSelect: () => void
  readonly children: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
}

export function MenuItem({ onSelect, children, danger, disabled }: MenuItemProps) {
  return (
    <Base.Item className={cx('menu-item', danger && 'dangertext')} disabled={disabled} onClick={onSelect}>
      {children}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="menu-line" />
}

interface MenuRadioProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly { readonly value: string; readonly label: ReactNode; readonly help?: ReactNode }[]
}

export function MenuRadio({ label, value, onChange, choices }: MenuRadioProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {choices.map((choice) => (
        <Base.RadioItem key={choice.value} value={choice.value} className="menu-item" closeOnClick>
          <span className="grow">
            <span className="row">{choice.label}</span>
            {choice.help && <span className="help">{choice.help}</span>}
          </span>
          <Base.RadioItemIndicator className="menu-check" keepMounted={false}>
            <Icon name="check" small />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}
