// Fields for values that a server needs and nobody has entered. A value goes to the host and nowhere else: no store of the page
// holds it, and it is gone from here once it is kept.
import { useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerInput } from '#app/server/inputs/input.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { ChoiceSelect } from '#renderer/ui/forms/choice-select.tsx'
import { TextField } from '#renderer/ui/forms/text-field.tsx'
import { memoryOnlyLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

interface SecretEntryProps {
  readonly server: string
  readonly inputs: readonly ServerInput[]
  readonly label: string
  readonly onDone?: () => void
  readonly onCancel?: () => void
}

export function SecretEntry({ server, inputs, label, onDone, onCancel }: SecretEntryProps) {
  const { attempt } = useActions()
  const keeper = useSecretKeeper()
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(inputs.map((input) => [input.id, input.set ? '' : (input.default ?? '')])),
  )
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)

  const save = async (): Promise<void> => {
    if (busy) return
    const empty = inputs.findIndex(({ id }) => !values[id])
    if (empty !== -1) return form.current?.querySelectorAll<HTMLElement>('input, select')[empty]?.focus()
    setBusy(true)
    setError(undefined)
    for (const { id } of inputs) {
      const outcome = await attempt('server.setSecret', { name: server, id, value: values[id] ?? '' })
      if (!outcome.ok) {
        setBusy(false)
        return setError(outcome.error)
      }
    }
    setBusy(false)
    setValues({})
    onDone?.()
  }

  return (
    <form
      ref={form}
      className="stack secret-entry"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {inputs.map((input) => (
        <InputField
          key={input.id}
          input={input}
          value={values[input.id] ?? ''}
          onChange={(value) => setValues((before) => ({ ...before, [input.id]: value }))}
        />
      ))}
      {error ? <ErrorNotice error={error} /> : null}
      <p className="row wrap">
        <Button type="submit" size="sm" aria-disabled={busy || inputs.some(({ id }) => !values[id])}>
          {label}
        </Button>
        {onCancel ? (
          <Button size="sm" variant="ghost" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        ) : null}
        <span className="help">{keeper === 'keyring' ? t`Kept in the keyring, never in servers.json.` : memoryOnlyLabel}</span>
      </p>
    </form>
  )
}

interface InputFieldProps {
  readonly input: ServerInput
  readonly value: string
  readonly onChange: (value: string) => void
}

export function InputField({ input, value, onChange }: InputFieldProps) {
  const label = input.description === undefined ? <span className="mono">{input.id}</span> : <VisibleText text={input.description} />
  const note = [input.description === undefined ? '' : input.id, input.shared ? t`shared by all servers that name it` : '']
    .filter(Boolean)
    .join(', ')
  if (!input.options)
    return <TextField label={label} note={note} mono type={input.password ? 'password' : 'text'} value={value} onText={onChange} />
  const options = input.options.map((option) => ({ value: option, label: option }))
  return (
    <Field label={label} note={note}>
      {(ids) => <ChoiceSelect {...ids} value={value} options={[{ value: '', label: t`Choose…` }, ...options]} onChoose={onChange} />}
    </Field>
  )
}
