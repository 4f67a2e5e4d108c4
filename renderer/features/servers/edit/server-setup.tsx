// One server as it is set up, for adding and editing alike: its form, the values that it asks for, and a test run of it. It
// holds nothing: what is typed is its owner's. The fields of one server, for adding and editing. It holds nothing: the form is
// its owner's.
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '#app/i18n/translate.ts'
import type { EditField } from '#app/server/doctor.ts'
import { neededInputs } from '#app/server/import/review-candidate.ts'
import { splitCommandLine } from '#app/server/import/shell-words.ts'
import type { InputDeclaration, ServerInput } from '#app/server/inputs/input.ts'
import { PathInput, usePathCompletion } from '#renderer/features/folders/path-input.tsx'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { Field, Select, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { memoryOnlyLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { formToSave, type Setup } from '../candidate-list.ts'
import { ConnectionTestPanel } from '../connection-test/connection-test-panel.tsx'
import { type ConnectionTestControl, useConnectionTest } from '../connection-test/use-connection-test.ts'
import { InputField } from '../secrets/secret-entry.tsx'
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
      <div data-field="name">
        <Field label={t`Name`} error={errors.name} help={t`Chats and rules know its tools under this name.`}>
          {(ids) => <TextInput {...ids} value={form.name} onChange={(event) => onChange({ name: event.target.value })} />}
        </Field>
      </div>
      <Segmented
        label={t`Kind of server`}
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
        <AddressFields form={form} errors={errors} openSignIn={focus === 'oauth'} onChange={onChange} />
      )}
      <MoreFields form={form} errors={errors} onChange={onChange} />
    </div>
  )
}

type PartProps = Pick<ServerFieldsProps, 'form' | 'errors' | 'onChange'>

