import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import './styles/search-input.css'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

/** A menu stands beside the page's landmarks; who goes from one to the next finds it too. */
const landmark = () => ({ role: 'region', 'aria-label': t`Menu` }) as const

interface MenuProps {
  /** A single button element; the menu gives it its behaviour. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
  /** The name of a field that finds items by what is typed; absent: none. */
  readonly filter?: string | undefined
  /** What has the focus afterwards where the menu was opened by a pointer; absent or null: the trigger, as it has by the keyboard. */
  readonly backTo?: (() => HTMLElement | null) | undefined
}

export function Menu({ trigger, children, side = 'bottom', align = 'start', onOpen, filter, backTo }: MenuProps) {
  const byPointer = useRef<boolean>(false)
  const finalFocus = (): HTMLElement | true => (byPointer.current ? backTo?.() : undefined) ?? true
  const menu = (
    <Base.Root
      onOpenChange={(open, { event }) => {
        if (!open) return
        // A click that a key or a screen reader makes has no place.
        byPointer.current = event instanceof MouseEvent && event.detail > 0
        onOpen?.()
      }}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner {...landmark()} side={side} align={align} sideOffset={6} className="floating">
          {filter === undefined ? (
            <Base.Popup className="pop menu-list" finalFocus={finalFocus}>
              {children}
            </Base.Popup>
          ) : (
            <Base.Popup className="pop menu-list filtered" finalFocus={finalFocus}>
              <span className="input search">
                <Icon name="search" small />
                <Base.Input aria-label={filter} placeholder={filter} spellCheck={false} />
              </span>
              <Base.Empty className="dim menu-none">{t`Nothing like it.`}</Base.Empty>
              <Base.List className="menu-found">{children}</Base.List>
            </Base.Popup>
          )}
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
  return filter === undefined ? menu : <Base.FilterProvider autoHighlight>{menu}</Base.FilterProvider>
}

/** One menu that many buttons open: it is drawn once, and only while it is open. `P`: what it is opened for. */
export type MenuHandle<P> = ReturnType<typeof Base.createHandle<P>>
export const createMenuHandle = <P,>(): MenuHandle<P> => Base.createHandle<P>()

interface SharedMenuProps<P> {
  readonly handle: MenuHandle<P>
  readonly children: (payload: P) => ReactNode
}

export function SharedMenu<P>({ handle, children }: SharedMenuProps<P>) {
  return (
    <Base.Root handle={handle}>
      {({ payload }) => (
        <Base.Portal>
          <Base.Positioner {...landmark()} side="bottom" align="start" sideOffset={6} className="floating">
            <Base.Popup className="pop menu-list">{payload === undefined ? null : children(payload)}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  )
}

interface SharedMenuTriggerProps<P> {
  readonly handle: MenuHandle<P>
  readonly payload: P
  readonly trigger: ReactElement
}

export function SharedMenuTrigger<P>({ handle, payload, trigger }: SharedMenuTriggerProps<P>) {
  return <Base.Trigger handle={handle} payload={payload} render={trigger} />
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

interface MenuChoice {
  readonly value: string
  readonly label: ReactNode
  readonly help?: ReactNode
  /** What the menu's filter finds it by; default: all that it shows. */
  readonly find?: string
}

interface MenuRadioProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly MenuChoice[]
}

export function MenuRadio({ label, value, onChange, choices }: MenuRadioProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {choices.map((choice) => (
        <RadioChoice key={choice.value} choice={choice} />
      ))}
    </Base.RadioGroup>
  )
}

interface MenuRadioGroupsProps extends Omit<MenuRadioProps, 'choices'> {
  readonly groups: readonly { readonly key: string; readonly name: ReactNode; readonly choices: readonly MenuChoice[] }[]
}

/** One of many, under the names of those who offer them. */
export function MenuRadioGroups({ label, value, onChange, groups }: MenuRadioGroupsProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {groups.map(({ key, name, choices }) => (
        <Base.Group key={key}>
          <Base.GroupLabel className="menu-heading">{name}</Base.GroupLabel>
          {choices.map((choice) => (
            <RadioChoice key={choice.value} choice={choice} />
          ))}
        </Base.Group>
      ))}
    </Base.RadioGroup>
  )
}

function RadioChoice({ choice }: { readonly choice: MenuChoice }) {
  return (
    <Base.RadioItem value={choice.value} className="menu-item" closeOnClick {...(choice.find === undefined ? {} : { label: choice.find })}>
      <span className="grow">
        <span className="row">{choice.label}</span>
        {choice.help && <span className="help">{choice.help}</span>}
      </span>
      <Base.RadioItemIndicator className="menu-check" keepMounted={false}>
        <Icon name="check" small />
      </Base.RadioItemIndicator>
    </Base.RadioItem>
  )
}
