import { Menu as Base } from '@base-ui/react/menu'
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import './styles/search-input.css'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

interface PopupProps extends Pick<ComponentProps<typeof Base.Positioner>, 'side' | 'align'>, ComponentProps<typeof Base.Popup> {}

/** The pane of a menu. It is a landmark: a screen reader that goes from landmark to landmark finds it too. */
const Popup = ({ side, align, ...popup }: PopupProps) => (
  <Base.Portal>
    <Base.Positioner role="region" aria-label={t`Menu`} side={side} align={align} sideOffset={6} className="floating">
      <Base.Popup {...popup} />
    </Base.Positioner>
  </Base.Portal>
)

interface MenuProps {
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
  /** Name of the field that filters the items. Default: no such field. */
  readonly filter?: string | undefined
  /** Finds the element that gets the focus after a menu that a pointer opened. Default: the trigger, as with the keyboard. */
  readonly backTo?: (() => HTMLElement | null) | undefined
}

export function Menu({ trigger, children, side = 'bottom', align = 'start', onOpen, filter, backTo }: MenuProps) {
  const byPointer = useRef<boolean>(false)
  const finalFocus = (): HTMLElement | true => (byPointer.current ? backTo?.() : undefined) ?? true
  const menu = (
    <Base.Root
      onOpenChange={(open, { event }) => {
        if (!open) return
        // A click from a key or a screen reader has no detail.
        byPointer.current = event instanceof MouseEvent && event.detail > 0
        onOpen?.()
      }}
    >
      <Base.Trigger render={trigger} />
      <Popup
        side={side}
        align={align}
        className={filter === undefined ? 'pop menu-list' : 'pop menu-list filtered'}
        finalFocus={finalFocus}
      >
        {filter === undefined ? (
          children
        ) : (
          <>
            <span className="input search">
              <Icon name="search" small />
              <Base.Input aria-label={filter} placeholder={filter} spellCheck={false} />
            </span>
            <Base.Empty className="dim menu-none">{t`Nothing found.`}</Base.Empty>
            <Base.List className="menu-found">{children}</Base.List>
          </>
        )}
      </Popup>
    </Base.Root>
  )
  return filter === undefined ? menu : <Base.FilterProvider autoHighlight>{menu}</Base.FilterProvider>
}

/** Handle of a menu that many buttons share; it is drawn only while it is open. `P`: the subject that it is opened for. */
export type MenuHandle<P> = ReturnType<typeof Base.createHandle<P>>
export const createMenuHandle = <P,>(): MenuHandle<P> => Base.createHandle<P>()

interface HandleProps<P> {
  readonly handle: MenuHandle<P>
}

export const SharedMenu = <P,>({ handle, children }: HandleProps<P> & { readonly children: (payload: P) => ReactNode }) => (
  <Base.Root handle={handle}>
    {({ payload }) => (
      <Popup side="bottom" align="start" className="pop menu-list">
        {payload === undefined ? null : children(payload)}
      </Popup>
    )}
  </Base.Root>
)

export const SharedMenuTrigger = <P,>(props: HandleProps<P> & { readonly payload: P; readonly trigger: ReactElement }) => (
  <Base.Trigger handle={props.handle} payload={props.payload} render={props.trigger} />
)

interface MenuItemProps {
  readonly onSelect: () => void
  readonly children: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  /** The menu stays open, with other items. */
  readonly stays?: boolean
}

export const MenuItem = ({ onSelect, children, danger, disabled, stays }: MenuItemProps) => (
  <Base.Item className={cx('menu-item', danger && 'dangertext')} disabled={disabled} closeOnClick={!stays} onClick={onSelect}>
    {children}
  </Base.Item>
)

export const MenuSeparator = () => <Base.Separator className="menu-line" />

interface MenuChoice {
  readonly value: string
  readonly label: ReactNode
  readonly help?: ReactNode
  /** Text that the menu's filter searches. Default: all that is shown. */
  readonly find?: string
}

interface MenuRadioProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly MenuChoice[]
}

const Radios = ({ choices }: Pick<MenuRadioProps, 'choices'>) =>
  choices.map(({ value, label, help, find }) => (
    <Base.RadioItem key={value} value={value} className="menu-item" closeOnClick {...(find !== undefined && { label: find })}>
      <span className="grow">
        <span className="row">{label}</span>
        {help && <span className="help">{help}</span>}
      </span>
      <Base.RadioItemIndicator className="menu-check" keepMounted={false}>
        <Icon name="check" small />
      </Base.RadioItemIndicator>
    </Base.RadioItem>
  ))

export const MenuRadio = ({ label, value, onChange, choices }: MenuRadioProps) => (
  <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
    <Radios choices={choices} />
  </Base.RadioGroup>
)

type MenuRadioGroup = { readonly key: string; readonly name: ReactNode } & Pick<MenuRadioProps, 'choices'>

/** Choices in groups, each under the name of whoever offers them. */
export const MenuRadioGroups = (props: Omit<MenuRadioProps, 'choices'> & { readonly groups: readonly MenuRadioGroup[] }) => (
  <Base.RadioGroup value={props.value} onValueChange={props.onChange} aria-label={props.label}>
    {props.groups.map(({ key, name, choices }) => (
      <Base.Group key={key}>
        <Base.GroupLabel className="menu-heading">{name}</Base.GroupLabel>
        <Radios choices={choices} />
      </Base.Group>
    ))}
  </Base.RadioGroup>
)
