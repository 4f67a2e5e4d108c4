// One secret to type: never shown unless asked for. What the file or the keyring has stays as it is until something is
// typed; that goes to the keyring, and the file only names it.
import { useState } from 'react'
import { secretMask } from '#app/server/definition.ts'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { type FieldIds, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { isHidden } from './oauth-form.ts'
import { keptWords, useSecretKeeper } from './secret-words.ts'

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
  const keeper = useSecretKeeper()
  const kept = isHidden(value)
  const common = {
    ...ids,
    mono: true,
    autoComplete: 'off',
    value: kept ? '' : value,
    placeholder: value === secretMask ? t`kept as it is` : kept ? keptWords(keeper) : '',
    title: kept ? t`It is not shown. Type to replace it.` : undefined,
  } as const
  return (
    <div className="row">
      {lines ? (
        <TextArea {...common} rows={3} className={shown ? undefined : 'hidden-text'} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <TextInput {...common} type={shown ? 'text' : 'password'} onChange={(event) => onChange(event.target.value)} />
      )}
      {kept ? (
        <IconButton small icon="close" label={t`Remove the ${what}`} onClick={() => onChange('')} />
      ) : value === '' ? null : (
        <IconButton
          small
          icon="eye"
          label={shown ? t`Hide the ${what}` : t`Show the ${what}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      )}
    </div>
  )
}
