import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { cx } from './lib/class-names.ts'

export interface ButtonLook {
  readonly variant?: 'plain' | 'primary' | 'ghost' | undefined
  readonly size?: 'sm' | 'md' | 'lg' | undefined
  readonly danger?: boolean | undefined
  readonly icon?: IconName
}

const buttonClass = ({ variant = 'plain', size = 'md', danger }: ButtonLook, more?: string): string =>
  cx('btn', variant !== 'plain' && variant, size !== 'md' && size, danger && 'danger', more)

type ButtonProps = ButtonLook & ComponentProps<'button'>

/** `aria-disabled` keeps focus where it is; `disabled` is for what was never there to press. */
export const Button = ({ variant, size, danger, icon, className, children, ...rest }: ButtonProps) => (
  <button type="button" {...rest} className={buttonClass({ variant, size, danger }, className)}>
    {icon && <Icon name={icon} small />}
    {children}
  </button>
)

interface IconButtonProps extends ComponentProps<'button'> {
  readonly label: string
  readonly icon: IconName
  readonly small?: boolean
}

export const IconButton = ({ label, icon, small = false, className, ...rest }: IconButtonProps) => (
  <button type="button" title={label} {...rest} aria-label={label} className={cx('btn ghost icon', small && 'sm', className)}>
    <Icon name={icon} small={small} />
  </button>
)

/** A link to another place in the app, drawn as a button. */
export const LinkButton = ({ variant, size, danger, icon, className, children, ...rest }: ButtonLook & ComponentProps<'a'>) => (
  <a {...rest} className={buttonClass({ variant, size, danger }, className)}>
    {icon && <Icon name={icon} small />}
    {children}
  </a>
)

type SmallButtonProps = Omit<ButtonProps, 'size' | 'variant'>

export const SmallButton = (props: SmallButtonProps) => <Button size="sm" {...props} />

export const SmallGhostButton = (props: SmallButtonProps) => <Button size="sm" variant="ghost" {...props} />

interface RevealButtonProps {
  readonly shown: boolean
  readonly onToggle: (shown: boolean) => void
  readonly label: string
}

/** Shows or hides a secret that is being typed. */
export const RevealButton = ({ shown, onToggle, label }: RevealButtonProps) => (
  <IconButton small icon="eye" label={label} aria-pressed={shown} onClick={() => onToggle(!shown)} />
)
