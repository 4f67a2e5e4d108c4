// Switch, checkbox, radio and segmented control on native inputs: the browser owns their keys and their states.
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

interface SwitchProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Said by screen readers; shown too unless `hideLabel`. */
  readonly label: ReactNode
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly help?: ReactNode
}

export function Switch({ checked, onChange, label, hideLabel, disabled, help }: SwitchProps) {
  return (
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
}

interface CheckboxProps extends Omit<SwitchProps, 'hideLabel'> {
  readonly describedBy?: string
}

export function Checkbox({ checked, onChange, label, disabled, help, describedBy }: CheckboxProps) {
  return (
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
}

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

interface RadioListProps<T extends string> extends ChoiceProps<T> {
  /** In a row rather than below each other; what helps to choose stands below the row. */
  readonly inline?: boolean
}

/** One of several. */
export function RadioList<T extends string>({ label, value, choices, onChange, inline }: RadioListProps<T>) {
  const name = useId()
  const helpId = (choice: Choice<T>): string => `${name}-${choice.value}-help`
  const help = (choice: Choice<T>): ReactNode =>
    choice.help && (
      <span key={choice.value} className="help" id={helpId(choice)}>
        {choice.help}
      </span>
    )
  return (
    <div className={inline ? 'scopeline' : 'scopes'} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            className="sr"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.disabled}
            aria-describedby={inline && choice.help ? helpId(choice) : undefined}
            onChange={() => onChange(choice.value)}
          />
          <span className={cx('dotr', choice.value === value && 'on')} aria-hidden="true" />
          <span>{choice.label}</span>
          {!inline && help(choice)}
        </label>
      ))}
      {inline && choices.map(help)}
    </div>
  )
}

/** One of a few, side by side. */
export function Segmented<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  const name = useId()
  return (
    <div className="seg" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            className="sr"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.disabled}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
