// The settings that a bundle asks for, as a form. It holds nothing: what is entered is its owner's.
import type { BundleField } from '#app/server/bundle/user-config.ts'
import { t } from '#app/words/translate.ts'
import { keptWords, useSecretKeeper } from '#renderer/features/servers/secret-words.ts'
import { Switch } from '#renderer/ui/choices.tsx'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { PathField, PathsField } from './path-fields.tsx'
import type { Entered } from './values.ts'

interface BundleFieldsProps {
  readonly fields: readonly BundleField[]
  readonly entered: Entered
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (key: string, value: string | boolean) => void
}

export function BundleFields({ fields, entered, errors, onChange }: BundleFieldsProps) {
  return (
    <div className="stack bundle-fields">
      {fields.map((field) => (
        <div key={field.key} data-field={field.key}>
          <OneField
            field={field}
            value={entered[field.key] ?? ''}
            error={errors[field.key]}
            onChange={(value) => onChange(field.key, value)}
          />
        </div>
      ))}
    </div>
  )
}

interface OneFieldProps {
  readonly field: BundleField
  readonly value: string | boolean
  readonly error: string | undefined
  readonly onChange: (value: string | boolean) => void
}

function OneField({ field, value, error, onChange }: OneFieldProps) {
  const keeper = useSecretKeeper()
  const title = <Revealed text={field.title} />
  const about = field.description ? <Revealed text={field.description} /> : undefined
  if (field.type === 'boolean') return <Switch checked={value === true} label={title} help={about} onChange={onChange} />
  const text = String(value)
  const secret = field.sensitive ? t`A secret, ${keptWords(keeper)} and never in the file.` : ''
  return (
    <Field
      label={title}
      note={field.required && !field.kept ? t`needed` : undefined}
      error={error}
      help={
        about || secret ? (
          <>
            {secret} {about}
          </>
        ) : undefined
      }
    >
      {(ids) => {
        const path = { field, ids, text, onChange }
        if (field.type === 'directory' || field.type === 'file') return field.multiple ? <PathsField {...path} /> : <PathField {...path} />
        const common = { ...ids, value: text, onChange: ({ target }: { target: { value: string } }) => onChange(target.value) }
        if (field.multiple) return <TextArea {...common} mono rows={Math.min(6, text.split('\n').length + 1)} placeholder={t`One a line`} />
        return (
          <TextInput
            {...common}
            className={field.sensitive ? 'hidden-text' : undefined}
            placeholder={field.kept ? t`Kept. Leave it empty to keep it.` : undefined}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
          />
        )
      }}
    </Field>
  )
}
