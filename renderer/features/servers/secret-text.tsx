// One secret to type: never shown unless asked for; what the file has stays as it is until something is typed.
import { useState } from 'react'
import { IconButton } from '#renderer/ui/button.tsx'
import { type FieldIds, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { isKept } from './oauth-form.ts'

interface SecretTextProps extends FieldIds {
  /** "client secret": for the button that shows it. */
  readonly what: string
  readonly value: string
  /** Keys in PEM have lines. */
  readonly lines?: boolean
  readonly onChange: (value: string) => void
}

export function SecretText({ what, value, lines, onChange, ...ids }: SecretTextProps) {
  const [shown, setShown] = useState(false)
  const kept = isKept(value)
  const common = {
    ...ids,
    mono: true,
    autoComplete: 'off',
    value: kept ? '' : value,
    placeholder: kept ? 'kept as it is' : '',
    title: kept ? 'Kept as it is in the file. Type to replace it.' : undefined,
  } as const
  return (
    <div className="row">
      {lines ? (
        <TextArea {...common} rows={3} className={shown ? undefined : 'hidden-text'} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <TextInput {...common} type={shown ? 'text' : 'password'} onChange={(event) => onChange(event.target.value)} />
      )}
      {kept ? (
        <IconButton small icon="close" label={`Remove the ${what}`} onClick={() => onChange('')} />
      ) : value === '' ? null : (
        <IconButton
          small
          icon="eye"
          label={shown ? `Hide the ${what}` : `Show the ${what}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      )}
    </div>
  )
}