function ProgramFields({ form, errors, onChange }: PartProps) {
  const hints = formHints(form)
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  const { folders } = usePathCompletion(form.cwd)
  const [, ...rest] = splitCommandLine(form.command)
  const split = (): void => {
    const [command = '', ...args] = splitCommandLine(form.command)
    onChange({ command, args: [...args, ...splitArgs(form.args)].join('\n') })
  }
  const choose = async (): Promise<void> => {
    const done = await ask('app.chooseFolder', { title: t`Folder for ${form.name || t`the server`}` })
    if (done?.path) onChange({ cwd: done.path })
  }
  return (
    <>
      <div data-field="command" className="field">
        <Field label={t`Program`} error={errors.command} warning={hints.command}>
          {(ids) => (
            <TextInput
              {...ids}
              mono
              placeholder={t`npx`}
              value={form.command}
              onChange={(event) => onChange({ command: event.target.value })}
            />
          )}
        </Field>
        {hints.command && rest.length > 0 ? (
          <div>
            <Button size="sm" onClick={split}>
              {t`Move the rest to the arguments`}
            </Button>
          </div>
        ) : null}
      </div>
      <div data-field="args">
        <Field label={t`Arguments`} note={t`one a line`} error={errors.args} warning={hints.args}>
          {(ids) => (
            <TextArea
              {...ids}
              mono
              rows={Math.min(10, Math.max(3, form.args.split('\n').length))}
              placeholder={t`-y\nnotes-mcp`}
              value={form.args}
              onChange={(event) => onChange({ args: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div data-field="env">
        <NameValueRows label={t`Environment`} one="variable" rows={form.env} error={errors.env} onChange={(env) => onChange({ env })} />
      </div>
      <div data-field="cwd">
        <Field label={t`Folder it runs in`} note={t`optional`} error={errors.cwd}>
          {(ids) => (
            <div className="row">
              <PathInput {...ids} value={form.cwd} folders={folders} onType={(cwd) => onChange({ cwd })} />
              {canChoose ? <Button onClick={() => void choose()}>{t`Choose…`}</Button> : null}
            </div>
          )}
        </Field>
      </div>
    </>
  )
}

function AddressFields({ form, errors, openSignIn, onChange }: PartProps & { readonly openSignIn: boolean }) {
  const hints = formHints(form)
  return (
    <>
      <div data-field="url">
        <Field label={t`Address`} error={errors.url} warning={hints.url}>
          {(ids) => (
            <TextInput
              {...ids}
              mono
              type="url"
              placeholder={t`https://mcp.example.com/mcp`}
              value={form.url}
              onChange={(event) => onChange({ url: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div data-field="headers">
        <NameValueRows
          label={t`Headers`}
          one="header"
          rows={form.headers}
          error={errors.headers}
          onChange={(headers) => onChange({ headers })}
        />
      </div>
      <OAuthFields form={form.oauth} errors={oauthPart(errors)} open={openSignIn} onChange={(oauth) => onChange({ oauth })} />
      {form.transport === 'sse' ? (
        <Notice
          tone="warn"
          title={t`It is set to HTTP with SSE, the transport of 2024.`}
          action={
            <Button size="sm" onClick={() => onChange({ transport: 'streamable-http' })}>
              {t`Use Streamable HTTP`}
            </Button>
          }
        >
          {t`It works, but a connection that is cut loses what was on its way. Many servers offer Streamable HTTP at another path.`}
        </Notice>
      ) : null}
    </>
  )
}

function MoreFields({ form, errors, onChange }: PartProps) {
  return (
    <>
      <div className="grid2">
        <Field label={t`Starts`}>
          {(ids) => (
            <Select
              {...ids}
              value={form.start}
              onChange={(event) => onChange({ start: event.target.value === 'launch' ? 'launch' : 'needed' })}
            >
              <option value="needed">{t`when a chat needs it`}</option>
              <option value="launch">{t`with Assent`}</option>
            </Select>
          )}
        </Field>
        <div data-field="timeout">
          <Field label={t`A call may take`} note={t`seconds without progress`} error={errors.timeout}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode="numeric"
                placeholder={t`as in the settings`}
                value={form.timeout}
                onChange={(event) => onChange({ timeout: event.target.value.trim() })}
              />
            )}
          </Field>
        </div>
        <div data-field="startTimeout">
          <Field label={t`Its start may take`} note={t`seconds without an answer`} error={errors.startTimeout}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode="numeric"
                placeholder="60"
                value={form.startTimeout}
                onChange={(event) => onChange({ startTimeout: event.target.value.trim() })}
              />
            )}
          </Field>
        </div>
        <div data-field="idle">
          <Field label={t`Stopped when not needed for`} note={t`minutes`} error={errors.idle}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode="numeric"
                placeholder={t`never`}
                value={form.idle}
                onChange={(event) => onChange({ idle: event.target.value.trim() })}
              />
            )}
          </Field>
        </div>
      </div>
      <Checkbox
        checked={form.trusted}
        label={t`Trust what it says about its tools`}
        help={t`“Read-only” and “not destructive” then count as facts in your rules.`}
        onChange={(trusted) => onChange({ trusted })}
      />
    </>
  )
}

export interface SetupControl {
  readonly body: RefObject<HTMLDivElement | null>
  readonly errors: FormErrors
  readonly trial: ConnectionTestControl
  /** True when nothing is wrong; else what is wrong is shown, and the first of it has focus. */
  readonly check: () => boolean
  readonly tryOut: () => void
  readonly setup: Setup
  readonly onChange: (change: Partial<Setup>) => void
  readonly previousName: string | undefined
}

interface SetupOptions {
  readonly setup: Setup
  readonly onChange: (change: Partial<Setup>) => void
  /** Names that others have. */
  readonly taken: readonly string[]
  /** It is saved under this name. */
  readonly previousName?: string
}

export function useSetup({ setup, onChange, taken, previousName }: SetupOptions): SetupControl {
  const keeper = useSecretKeeper()
  const trial = useConnectionTest()
  const [checked, setChecked] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const check = (): boolean => {
    // What is folded away opens for its fault, so that it can take focus.
    flushSync(() => setChecked(true))
    const [field] = Object.keys(validateForm(setup.form, taken))
    if (field === undefined) return true
    body.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, textarea)`)?.focus()
    return false
  }
  return {
    body,
    errors: checked ? validateForm(setup.form, taken) : {},
    trial,
    check,
    tryOut() {
      if (!check()) return
      const renamed = previousName === undefined || previousName === setup.form.name ? {} : { previousName }
      trial.begin({ ...formToSave(setup, keeper === 'keyring'), ...renamed })
    },
    setup,
    onChange,
    previousName,
  }
}

interface ServerSetupProps {
  readonly control: SetupControl
  readonly focus?: EditField | 'name' | undefined
  readonly declared?: readonly InputDeclaration[]
  /** What the host knows of its inputs. */
  readonly kept?: readonly ServerInput[]
}

const none: readonly never[] = []

export function ServerSetup({ control, focus, declared = none, kept = none }: ServerSetupProps) {
  const { body, errors, trial, setup, onChange } = control
  const { form, values } = setup
  const [wanted, setWanted] = useState<EditField | 'name' | undefined>(focus)
  const [again, setAgain] = useState(0)
  const keeper = useSecretKeeper()
  const inputs = useMemo(() => neededInputs(toDefinition(form), declared, kept), [form, declared, kept])
  const changeForm = (change: Partial<ServerForm>): void => onChange({ form: { ...form, ...change } })
  const { run } = trial
  return (
    <>
      {run ? (
        <ConnectionTestPanel
          trial={trial}
          run={run}
          stale={JSON.stringify(run.tried) !== JSON.stringify({ ...run.tried, ...formToSave(setup, keeper === 'keyring') })}
          onAgain={control.tryOut}
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
          <p className="help">
            {tx`${keeper === 'keyring' ? t`They go to the keyring, never into servers.json.` : memoryOnlyLabel} What you leave empty is asked for when it starts.`}
          </p>
        </section>
      )}
    </>
  )
}
