import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { cx } from './lib/class-names.ts'

export interface ButtonLook {
  readonly variant?: 'plain' | 'primary' | 'ghost'
  readonly size?: 'sm' | 'md' | 'lg'
  readonly danger?: boolean | undefined
  readonly icon?: IconName
}

const buttonClass = ({ variant = 'plain', size = 'md', danger }: ButtonLook, more?: string): string =>
  cx('btn', variant !== 'plain' && variant, size !== 'md' && size, danger && 'danger', more)

type ButtonProps = ButtonLook & ComponentProps<'button'>

/** `aria-disabled` keeps focus where it is; `disabled` is for what was never there to press. */
export function Button({ variant, size, danger, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={buttonClass({ ...(variant && { variant }), ...(size && { size }), danger }, className)}>
      {icon && <Icon name={icon} small />}
      {children}
    </button>
  )
}

export function IconButton({ label, icon, small, className, ...rest }: ComponentProps<'button'> & IconButtonLook) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} className={cx('btn ghost icon', small && 'sm', className)}>
      <Icon name={icon} small={small ?? false} />
    </button>
  )
}
interface IconButtonLook {
  readonly label: string
  readonly icon: IconName
  readonly small?: boolean
}

/** Looks like a button, goes to another place in the app. */
export function LinkButton({
  variant,
  size,
  danger,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & ComponentProps<'a'> & { children: ReactNode }) {
  return (
    <a {...rest} className={buttonClass({ ...(variant && { variant }), ...(size && { size }), danger }, className)}>
      {icon && <Icon name={icon} small />}
      {children}
    </a>
  )
}
