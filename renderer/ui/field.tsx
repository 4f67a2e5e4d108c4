// A label with its help and its error, wired for screen readers, and the controls that it goes with.
import { type ComponentProps, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'
import { isTyping } from './lib/is-typing.ts'
import { VisibleText, visibleTextOf } from './visible-text.tsx'
import './styles/search-input.css'

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

interface SuggestingInputProps extends Omit<ComponentProps<typeof TextInput>, 'list' | 'onChange'> {
  readonly suggestions: readonly string[]
  readonly onText: (text: string) => void
}

/** Suggestions stand in the browser's own list, which works with every keyboard and screen reader. Hidden characters in them are named. */
export function SuggestingInput({ suggestions, onText, ...input }: SuggestingInputProps) {
  const listId = useId()
  return (
    <>
      <TextInput {...input} list={listId} onChange={({ target }) => onText(target.value)} />
      <datalist id={listId}>
        {suggestions.map((value) => (
          <option key={value} value={value} label={visibleTextOf(value)} />
        ))}
      </datalist>
    </>
  )
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

interface TextAreaFieldProps extends FieldText, Omit<TextAreaProps, keyof FieldIds | 'onChange' | 'value'> {
  readonly value: string
  readonly onText: (text: string) => void
}

export const TextAreaField = ({ label, note, help, error, warning, onText, ...area }: TextAreaFieldProps) => (
  <Field label={label} note={note} help={help} error={error} warning={warning}>
    {(ids) => <TextArea {...area} {...ids} onChange={({ target }) => onText(target.value)} />}
  </Field>
)

export interface SelectOption<T extends string> {
  readonly value: T
  readonly label: string
  readonly lang?: string
  readonly disabled?: boolean
}

/** Options of a table of labels by value. */
export const labelledOptions = <T extends string>(labels: Readonly<Record<T, string>>): SelectOption<T>[] =>
  (Object.entries(labels) as [T, string][]).map(([value, label]) => ({ value, label }))

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

type SelectFieldProps<T extends string> = Omit<FieldText, 'error'> & Pick<ChoiceSelectProps<T>, 'value' | 'options' | 'onChoose'>

export function SelectField<T extends string>({ label, note, help, warning, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} note={note} help={help} warning={warning}>
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

interface SearchInputProps {
  /** Placeholder, and name for screen readers. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A search field that filters the page as the person types; Escape empties it. */
export const SearchInput = ({ label, value, onChange }: SearchInputProps) => (
  <label className="input search">
    <Icon name="search" small />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '' || isTyping(event)) return
        event.stopPropagation()
        onChange('')
      }}
    />
  </label>
)

// Switch, checkbox, radio list and segmented control are native inputs: the browser owns their keys and states.

interface SwitchProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** The name for screen readers; shown too unless `hideLabel`. */
  readonly label: ReactNode
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly help?: ReactNode
}

export const Switch = ({ checked, onChange, label, hideLabel, disabled, help }: SwitchProps) => (
  <label className="row switch-row">
    <input
      type="checkbox"
      role="switch"
      className="sr"
      checked={checked}
      aria-checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className={cx('switch', checked && 'on', disabled && 'dis')} aria-hidden="true" />
    <span className={cx(hideLabel && 'sr')}>{label}</span>
    {help && <span className="help">{help}</span>}
  </label>
)

type CheckboxProps = Omit<SwitchProps, 'hideLabel'> & { readonly describedBy?: string }

export const Checkbox = ({ checked, onChange, label, disabled, help, describedBy }: CheckboxProps) => (
  <label className="opt">
    <input
      type="checkbox"
      className="sr"
      checked={checked}
      disabled={disabled}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className={cx('tick', checked && 'on', disabled && 'dis')} aria-hidden="true">
      <Icon name="check" />
    </span>
    <span>{label}</span>
    {help && <span className="help">{help}</span>}
  </label>
)

export interface Choice<T extends string> {
  readonly value: T
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly disabled?: boolean
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
}

interface RadioProps<T extends string> {
  readonly name: string
  readonly choice: Choice<T>
  readonly props: ChoiceProps<T>
  readonly children: ReactNode
}

const Radio = <T extends string>({ name, choice, props: { value, onChange }, children }: RadioProps<T>) => (
  <label>
    <input
      type="radio"
      className="sr"
      name={name}
      value={choice.value}
      checked={choice.value === value}
      disabled={choice.disabled}
      onChange={() => onChange(choice.value)}
    />
    {children}
  </label>
)

interface ChooseOneProps {
  readonly ids: FieldIds
  readonly label: string
  readonly value: string
  /** Value and text of each. */
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

/** Characters of an option that a select shows in any window. */
const longestOption = 24

/** A choice between texts of a server: a select, or a list where a select would cut one of them. */
export const ChooseOne = ({ ids, label, value, options, onChoose }: ChooseOneProps) =>
  options.some(([, text]) => text.length > longestOption) ? (
    <RadioList
      label={label}
      value={value}
      choices={options.map(([one, text]) => ({ value: one, label: <VisibleText text={text} /> }))}
      onChange={onChoose}
    />
  ) : (
    <Select
      {...ids}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      options={options.map(([one, text]) => [one, visibleTextOf(text)])}
    />
  )

/** `inline`: the choices are in a row, with the help texts below it. */
export function RadioList<T extends string>(props: ChoiceProps<T>) {
  const { label, value, choices } = props
  const name = useId()
  return (
    <div className="scopes" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <Radio key={choice.value} name={name} choice={choice} props={props}>
          <span className={cx('dotr', choice.value === value && 'on')} aria-hidden="true" />
          <span>{choice.label}</span>
          {choice.help && <span className="help">{choice.help}</span>}
        </Radio>
      ))}
    </div>
  )
}

export function Segmented<T extends string>(props: ChoiceProps<T>) {
  const name = useId()
  return (
    <div className="seg" role="radiogroup" aria-label={props.label}>
      {props.choices.map((choice) => (
        <Radio key={choice.value} name={name} choice={choice} props={props}>
          {choice.label}
        </Radio>
      ))}
    </div>
  )
}
