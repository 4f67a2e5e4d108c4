// A rule that the person writes or edits, and below it the same rule as a sentence.
import { useId, useState } from 'react'
import type { Condition, Rule } from '#app/consent/rules/rule.ts'
import { rulePieces } from '#app/consent/rules/rule-labels.ts'
import { describeError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { useActions, useConversations, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox, Field, FieldError, Segmented, Select, TextInput } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useFetched } from '#renderer/ui/lib/use-fetched.ts'
import { Pieces } from '#renderer/ui/visible-text.tsx'
import { argumentNames, type ConditionForm, emptyCondition, emptyRuleForm, type RuleForm, ruleDraftOf, ruleFormOf } from './rule-form.ts'

const kinds: Record<Condition['kind'], { readonly words: string; readonly example: string }> = {
  'path-inside': { words: t`is inside the folder`, example: '/home/me/notes' },
  'url-host': { words: t`leads to the host`, example: 'example.org' },
  equals: { words: t`is`, example: t`a value` },
  pattern: { words: t`is like`, example: t`git log *` },
}

interface ConditionRowsProps {
  readonly conditions: readonly ConditionForm[]
  /** Names of the tool's arguments, as suggestions. */
  readonly names: readonly string[]
  readonly onChange: (conditions: readonly ConditionForm[]) => void
}

function ConditionRows({ conditions, names, onChange }: ConditionRowsProps) {
  const listId = useId()
  const change = (key: number, part: Partial<ConditionForm>): void =>
    onChange(conditions.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <div className="sec">
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.map(({ key, kind, argument, value, subdomains }, index) => (
        <fieldset key={key} className="condition">
          <legend className="sr">{tx`Condition ${index + 1}`}</legend>
          <TextInput
            mono
            aria-label={t`Argument`}
            placeholder={t`argument`}
            list={listId}
            value={argument}
            onChange={(event) => change(key, { argument: event.target.value })}
          />
          <Select
            aria-label={t`How it is compared`}
            value={kind}
            onChange={(event) => change(key, { kind: event.target.value as Condition['kind'] })}
            options={Object.entries(kinds).map(([name, { words }]) => [name, words])}
          />
          <TextInput
            mono
            aria-label={t`With what`}
            placeholder={kinds[kind].example}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <IconButton
            label={t`Remove this condition`}
            icon="close"
            small
            onClick={() => onChange(conditions.filter((one) => one.key !== key))}
          />
          {kind === 'url-host' && (
            <Checkbox checked={subdomains} label={t`and below it`} onChange={(checked) => change(key, { subdomains: checked })} />
          )}
        </fieldset>
      ))}
      <p>
        <Button size="sm" variant="ghost" icon="plus" onClick={() => onChange([...conditions, emptyCondition()])}>
          {t`Add a condition`}
        </Button>
      </p>
    </div>
  )
}

/** Tools of a server as Assent knows them; none until they are fetched. */
export function useServerTools(server: string): readonly ToolEntry[] {
  const [found, setFound] = useState<{ readonly server: string; readonly tools: readonly ToolEntry[] } | undefined>(undefined)
  useFetched('server.catalogue', server === '' ? undefined : { name: server }, (outcome) => {
    if (outcome.ok) setFound({ server, tools: outcome.value.tools })
  })
  return found?.server === server ? found.tools : []
}

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

const subjects: Record<RuleForm['about'], string> = {
  tools: t`Calls of its tools`,
  requests: t`Answers that it wants of the model`,
  answers: t`Handing those answers over`,
}

interface RuleFieldsProps {
  readonly form: RuleForm
  readonly onChange: (change: Partial<RuleForm>) => void
}

