// A labelled field with its help and its error, wired for screen readers. The control gets its ids from the function.
import { type ComponentProps, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

// A text area for longer writing, with the browser's own undo. Told a value, React writes it into the element as its default one too,
// at each key, and Chromium then undoes key by key; here only what did not come from the keys is written. (A step of undo also ends
// wherever any node of the page is taken away, be it in a text area without any code around it. That is Chromium's: while an answer
// streams, what is typed in one go is taken back in several steps.)

type TextBoxProps = Omit<ComponentProps<'textarea'>, 'ref' | 'value' | 'defaultValue'> & {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly value: string
}

export function TextBox({ field, value, ...rest }: TextBoxProps) {
  // Each time it is drawn: what was typed may not be what its owner made of it.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value
  })
  return <textarea {...rest} ref={field} />
}

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
