// Secrets of one server: kept, missing, or in the file as plain text; and fields for entering them. A value goes to the host and
// nowhere else: no store of the page holds it, it is never shown, and it is gone from here once it is kept.

import { useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ServerInput } from '#app/server/inputs/input.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { SelectField, SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { memoryOnlyLabel, secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

export function SecretsSection({ server }: { readonly server: ServerSummary }) {
  const { name, inputs, plainSecrets } = server
  if (inputs.length === 0 && plainSecrets.length === 0) return null
  return (
    <Section title={t`Secrets`}>
      {plainSecrets.length > 0 ? <PlainSecrets name={name} names={plainSecrets} /> : null}
      {inputs.length > 0 ? (
        <ul className="lines">
          {inputs.map((input) => (
            <SecretRow key={input.id} server={server} input={input} />
          ))}
        </ul>
      ) : null}
    </Section>
  )
}

function PlainSecrets({ name, names }: { readonly name: string; readonly names: readonly string[] }) {
  const { ask, go, toast } = useActions()
  const keeper = useSecretKeeper()
  const move = async (): Promise<void> => {
    const done = await ask('server.keepSecrets', { name, names: [...names] })
    if (!done) return
    const undo = { label: t`Undo`, run: () => go('server.putBackSecrets', { name }) }
    toast(t`Moved to the keyring.`, { action: undo })
  }
  const stands = t`In servers.json as plain text: ${names.join(', ')}.`
  const moves = keeper === 'keyring'
  return (
    <Notice
      icon="lock"
      title={<VisibleText text={stands} />}
      action={moves ? <SmallButton onClick={() => void move()}>{t`Move to the keyring`}</SmallButton> : undefined}
    >
      {moves ? undefined : memoryOnlyLabel}
    </Notice>
  )
}

function SecretRow({ server, input }: { readonly server: ServerSummary; readonly input: ServerInput }) {
  const { ask, attempt, toast } = useActions()
  const keeper = useSecretKeeper()
  const [entering, setEntering] = useState(false)
  const running = server.state.kind === 'ready'
  const { name } = server

  const kept = (): void => {
    setEntering(false)
    if (!running) return
    const restart = { label: t`Restart`, run: () => void attempt('server.restart', { name }) }
    toast(t`Kept for ${name}, from its next start.`, { action: restart })
  }
  const forget = async (): Promise<void> => {
    if (await ask('server.forgetSecret', { name, id: input.id })) toast(t`Deleted: ${input.id}`)
  }
  const about = input.from === undefined ? secretStorageLabel(keeper) : t`from ${input.from}, for this run`
  return (
    <li className="secret-line">
      <div className="row wrap">
        <Icon name="key" small />
        <VisibleText className="mono wrap-any" text={input.id} />
        {input.set ? <span className="help">{about}</span> : <Badge tone="warn">{t`not entered`}</Badge>}
        {input.shared ? <Badge>{t`shared`}</Badge> : null}
        <span className="grow" />
        {entering || input.from !== undefined ? null : (
          <>
            <SmallButton aria-label={`${input.set ? t`Replace` : t`Enter`} ${input.id}`} onClick={() => setEntering(true)}>
              {input.set ? t`Replace` : t`Enter`}
            </SmallButton>
            {input.set ? (
              <SmallGhostButton className="quiet" aria-label={t`Delete ${input.id}`} onClick={() => void forget()}>
                {t`Delete`}
              </SmallGhostButton>
            ) : null}
          </>
        )}
      </div>
      {entering ? null : <VisibleText as="p" className="help" text={input.description} />}
      {entering ? <SecretEntry server={name} inputs={[input]} label={t`Keep`} onDone={kept} onCancel={() => setEntering(false)} /> : null}
    </li>
  )
}

interface SecretEntryProps {
  readonly server: string
  readonly inputs: readonly ServerInput[]
  readonly label: string
  readonly onDone?: () => void
  readonly onCancel?: () => void
}

export function SecretEntry({ server, inputs, label, onDone, onCancel }: SecretEntryProps) {
  const { busy, error, setError, submit } = useSubmit()
  const keeper = useSecretKeeper()
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(inputs.map((input) => [input.id, input.set ? '' : (input.default ?? '')])),
  )
  const form = useRef<HTMLFormElement>(null)

  const save = async (): Promise<void> => {
    if (busy) return
    const empty = inputs.findIndex(({ id }) => !values[id])
    if (empty !== -1) return form.current?.querySelectorAll<HTMLElement>('input, select')[empty]?.focus()
    setError(undefined)
    for (const { id } of inputs) {
      const outcome = await submit('server.setSecret', { name: server, id, value: values[id] ?? '' })
      if (!outcome.ok) return
    }
    setValues({})
    onDone?.()
  }

  return (
    <SubmitForm ref={form} className="stack secret-entry" onSubmit={save}>
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
        <SmallButton type="submit" aria-disabled={busy || inputs.some(({ id }) => !values[id])}>
          {label}
        </SmallButton>
        {onCancel ? <SmallGhostButton onClick={onCancel}>{t`Cancel`}</SmallGhostButton> : null}
        <span className="help">{keeper === 'keyring' ? t`Kept in the keyring, never in servers.json.` : memoryOnlyLabel}</span>
      </p>
    </SubmitForm>
  )
}

interface InputFieldProps {
  readonly input: ServerInput
  readonly value: string
  readonly onChange: (value: string) => void
}

export function InputField({ input, value, onChange }: InputFieldProps) {
  const label = input.description === undefined ? <span className="mono">{input.id}</span> : <VisibleText text={input.description} />
  const note = [input.description === undefined ? '' : input.id, input.shared ? t`shared` : ''].filter(Boolean).join(', ')
  if (!input.options)
    return <TextField label={label} note={note} mono type={input.password ? 'password' : 'text'} value={value} onText={onChange} />
  const options = input.options.map((option) => ({ value: option, label: option }))
  return (
    <SelectField label={label} note={note} value={value} options={[{ value: '', label: t`Choose…` }, ...options]} onChoose={onChange} />
  )
}
