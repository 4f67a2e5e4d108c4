// Switch, checkbox, radio list and segmented control on native inputs: the browser owns their keys and states.
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import { cx } from './lib/class-names.ts'

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
  readonly describedBy?: string | undefined
  readonly children: ReactNode
}

const Radio = <T extends string>({ name, choice, props: { value, onChange }, describedBy, children }: RadioProps<T>) => (
  <label>
    <input
      type="radio"
      className="sr"
      name={name}
      value={choice.value}
      checked={choice.value === value}
      disabled={choice.disabled}
      aria-describedby={describedBy}
      onChange={() => onChange(choice.value)}
    />
    {children}
  </label>
)

/** `inline`: the choices are in a row, with the help texts below it. */
export function RadioList<T extends string>(props: ChoiceProps<T> & { readonly inline?: boolean }) {
  const { label, value, choices, inline } = props
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
        <Radio
          key={choice.value}
          name={name}
          choice={choice}
          props={props}
          describedBy={inline && choice.help ? helpId(choice) : undefined}
        >
          <span className={cx('dotr', choice.value === value && 'on')} aria-hidden="true" />
          <span>{choice.label}</span>
          {!inline && help(choice)}
        </Radio>
      ))}
      {inline && choices.map(help)}
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
