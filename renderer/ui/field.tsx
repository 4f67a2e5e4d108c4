// A label with its help and its error, wired for screen readers, and the controls that it goes with.
import { type ComponentProps, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

type TextBoxProps = Omit<ComponentProps<'textarea'>, 'ref' | 'value' | 'defaultValue'> & {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly value: string
}

/**
 * A text area with the browser's own undo. React writes a value as the default value too, at each key, and Chromium then undoes key
 * by key; this one writes only what did not come from the keys. (A step of undo also ends wherever a node of the page is removed:
 * while an answer streams, typing is undone in several steps. Chromium does that to any text area.)
 */
export function TextBox({ field, value, ...rest }: TextBoxProps) {
  // At each rendering: the owner may have changed what was typed.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) field.current.value = value
  })
  return <textarea {...rest} ref={field} />
}

/** Attributes of the control, which tie it to its label, help and error. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: ReactNode
  readonly note?: ReactNode
  readonly help?: ReactNode
  readonly error?: ReactNode
  /** Advice that is no error of the person. */
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

export const FieldError = ({ id, children }: { readonly id?: string; readonly children: ReactNode }) => (
  <span className="err" id={id}>
    <Icon name="warning" small />
    <span>{children}</span>
  </span>
)

const inputClass = (invalid: unknown, more?: string): string => cx('input', invalid === true && 'bad', more)

export const TextInput = ({ mono, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) => (
  <input autoComplete="off" spellCheck={false} {...rest} className={inputClass(rest['aria-invalid'], cx(mono && 'mono', className))} />
)

type TextAreaProps = Omit<ComponentProps<typeof TextBox>, 'field'> & {
  readonly mono?: boolean
  readonly ref?: RefObject<HTMLTextAreaElement | null>
}

export function TextArea({ mono, className, ref, ...rest }: TextAreaProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const classes = inputClass(rest['aria-invalid'], cx('area', mono && 'mono', className))
  return <TextBox spellCheck={false} {...rest} field={ref ?? own} className={classes} />
}

type SelectProps = ComponentProps<'select'> & { readonly options?: readonly (readonly [value: string, label: ReactNode])[] }

/** The browser's own list, which works with every keyboard and screen reader: its children, then `options`. */
export const Select = ({ className, options = [], children, ...rest }: SelectProps) => (
  <span className={cx('select', className)}>
    <select {...rest} className={inputClass(rest['aria-invalid'])}>
      {children}
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" small />
  </span>
)

type FieldText = Omit<FieldProps, 'children'>

interface TextFieldProps extends FieldText, Omit<ComponentProps<typeof TextInput>, keyof FieldIds | 'onChange' | 'value'> {
  /** Name by which a form finds the field: `data-field` of a box around it. */
  readonly place?: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** Labelled input for one line of text. */
export function TextField({ place, label, note, help, error, warning, onText, ...input }: TextFieldProps) {
  const field = (
    <Field label={label} note={note} help={help} error={error} warning={warning}>
      {(ids) => <TextInput {...input} {...ids} onChange={({ target }) => onText(target.value)} />}
    </Field>
  )
  return place === undefined ? field : <div data-field={place}>{field}</div>
}

export interface SelectOption<T extends string> {
  readonly value: T
  readonly label: string
  readonly lang?: string
}

interface ChoiceSelectProps<T extends string> extends Omit<SelectProps, 'onChange' | 'children' | 'options'> {
  readonly value: T
  readonly options: readonly SelectOption<T>[]
  readonly onChoose: (value: T) => void
}

/** The browser's own list over values of one type. */
export function ChoiceSelect<T extends string>({ options, onChoose, ...select }: ChoiceSelectProps<T>) {
  return (
    <Select
      {...select}
      onChange={({ target }) => {
        const chosen = options.find(({ value }) => value === target.value)
        if (chosen) onChoose(chosen.value)
      }}
    >
      {options.map(({ label, ...option }) => (
        <option key={option.value} {...option}>
          {label}
        </option>
      ))}
    </Select>
  )
}

type SelectFieldProps<T extends string> = Pick<FieldProps, 'label' | 'note' | 'help'> &
  Pick<ChoiceSelectProps<T>, 'value' | 'options' | 'onChoose'>

export function SelectField<T extends string>({ label, note, help, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} note={note} help={help}>
      {(ids) => <ChoiceSelect {...ids} {...select} />}
    </Field>
  )
}

type SubmitFormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => unknown }

/** Form whose submission stays on the page. */
export const SubmitForm = ({ onSubmit, ...form }: SubmitFormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  />
)
