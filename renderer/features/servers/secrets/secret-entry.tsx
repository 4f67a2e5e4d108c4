// The values that a server needs and nobody has entered yet, asked for where their absence shows. A value goes to the host
// and nowhere else: it is in no store of the page, and gone from here once it is kept.
import { useId, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerInput } from '#app/server/inputs/input.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Field, Select, TextInput } from '#renderer/ui/field.tsx'
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
  const empty = inputs.some(({ id }) => !values[id])

  const save = async (): Promise<void> => {
    if (busy) return
    if (empty) {
      const first = inputs.findIndex(({ id }) => !values[id])
      form.current?.querySelectorAll<HTMLElement>('input, select')[first]?.focus()
      return
    }
    setBusy(true)
    setError(undefined)
    for (const { id } of inputs) {
      const outcome = await attempt('server.setSecret', { name: server, id, value: values[id] ?? '' })
      if (!outcome.ok) {
        setBusy(false)
        setError(outcome.error)
        return
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
        <Button type="submit" size="sm" aria-disabled={busy || empty}>
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
  const list = useId()
  const label = input.description === undefined ? <span className="mono">{input.id}</span> : <VisibleText text={input.description} />
  const note = [input.description === undefined ? '' : input.id, input.shared ? t`shared by all servers that name it` : '']
    .filter(Boolean)
    .join(', ')
  return (
    <Field label={label} note={note}>
      {(ids) =>
        input.options ? (
          <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">{t`Choose…`}</option>
            {input.options.map((option) => (
              <option key={`${list} ${option}`}>{option}</option>
            ))}
          </Select>
        ) : (
          <TextInput
            {...ids}
            mono
            type={input.password ? 'password' : 'text'}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}
