import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { hrefOf, type Route } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
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

type IconButtonProps = ComponentProps<'button'> & { readonly label: string; readonly icon: IconName; readonly small?: boolean }

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

export const PrimaryButton = (props: SmallButtonProps) => <Button variant="primary" {...props} />

export const GhostButton = (props: SmallButtonProps) => <Button variant="ghost" {...props} />

export const SmallButton = (props: SmallButtonProps) => <Button size="sm" {...props} />

export const SmallGhostButton = (props: SmallButtonProps) => <Button size="sm" variant="ghost" {...props} />

/** Small link to a page, drawn as a button. */
export const SmallLink = ({ to, ...link }: Omit<ComponentProps<typeof LinkButton>, 'size' | 'href'> & { readonly to: Route }) => (
  <LinkButton size="sm" href={hrefOf(to)} {...link} />
)

type RevealButtonProps = Pick<IconButtonProps, 'label'> & { readonly shown: boolean; readonly onToggle: (shown: boolean) => void }

/** Shows or hides a secret that is being typed. */
export const RevealButton = ({ shown, onToggle, label }: RevealButtonProps) => (
  <IconButton small icon="eye" label={label} aria-pressed={shown} onClick={() => onToggle(!shown)} />
)

interface CopyButtonProps extends Pick<ButtonLook, 'variant'> {
  readonly text: string | (() => string)
  readonly label: string
  /** Shows the label in place of an icon alone. */
  readonly words?: boolean
}

/** Copies `text`, then says so for a moment. */
export function CopyButton({ text, label, words, variant }: CopyButtonProps) {
  const actions = useActions()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void actions.copy(typeof text === 'string' ? text : text()).then(setCopied)
  const icon = copied ? 'check' : 'copy'
  if (!words) return <IconButton label={copied ? t`Copied` : label} icon={icon} small onClick={copy} />
  return (
    <Button size="sm" variant={variant} icon={icon} onClick={copy}>
      {copied ? t`Copied` : label}
    </Button>
  )
}

interface FileButtonProps extends ButtonLook, Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'className'> {
  readonly children: string
  readonly busy?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Button that opens the system's own file picker, in every shell; the files are those of the page's machine. */
export function FileButton({ children, accept, multiple, busy, onFiles, ...look }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...look} aria-disabled={busy} onClick={() => busy || picker.current?.click()}>
        {children}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={children}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          if (files.length > 0) onFiles(files)
          target.value = ''
        }}
      />
    </>
  )
}
