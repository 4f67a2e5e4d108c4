// A labelled field with its help and its error, wired for screen readers. The control gets its ids from the function.
import { type ComponentProps, type ReactNode, type RefObject, useId, useRef } from 'react'
import { cx } from './class-names.ts'
import { Icon } from './icon.tsx'
import { TextBox } from './text-box.tsx'

/** Spread on the control. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: ReactNode
  /** A word after the label, e.g. "needed". */
  readonly note?: ReactNode
  readonly help?: ReactNode
  readonly error?: ReactNode
  /** Something to read that is no error of the person. */
  readonly warning?: ReactNode
  readonly children: (ids: FieldIds) => ReactNode
}

export function Field({ label, note, help, error, warning, children }: FieldProps) {
  const id = useId()
  const about = [help && `${id}-help`, error && `${id}-error`, warning && `${id}-warning`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {note && <span className="req">{note}</span>}
      </label>
      {children({ id, 'aria-describedby': about || undefined, 'aria-invalid': error ? true : undefined })}
      {help && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {warning && (
        <span className="err warntext" id={`${id}-warning`}>
          <Icon name="warning" small />
          <span>{warning}</span>
        </span>
      )}
    </div>
  )
}

export function FieldError({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <span className="err" id={id}>
      <Icon name="warning" small />
      <span>{children}</span>
    </span>
  )
}

const inputClass = (invalid: unknown, more?: string): string => cx('input', invalid === true && 'bad', more)

export function TextInput({ mono, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  return (
    <input autoComplete="off" spellCheck={false} {...rest} className={inputClass(rest['aria-invalid'], cx(mono && 'mono', className))} />
  )
}

type TextAreaProps = Omit<ComponentProps<typeof TextBox>, 'field'> & {
  readonly mono?: boolean
  readonly ref?: RefObject<HTMLTextAreaElement | null>
}

export function TextArea({ mono, className, ref, ...rest }: TextAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const classes = inputClass(rest['aria-invalid'], cx('area', mono && 'mono', className))
  return <TextBox spellCheck={false} {...rest} field={ref ?? own} className={classes} />
}

/** The browser's own list: it needs no style of ours in its pop-up and works with every keyboard and reader. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('select', className)}>
      <select {...rest} className={inputClass(rest['aria-invalid'])}>
        {children}
      </select>
      <Icon name="chevron-down" small />
    </span>
  )
}
