import type { ComponentProps } from 'react'
import { Field, type FieldIds, TextInput } from '../field.tsx'

type FieldText = Omit<ComponentProps<typeof Field>, 'children'>

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