export function RuleEditor({ rule, onDone }: { readonly rule?: Rule; readonly onDone: () => void }) {
  const { attempt } = useActions()
  const servers = useServers((state) => state.list)
  const [form, setForm] = useState<RuleForm>(() => (rule ? ruleFormOf(rule) : emptyRuleForm(servers[0]?.name ?? '')))
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const tools = useServerTools(form.server)
  const set = (change: Partial<RuleForm>): void => {
    setError(undefined)
    setForm((before) => ({ ...before, ...change }))
  }
  const draft = ruleDraftOf(form, rule, Date.now())
  const save = async (): Promise<void> => {
    if (typeof draft === 'string') return setError(draft)
    setBusy(true)
    const outcome = await attempt('rule.save', { ...(rule ? { id: rule.id } : {}), rule: draft })
    setBusy(false)
    if (outcome.ok) return onDone()
    const { message, remedy } = describeError(outcome.error)
    setError([message, remedy].filter(Boolean).join(' '))
  }
  return (
    <section className="sec rule-editor" aria-label={rule ? t`Edit the rule` : t`New rule`}>
      <Segmented label={t`What it does`} value={form.effect} choices={effects} onChange={(effect) => set({ effect })} />
      <SubjectFields form={form} tools={tools} onChange={set} />
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
      <ScopeFields form={form} expires={rule?.expiresAt !== undefined} onChange={set} />
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

/** Fields for the subject of the rule: server, kind of request, tool. */
function SubjectFields({ form, tools, onChange }: RuleFieldsProps & { readonly tools: readonly ToolEntry[] }) {
  const servers = useServers((state) => state.list)
  const listId = useId()
  const names = [...new Set([...servers.map(({ name }) => name), ...(form.server === '' ? [] : [form.server])])]
  return (
    <div className="rule-fields">
      <Field label={t`Server`}>
        {(ids) => (
          <Select
            {...ids}
            value={form.server}
            onChange={(event) => onChange({ server: event.target.value })}
            options={names.map((name) => [name, name])}
          >
            <option value="" disabled={form.effect === 'allow'}>
              {t`Any server`}
            </option>
          </Select>
        )}
      </Field>
      <Field label={t`Speaks of`}>
        {(ids) => (
          <Select
            {...ids}
            value={form.about}
            onChange={(event) => onChange({ about: event.target.value as RuleForm['about'] })}
            options={Object.entries(subjects)}
          />
        )}
      </Field>
      {form.about === 'tools' && (
        <Field
          label={t`Tool`}
          help={form.effect === 'allow' ? t`Empty: every tool that it has now.` : t`Empty: every tool. * stands for any characters.`}
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              list={`${listId}-tools`}
              value={form.tool}
              onChange={(event) => onChange({ tool: event.target.value })}
            />
          )}
        </Field>
      )}
      <datalist id={`${listId}-tools`}>
        {tools.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  )
}

/** Fields for where the rule counts, and for how long. `expires`: the edited rule had an end. */
function ScopeFields({ form, expires, onChange }: RuleFieldsProps & { readonly expires: boolean }) {
  const chats = useConversations((state) => state.list)
  const known = chats.filter(({ id }, index) => index < 30 || id === form.conversationId)
  return (
    <div className="rule-fields">
      {form.about === 'tools' && form.effect === 'allow' && (
        <Field label={t`Only these arguments`} help={t`With commas between. Empty: any others too.`}>
          {(ids) => (
            <TextInput {...ids} mono value={form.onlyArguments} onChange={(event) => onChange({ onlyArguments: event.target.value })} />
          )}
        </Field>
      )}
      <Field label={t`Where`}>
        {(ids) => (
          <Select
            {...ids}
            value={form.conversationId}
            onChange={(event) => onChange({ conversationId: event.target.value })}
            options={[['', t`In every chat`], ...known.map(({ id, title }) => [id, tx`In “${title}”`] as const)]}
          />
        )}
      </Field>
      <Field label={t`Ends`}>
        {(ids) => (
          <Select
            {...ids}
            value={form.lasting}
            onChange={(event) => onChange({ lasting: event.target.value as RuleForm['lasting'] })}
            options={Object.entries(lasts).filter(([name]) => name !== 'kept' || expires)}
          />
        )}
      </Field>
    </div>
  )
}

const SamplingFields = ({ form, onChange }: RuleFieldsProps) => (
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
