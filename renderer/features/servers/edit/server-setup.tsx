// Setting up one server, for adding and editing alike: the fields of its form, the values that it asks for, and a connection test.
// What is typed is kept by the owner of the form.

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '#app/i18n/translate.ts'
import type { EditField } from '#app/server/doctor.ts'
import { neededInputs } from '#app/server/import/review-candidate.ts'
import { splitCommandLine } from '#app/server/import/shell-words.ts'
import type { InputDeclaration, ServerInput } from '#app/server/inputs/input.ts'
import { Button, SmallButton } from '#renderer/ui/button.tsx'
import { Checkbox, Field, Segmented, SelectField, TextAreaField, TextField } from '#renderer/ui/field.tsx'
import { PathField } from '#renderer/ui/forms/path-field.tsx'
import { memoryOnlyLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { formToSave, type Setup } from '../candidate-list.ts'
import { ConnectionTestPanel, isTestRunning, useConnectionTest } from '../connection-test/connection-test-panel.tsx'
import { InputField } from '../secrets/secrets-section.tsx'
import { NameValueRows } from './name-value-rows.tsx'
import { OAuthFields } from './oauth-fields.tsx'
import { type FormErrors, formHints, oauthPart, type ServerForm, splitArgs, toDefinition, validateForm } from './server-form.ts'

interface ServerFieldsProps {
  readonly form: ServerForm
  readonly errors: FormErrors
  readonly focus?: EditField | 'name' | undefined
  readonly within: RefObject<HTMLElement | null>
  readonly onChange: (change: Partial<ServerForm>) => void
}

function ServerFields({ form, errors, focus, within, onChange }: ServerFieldsProps) {
  useEffect(() => {
    if (focus === undefined) return
    const place = within.current?.querySelector(`[data-field="${focus}"]`)
    place?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    place?.scrollIntoView({ block: 'nearest' })
  }, [focus, within])
  return (
    <div className="stack server-fields">
      <TextField place="name" label={t`Name`} error={errors.name} value={form.name} onText={(name) => onChange({ name })} />
      <Segmented
        label={t`Kind`}
        value={form.transport === 'stdio' ? 'stdio' : 'remote'}
        onChange={(kind) => onChange({ transport: kind === 'stdio' ? 'stdio' : 'streamable-http' })}
        choices={[
          { value: 'stdio', label: t`Program on this computer` },
          { value: 'remote', label: t`Address` },
        ]}
      />
      {form.transport === 'stdio' ? (
        <ProgramFields form={form} errors={errors} onChange={onChange} />
      ) : (
        <>
          <TextField
            place="url"
            label={t`Address`}
            error={errors.url}
            warning={formHints(form).url}
            mono
            type="url"
            placeholder={t`https://mcp.example.com/mcp`}
            value={form.url}
            onText={(url) => onChange({ url })}
          />
          <div data-field="headers">
            <NameValueRows
              label={t`Headers`}
              one="header"
              rows={form.headers}
              error={errors.headers}
              onChange={(headers) => onChange({ headers })}
            />
          </div>
          <OAuthFields form={form.oauth} errors={oauthPart(errors)} open={focus === 'oauth'} onChange={(oauth) => onChange({ oauth })} />
          {form.transport === 'sse' ? (
            <WarnNotice
              title={t`HTTP with SSE`}
              action={<SmallButton onClick={() => onChange({ transport: 'streamable-http' })}>{t`Streamable HTTP`}</SmallButton>}
            >
              {t`A cut connection loses messages. Try Streamable HTTP, often at another path.`}
            </WarnNotice>
          ) : null}
        </>
      )}
      <MoreFields form={form} errors={errors} onChange={onChange} />
    </div>
  )
}

type PartProps = Pick<ServerFieldsProps, 'form' | 'errors' | 'onChange'>

function ProgramFields({ form, errors, onChange }: PartProps) {
  const hints = formHints(form)
  const pickerTitle = t`Choose a folder`
  const [command = '', ...args] = splitCommandLine(form.command)
  return (
    <>
      <div data-field="command" className="field">
        <TextField
          label={t`Program`}
          error={errors.command}
          warning={hints.command}
          mono
          placeholder={t`npx`}
          value={form.command}
          onText={(text) => onChange({ command: text })}
        />
        {hints.command && args.length > 0 ? (
          <div>
            <SmallButton
              onClick={() => onChange({ command, args: [...args, ...splitArgs(form.args)].join('\n') })}
            >{t`Move the rest to the arguments`}</SmallButton>
          </div>
        ) : null}
      </div>
      <div data-field="args">
        <TextAreaField
          label={t`Arguments`}
          note={t`One a line`}
          error={errors.args}
          warning={hints.args}
          mono
          rows={Math.min(10, Math.max(3, form.args.split('\n').length))}
          placeholder={t`-y\nnotes-mcp`}
          value={form.args}
          onText={(args) => onChange({ args })}
        />
      </div>
      <div data-field="env">
        <NameValueRows label={t`Environment`} one="variable" rows={form.env} error={errors.env} onChange={(env) => onChange({ env })} />
      </div>
      <div data-field="cwd">
        <Field label={t`Folder`} note={t`optional`} error={errors.cwd}>
          {(ids) => <PathField {...ids} kind="folder" title={pickerTitle} value={form.cwd} onText={(cwd) => onChange({ cwd })} />}
        </Field>
      </div>
    </>
  )
}

const times = [
  ['timeout', t`Tool timeout`, t`seconds`, t`As in Settings`],
  ['startTimeout', t`Start timeout`, t`seconds`, '60'],
  ['idle', t`Idle timeout`, t`minutes`, t`never`],
] as const

function MoreFields({ form, errors, onChange }: PartProps) {
  return (
    <>
      <div className="grid2">
        <SelectField
          label={t`Starts`}
          value={form.start}
          onChoose={(start) => onChange({ start })}
          options={[
            { value: 'needed', label: t`when a chat needs it` },
            { value: 'launch', label: t`with Assent` },
          ]}
        />
        {times.map(([name, label, note, placeholder]) => (
          <TextField
            key={name}
            place={name}
            label={label}
            note={note}
            error={errors[name]}
            inputMode="numeric"
            placeholder={placeholder}
            value={form[name]}
            onText={(text) => onChange({ [name]: text.trim() })}
          />
        ))}
      </div>
      <Checkbox
        checked={form.trusted}
        label={t`Trust its tool annotations`}
        help={t`“Read-only” and “not destructive” then count as facts in your rules.`}
        onChange={(trusted) => onChange({ trusted })}
      />
    </>
  )
}

interface SetupOptions {
  readonly setup: Setup
  readonly onChange: (change: Partial<Setup>) => void
  /** Names that others have. */
  readonly taken: readonly string[]
  /** Name under which it is saved; undefined: it is new. */
  readonly previousName?: string
}

export type SetupControl = ReturnType<typeof useSetup>

export function useSetup({ setup, onChange, taken, previousName }: SetupOptions) {
  const keeper = useSecretKeeper()
  const connectionTest = useConnectionTest()
  const [checked, setChecked] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const errors = validateForm(setup.form, taken)
  /** True when nothing is wrong; else shows what is wrong and focuses the first of it. */
  const check = (): boolean => {
    // What is folded away opens for its error, so that it can take focus.
    flushSync(() => setChecked(true))
    const [field] = Object.keys(errors)
    if (field === undefined) return true
    body.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, textarea)`)?.focus()
    return false
  }
  return {
    body,
    errors: checked ? errors : {},
    connectionTest,
    check,
    testConnection(): void {
      if (!check()) return
      const renamed = previousName === undefined || previousName === setup.form.name ? {} : { previousName }
      connectionTest.begin({ ...formToSave(setup, keeper === 'keyring'), ...renamed })
    },
    setup,
    onChange,
  }
}

export function TestButton({ control: { connectionTest, testConnection } }: { readonly control: SetupControl }) {
  const running = isTestRunning(connectionTest.run)
  return (
    <Button aria-disabled={running} onClick={() => running || testConnection()}>
      {t`Test`}
    </Button>
  )
}

interface ServerSetupProps {
  readonly control: SetupControl
  readonly focus?: EditField | 'name' | undefined
  readonly declared?: readonly InputDeclaration[]
  readonly kept?: readonly ServerInput[]
}

const none: readonly never[] = []

export function ServerSetup({ control, focus, declared = none, kept = none }: ServerSetupProps) {
  const { body, errors, connectionTest, setup, onChange } = control
  const { form, values } = setup
  const [wanted, setWanted] = useState<EditField | 'name' | undefined>(focus)
  const [again, setAgain] = useState(0)
  const keeper = useSecretKeeper()
  const inputs = useMemo(() => neededInputs(toDefinition(form), declared, kept), [form, declared, kept])
  const changeForm = (change: Partial<ServerForm>): void => onChange({ form: { ...form, ...change } })
  const { run } = connectionTest
  return (
    <>
      {run ? (
        <ConnectionTestPanel
          connectionTest={connectionTest}
          run={run}
          stale={JSON.stringify(run.tried) !== JSON.stringify({ ...run.tried, ...formToSave(setup, keeper === 'keyring') })}
          onAgain={control.testConnection}
          onChange={changeForm}
          onEdit={(field) => {
            setWanted(field)
            setAgain((count) => count + 1)
          }}
        />
      ) : null}
      <ServerFields key={again} form={form} errors={errors} focus={wanted} within={body} onChange={changeForm} />
      {inputs.length === 0 ? null : (
        <section className="sec" aria-label={t`Values that it asks for`}>
          <h3 className="h3">{t`Values that it asks for`}</h3>
          {inputs.map((input) => (
            <InputField
              key={input.id}
              input={input}
              value={values[input.id] ?? ''}
              onChange={(value) => onChange({ values: { ...values, [input.id]: value } })}
            />
          ))}
          <p className="help">{keeper === 'keyring' ? t`Kept in the keyring, never in servers.json.` : memoryOnlyLabel}</p>
        </section>
      )}
    </>
  )
}
