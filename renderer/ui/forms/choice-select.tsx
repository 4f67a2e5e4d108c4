import type { ComponentProps } from 'react'
import { Field, Select } from '../field.tsx'

export interface SelectOption<T extends string> {
  readonly value: T
  readonly label: string
  readonly lang?: string
  readonly disabled?: boolean
}

/** Options of a table of labels by value. */
export const labelledOptions = <T extends string>(labels: Readonly<Record<T, string>>): SelectOption<T>[] =>
  (Object.entries(labels) as [T, string][]).map(([value, label]) => ({ value, label }))

interface ChoiceSelectProps<T extends string> extends Omit<ComponentProps<typeof Select>, 'onChange' | 'children' | 'options'> {
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

type SelectFieldProps<T extends string> = Pick<ComponentProps<typeof Field>, 'label' | 'note' | 'help'> &
  Pick<ChoiceSelectProps<T>, 'value' | 'options' | 'onChoose'>

/** Labelled `ChoiceSelect`. */
export function SelectField<T extends string>({ label, note, help, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} note={note} help={help}>
      {(ids) => <ChoiceSelect {...ids} {...select} />}
    </Field>
  )
}
