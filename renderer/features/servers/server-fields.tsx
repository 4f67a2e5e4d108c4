// The fields of one server, for adding and editing. It holds nothing: the form is its owner's.
import { type RefObject, useEffect } from 'react'
import type { EditField } from '#app/server/doctor.ts'
import { splitCommandLine } from '#app/server/import/words.ts'
import { t } from '#app/words/translate.ts'
import { PathInput, usePathCompletion } from '#renderer/features/folders/path-input.tsx'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { Field, Select, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { OAuthFields } from './oauth-fields.tsx'
import { PairRows } from './pair-rows.tsx'
import { type FormErrors, formHints, oauthPart, type ServerForm, splitArgs } from './server-form.ts'

interface ServerFieldsProps {
  readonly form: ServerForm
  readonly errors: FormErrors
  readonly focus?: EditField | 'name' | undefined
  readonly within: RefObject<HTMLElement | null>
  readonly onChange: (change: Partial<ServerForm>) => void
}

export function ServerFields({ form, errors, focus, within, onChange }: ServerFieldsProps) {
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
        <PairRows label={t`Environment`} one="variable" rows={form.env} error={errors.env} onChange={(env) => onChange({ env })} />
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
        <PairRows
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
