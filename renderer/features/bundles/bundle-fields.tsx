// The settings that a bundle asks for, as a form. It holds nothing: what is entered is its owner's.
import type { BundleField } from '#app/server/bundle/user-config.ts'
import { keptWords, useSecretKeeper } from '#renderer/features/servers/secret-words.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
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
  const secret = field.sensitive ? `A secret, ${keptWords(keeper)} and never in the file. ` : ''
  return (
    <Field
      label={title}
      note={field.required && !field.kept ? 'needed' : undefined}
      error={error}
      help={
        about || secret ? (
          <>
            {secret}
            {about}
          </>
        ) : undefined
      }
    >
      {(ids) => {
        const common = { ...ids, value: text, onChange: ({ target }: { target: { value: string } }) => onChange(target.value) }
        if (field.multiple) return <PathsInput field={field} common={common} text={text} onChange={onChange} />
        if (field.type === 'directory') return <FolderInput field={field} common={common} onChange={onChange} />
        return (
          <TextInput
            {...common}
            mono={field.type === 'file'}
            className={field.sensitive ? 'hidden-text' : undefined}
            placeholder={field.kept ? 'Kept. Leave it empty to keep it.' : undefined}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
          />
        )
      }}
    </Field>
  )
}

interface PathProps {
  readonly field: BundleField
  readonly common: { readonly id: string; readonly value: string; readonly onChange: (event: { target: { value: string } }) => void }
  readonly onChange: (value: string) => void
}

function useFolderPicker(field: BundleField): (() => Promise<string | undefined>) | undefined {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  if (!canChoose || field.type !== 'directory') return undefined
  return async () => (await ask('app.chooseFolder', { title: field.title.slice(0, 100) }))?.path ?? undefined
}

function FolderInput({ field, common, onChange }: PathProps) {
  const choose = useFolderPicker(field)
  return (
    <span className="row">
      <TextInput {...common} mono />
      {choose ? <Button onClick={() => void choose().then((path) => path !== undefined && onChange(path))}>Choose…</Button> : null}
    </span>
  )
}

function PathsInput({ field, common, text, onChange }: PathProps & { readonly text: string }) {
  const choose = useFolderPicker(field)
  const add = (path: string | undefined): void => {
    if (path !== undefined) onChange(text.trim() === '' ? path : `${text.trimEnd()}\n${path}`)
  }
  return (
    <>
      <TextArea {...common} mono rows={Math.min(6, text.split('\n').length + 1)} placeholder="One a line" />
      {choose ? (
        <Button size="sm" onClick={() => void choose().then(add)}>
          Add a folder…
        </Button>
      ) : null}
    </>
  )
}
