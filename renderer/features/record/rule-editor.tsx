// A rule written down by the person, new or anew, with what it says in words below it.
import { useId, useState } from 'react'
import type { Rule } from '#app/consent/rule.ts'
import { rulePieces } from '#app/consent/rule-words.ts'
import { describeError } from '#app/describe-error.ts'
import { t } from '#app/words/translate.ts'
import { type Lasting, lastingMs } from '#renderer/features/consent/rule-choice.ts'
import { useActions, useConversations, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { Field, FieldError, Select, TextInput } from '#renderer/ui/field.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ConditionRows } from './condition-rows.tsx'
import { argumentNames, draftOf, emptyForm, formOf, type RuleForm } from './rule-form.ts'
import { useTools } from './use-tools.ts'

const effects = [
  { value: 'allow', label: t`Allow` },
  { value: 'ask', label: t`Ask` },
  { value: 'deny', label: t`Never` },
] as const
const lasts: Record<RuleForm['lasting'], string> = {
  revoked: t`When I revoke it`,
  hour: t`In an hour`,
  day: t`In a day`,
  month: t`In 30 days`,
  kept: t`When it did before`,
}

export function RuleEditor({ rule, onDone }: { readonly rule?: Rule; readonly onDone: () => void }) {
  const { attempt } = useActions()
  const servers = useServers((state) => state.list)
  const chats = useConversations((state) => state.list)
  const [form, setForm] = useState<RuleForm>(() => (rule ? formOf(rule) : emptyForm(servers[0]?.name ?? '')))
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const listId = useId()
  const tools = useTools(form.server)
  const set = (change: Partial<RuleForm>): void => {
    setError(undefined)
    setForm((before) => ({ ...before, ...change }))
  }
  const draft = draftOf(form, rule, Date.now())
  const save = async (): Promise<void> => {
    if (typeof draft === 'string') return setError(draft)
    setBusy(true)
    const outcome = await attempt('rule.save', { ...(rule ? { id: rule.id } : {}), rule: draft })
    setBusy(false)
    if (outcome.ok) return onDone()
    const { message, remedy } = describeError(outcome.error)
    setError([message, remedy].filter(Boolean).join(' '))
  }
  const names = [...new Set([...servers.map(({ name }) => name), ...(form.server === '' ? [] : [form.server])])]
  const known = chats.filter(({ id }, index) => index < 30 || id === form.conversationId)
  return (
    <section className="sec rule-editor" aria-label={rule ? t`Edit the rule` : t`New rule`}>
      <Segmented label={t`What it does`} value={form.effect} choices={effects} onChange={(effect) => set({ effect })} />
      <div className="rule-fields">
        <Field label={t`Server`}>
          {(ids) => (
            <Select {...ids} value={form.server} onChange={(event) => set({ server: event.target.value })}>
              <option value="" disabled={form.effect === 'allow'}>
                {t`Any server`}
              </option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t`Speaks of`}>
          {(ids) => (
            <Select {...ids} value={form.about} onChange={(event) => set({ about: event.target.value as RuleForm['about'] })}>
              <option value="tools">{t`Calls of its tools`}</option>
              <option value="requests">{t`Answers that it wants of the model`}</option>
              <option value="answers">{t`Handing those answers over`}</option>
            </Select>
          )}
        </Field>
        {form.about === 'tools' && (
          <Field
            label={t`Tool`}
            help={form.effect === 'allow' ? t`Empty: every tool that it has now.` : t`Empty: every tool. * stands for any characters.`}
          >
            {(ids) => (
              <TextInput {...ids} mono list={`${listId}-tools`} value={form.tool} onChange={(event) => set({ tool: event.target.value })} />
            )}
          </Field>
        )}
        <datalist id={`${listId}-tools`}>
          {tools.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {form.about !== 'tools' && form.effect === 'allow' && <SamplingFields form={form} onChange={set} />}
      {form.about === 'tools' && form.effect === 'allow' && form.tool.trim() === '' && (
        <Checkbox
          checked={form.readOnly}
          label={t`Only tools that say they just read`}
          help={t`Counts while you trust the server.`}
          onChange={(readOnly) => set({ readOnly })}
        />
      )}
      {form.about === 'tools' && (
        <ConditionRows
          conditions={form.conditions}
          names={argumentNames(tools.find(({ name }) => name === form.tool.trim())?.inputSchema)}
          onChange={(conditions) => set({ conditions })}
        />
      )}
      <div className="rule-fields">
        {form.about === 'tools' && form.effect === 'allow' && (
          <Field label={t`Only these arguments`} help={t`With commas between. Empty: any others too.`}>
            {(ids) => (
              <TextInput {...ids} mono value={form.onlyArguments} onChange={(event) => set({ onlyArguments: event.target.value })} />
            )}
          </Field>
        )}
        <Field label={t`Where`}>
          {(ids) => (
            <Select {...ids} value={form.conversationId} onChange={(event) => set({ conversationId: event.target.value })}>
              <option value="">{t`In every chat`}</option>
              {known.map(({ id, title }) => (
                <option key={id} value={id}>
                  {tx`In “${title}”`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t`Ends`}>
          {(ids) => (
            <Select {...ids} value={form.lasting} onChange={(event) => set({ lasting: event.target.value as RuleForm['lasting'] })}>
              {(Object.keys(lasts) as (Lasting | 'kept')[])
                .filter((one) => one in lastingMs || one === 'revoked' || rule?.expiresAt !== undefined)
                .map((one) => (
                  <option key={one} value={one}>
                    {lasts[one]}
                  </option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      {typeof draft !== 'string' && (
        <p className="wrap-any rule-says">
          {effects.find(({ value }) => value === form.effect)?.label} <Pieces pieces={rulePieces(draft)} />
        </p>
      )}
      <div role="alert">{error !== undefined && <FieldError>{error}</FieldError>}</div>
      <div className="row">
        <Button variant="primary" aria-disabled={busy || undefined} onClick={() => !busy && void save()}>
          {rule ? t`Save the rule` : t`Add the rule`}
        </Button>
        <Button onClick={onDone}>{t`Cancel`}</Button>
      </div>
    </section>
  )
}

interface SamplingFieldsProps {
  readonly form: RuleForm
  readonly onChange: (change: Partial<RuleForm>) => void
}

function SamplingFields({ form, onChange }: SamplingFieldsProps) {
  return (
    <>
      <Field label={t`Up to, tokens a day`} help={t`Prompts and answers together. Beyond it you are asked.`}>
        {(ids) => (
          <TextInput
            {...ids}
            className="short num"
            inputMode="numeric"
            value={form.tokensPerDay}
            onChange={(event) => onChange({ tokensPerDay: event.target.value.trim() })}
          />
        )}
      </Field>
      <Checkbox
        checked={form.untrusted}
        label={t`Also while I don’t trust the server`}
        help={t`What it writes then reaches your model, and your model’s words reach it, unread.`}
        onChange={(untrusted) => onChange({ untrusted })}
      />
    </>
  )
}
