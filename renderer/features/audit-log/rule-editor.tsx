// A rule that the person writes or edits, and below it the same rule as a sentence.
import { type ComponentProps, useState } from 'react'
import { type Condition, type Rule, type RuleDraft, ruleDraft } from '#app/consent/rules/rule.ts'
import { rulePieces } from '#app/consent/rules/rule-labels.ts'
import { defaultSamplingBudget, type SamplingTerms, samplingTerms } from '#app/consent/rules/sampling-budget.ts'
import { describeError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, pointerNames, pointerTo } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { type RuleDuration, ruleDurationMs } from '#renderer/features/consent/request/scope-choice.tsx'
import { useConversations, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import {
  Checkbox,
  ChoiceSelect,
  Field,
  FieldError,
  labelledOptions,
  Segmented,
  SelectField,
  SuggestingInput,
  TextField,
  TextInput,
} from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer, useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { Pieces } from '#renderer/ui/visible-text.tsx'

// A rule as the text of its form, until it is saved.

interface ConditionForm {
  readonly key: number
  readonly kind: Condition['kind']
  /** `path`, `options.path`, or a JSON Pointer. */
  readonly argument: string
  readonly value: string
  readonly subdomains: boolean
}

interface RuleForm {
  /** Calls of tools, that what they return is public, or a step of sampling (MCP, "Sampling"). */
  readonly about: 'tools' | 'public' | SamplingTerms['step']
  readonly tokensPerDay: string
  readonly untrusted: boolean
  readonly effect: Rule['effect']
  /** Empty: any server. */
  readonly server: string
  /** Empty: every tool. */
  readonly tool: string
  readonly readOnly: boolean
  readonly conditions: readonly ConditionForm[]
  /** Names, separated by commas; empty: any. */
  readonly onlyArguments: string
  /** Empty: every chat. */
  readonly conversationId: string
  readonly lasting: RuleDuration | 'kept'
}

let lastKey = 0
export const emptyCondition = (): ConditionForm => ({ key: ++lastKey, kind: 'path-inside', argument: '', value: '', subdomains: false })

export const ruleFormOf = (rule: Partial<Rule> & Pick<Rule, 'effect' | 'scope'>): RuleForm => ({
  about: rule.public ? 'public' : (rule.sampling?.step ?? 'tools'),
  tokensPerDay: String(rule.sampling?.tokensPerDay ?? defaultSamplingBudget.tokensPerDay),
  untrusted: rule.sampling?.untrusted ?? false,
  effect: rule.effect,
  server: rule.server ?? '',
  tool: rule.tool ?? '',
  readOnly: rule.readOnly ?? false,
  conditions: (rule.conditions ?? []).map(conditionFormOf),
  onlyArguments: rule.onlyArguments?.join(', ') ?? '',
  conversationId: rule.scope.kind === 'conversation' ? rule.scope.conversationId : '',
  lasting: rule.expiresAt === undefined ? 'revoked' : 'kept',
})

export const emptyRuleForm = (server: string): RuleForm => ruleFormOf({ effect: 'allow', scope: { kind: 'always' }, server })

function conditionFormOf(condition: Condition): ConditionForm {
  const names = pointerNames(condition.argument)
  const argument = names.some((name) => name === '' || /[./]/.test(name)) ? condition.argument : names.join('.')
  const common = { ...emptyCondition(), kind: condition.kind, argument }
  switch (condition.kind) {
    case 'path-inside':
      return { ...common, value: condition.folder }
    case 'url-host':
      return { ...common, value: condition.host, subdomains: condition.subdomains }
    case 'equals':
      return { ...common, value: JSON.stringify(condition.value) }
    case 'pattern':
      return { ...common, value: condition.pattern }
  }
}

/** Returns the draft, or a sentence about what is missing. `before`: the edited rule. */
export function ruleDraftOf(form: RuleForm, before: Rule | undefined, now: number): RuleDraft | string {
  const { effect, server, tool, conversationId, lasting } = form
  if (effect === 'allow' && server === '') return t`Choose a server`
  const expiresAt = lasting === 'kept' ? before?.expiresAt : lasting === 'revoked' ? undefined : now + ruleDurationMs[lasting]
  const common = {
    effect,
    ...(server === '' ? {} : { server }),
    scope: conversationId === '' ? { kind: 'always' } : { kind: 'conversation', conversationId },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  if (form.about !== 'tools' && form.about !== 'public') {
    const limits = { tokensPerDay: Number(form.tokensPerDay), ...(form.untrusted ? { untrusted: true } : {}) }
    const sampling = samplingTerms.safeParse({ step: form.about, ...(effect === 'allow' ? limits : {}) })
    const parsed = sampling.success ? ruleDraft.safeParse({ ...common, sampling: sampling.data }) : undefined
    return parsed?.success ? parsed.data : t`A whole number of tokens, from 1.`
  }
  if (form.conditions.some(({ argument, value }) => argument.trim() === '' || value.trim() === ''))
    return t`Each condition needs an argument and a value.`
  const names = form.onlyArguments.split(',').map((name) => name.trim())
  const parsed = ruleDraft.safeParse({
    ...common,
    ...(form.about === 'public' ? { public: true } : tool.trim() === '' ? {} : { tool: tool.trim() }),
    ...(form.about === 'tools' && effect === 'allow' && form.readOnly && tool.trim() === '' ? { readOnly: true } : {}),
    ...(form.conditions.length === 0 ? {} : { conditions: form.conditions.map(conditionOf) }),
    ...(form.about !== 'tools' || effect !== 'allow' || form.onlyArguments.trim() === '' ? {} : { onlyArguments: names.filter(Boolean) }),
  })
  return parsed.success ? parsed.data : t`Write the argument as in the call, such as name or address.city.`
}

function conditionOf({ kind, argument: written, value: spelled, subdomains }: ConditionForm): unknown {
  const name = written.trim()
  const argument = name.startsWith('/') ? name : pointerTo(...name.split('.'))
  const value = spelled.trim()
  const byKind: Record<Condition['kind'], object> = {
    'path-inside': { folder: value },
    'url-host': { host: value, subdomains },
    equals: { value: asJson(value) },
    pattern: { pattern: value },
  }
  return { kind, argument, ...byKind[kind] }
}

/** Parses JSON; other text stands for itself. */
function asJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function argumentNames(schema: Json | undefined): readonly string[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) ? Object.keys(properties) : []
}

const kindLabels: Record<Condition['kind'], string> = {
  'path-inside': t`is inside the folder`,
  'url-host': t`leads to the host`,
  equals: t`is`,
  pattern: t`is like`,
}
const examples: typeof kindLabels = {
  'path-inside': '/home/me/notes',
  'url-host': 'example.org',
  equals: t`Value`,
  pattern: 'git log *',
}

interface ConditionRowsProps {
  readonly conditions: readonly ConditionForm[]
  readonly names: readonly string[]
  readonly onChange: (conditions: readonly ConditionForm[]) => void
}

function ConditionRows({ conditions, names, onChange }: ConditionRowsProps) {
  const change = (key: number, part: Partial<ConditionForm>): void =>
    onChange(conditions.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <div className="sec">
      {conditions.map(({ key, kind, argument, value, subdomains }, index) => (
        <fieldset key={key} className="condition">
          <legend className="sr">{tx`Condition ${index + 1}`}</legend>
          <SuggestingInput
            mono
            aria-label={t`Argument`}
            placeholder={t`Argument`}
            suggestions={names}
            value={argument}
            onText={(text) => change(key, { argument: text })}
          />
          <ChoiceSelect
            aria-label={t`Comparison`}
            value={kind}
            options={labelledOptions(kindLabels)}
            onChoose={(next) => change(key, { kind: next })}
          />
          <TextInput
            mono
            aria-label={t`Value`}
            placeholder={examples[kind]}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <IconButton label={t`Remove`} icon="close" small onClick={() => onChange(conditions.filter((one) => one.key !== key))} />
          {kind === 'url-host' && (
            <Checkbox checked={subdomains} label={t`Subdomains too`} onChange={(checked) => change(key, { subdomains: checked })} />
          )}
        </fieldset>
      ))}
      <p>
        <SmallGhostButton icon="plus" onClick={() => onChange([...conditions, emptyCondition()])}>
          {t`Add condition`}
        </SmallGhostButton>
      </p>
    </div>
  )
}

/** Tools of a server as Assent knows them; none until they are fetched. */
export function useServerTools(server: string): readonly ToolEntry[] {
  const { value, error, loading } = useHostAnswer('server.catalogue', server === '' ? undefined : { name: server })
  return value && !error && !loading ? value.tools : []
}

const effects = { allow: t`Allow`, ask: t`Ask`, deny: t`Deny` }
const lasts: Record<RuleForm['lasting'], string> = {
  revoked: t`until I revoke it`,
  hour: t`for an hour`,
  day: t`for a day`,
  month: t`for 30 days`,
  kept: t`as before`,
}

const subjects: Record<RuleForm['about'], string> = {
  tools: t`Tool calls`,
  public: t`Mark its data as public`,
  requests: t`Requests to your model`,
  answers: t`Sending it the answers`,
}

type RuleFieldsProps = { readonly form: RuleForm; readonly onChange: (change: Partial<RuleForm>) => void }
type ToolFieldProps = Pick<ComponentProps<typeof TextField>, 'value' | 'help' | 'onText'> & { readonly tools: readonly ToolEntry[] }

/** Field for a tool's name, with the known tools as suggestions. */
export function ToolField({ tools, help, ...input }: ToolFieldProps) {
  const names = tools.map(({ name }) => name)
  return (
    <Field label={t`Tool`} help={help}>
      {(ids) => <SuggestingInput {...ids} {...input} mono suggestions={names} />}
    </Field>
  )
}

export type BegunRule = { readonly server?: string | undefined; readonly tool?: string | undefined }

type RuleEditorProps = { readonly rule?: Rule; readonly begin?: BegunRule; readonly onDone: () => void }

export function RuleEditor({ rule, begin = {}, onDone }: RuleEditorProps) {
  const servers = useServers((state) => state.list)
  const [form, setForm] = useState<RuleForm>(() =>
    rule ? ruleFormOf(rule) : { ...emptyRuleForm(begin.server ?? servers[0]?.name ?? ''), tool: begin.tool ?? '' },
  )
  const [error, setError] = useState<string | undefined>(undefined)
  const { busy, submit } = useSubmit()
  const tools = useServerTools(form.server)
  const set = (change: Partial<RuleForm>): void => {
    setError(undefined)
    setForm((before) => ({ ...before, ...change }))
  }
  const draft = ruleDraftOf(form, rule, Date.now())
  const save = async (): Promise<void> => {
    if (typeof draft === 'string') return setError(draft)
    const outcome = await submit('rule.save', { ...(rule ? { id: rule.id } : {}), rule: draft })
    if (outcome.ok) return onDone()
    const { message, remedy } = describeError(outcome.error)
    setError([message, remedy].filter(Boolean).join(' '))
  }
  return (
    <section className="sec rule-editor" aria-label={rule ? t`Edit rule` : t`New rule`}>
      <Segmented label={t`Decision`} value={form.effect} choices={labelledOptions(effects)} onChange={(effect) => set({ effect })} />
      <SubjectFields form={form} tools={tools} onChange={set} />
      {(form.about === 'requests' || form.about === 'answers') && form.effect === 'allow' && (
        <>
          <TextField
            label={t`Tokens a day`}
            className="short num"
            inputMode="numeric"
            value={form.tokensPerDay}
            onText={(text) => set({ tokensPerDay: text.trim() })}
          />
          <Checkbox
            checked={form.untrusted}
            label={t`Even while I don’t trust the server`}
            help={t`You no longer see its prompts and your model’s answers.`}
            onChange={(untrusted) => set({ untrusted })}
          />
        </>
      )}
      {form.about === 'tools' && form.effect === 'allow' && form.tool.trim() === '' && (
        <Checkbox
          checked={form.readOnly}
          label={t`Only tools that claim to be read-only`}
          help={t`Applies while you trust the server.`}
          onChange={(readOnly) => set({ readOnly })}
        />
      )}
      {(form.about === 'tools' || form.about === 'public') && (
        <ConditionRows
          conditions={form.conditions}
          names={argumentNames(tools.find(({ name }) => name === form.tool.trim())?.inputSchema)}
          onChange={(conditions) => set({ conditions })}
        />
      )}
      <ScopeFields form={form} expires={rule?.expiresAt !== undefined} onChange={set} />
      {typeof draft !== 'string' && (
        <p className="wrap-any rule-says">
          {effects[form.effect]} <Pieces pieces={rulePieces(draft)} />
        </p>
      )}
      <div role="alert">{error !== undefined && <FieldError>{error}</FieldError>}</div>
      <div className="row">
        <Button variant="primary" aria-disabled={busy || undefined} onClick={() => !busy && void save()}>
          {t`Save`}
        </Button>
        <Button onClick={onDone}>{t`Cancel`}</Button>
      </div>
    </section>
  )
}

/** Fields for the subject of the rule: server, kind of request, tool. */
function SubjectFields({ form, tools, onChange }: RuleFieldsProps & { readonly tools: readonly ToolEntry[] }) {
  const servers = useServers((state) => state.list)
  const names = [...new Set([...servers.map(({ name }) => name), ...(form.server === '' ? [] : [form.server])])]
  const any = { value: '', label: t`Any server`, disabled: form.effect === 'allow' }
  return (
    <div className="rule-fields">
      <SelectField
        label={t`Server`}
        value={form.server}
        options={[any, ...names.map((name) => ({ value: name, label: name }))]}
        onChoose={(server) => onChange({ server })}
      />
      <SelectField
        label={t`Kind`}
        value={form.about}
        options={labelledOptions(subjects)}
        onChoose={(about) => onChange(about === 'public' ? { about, effect: 'allow' } : { about })}
      />
      {form.about === 'tools' && (
        <ToolField
          tools={tools}
          help={form.effect === 'allow' ? t`Empty: every tool it has now.` : t`Empty: every tool. * is any text.`}
          value={form.tool}
          onText={(tool) => onChange({ tool })}
        />
      )}
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
        <TextField
          label={t`Only these arguments`}
          help={t`Separated by commas. Empty: others too.`}
          mono
          value={form.onlyArguments}
          onText={(onlyArguments) => onChange({ onlyArguments })}
        />
      )}
      <SelectField
        label={t`Where`}
        value={form.conversationId}
        options={[{ value: '', label: t`Everywhere` }, ...known.map(({ id, title }) => ({ value: id, label: title }))]}
        onChoose={(conversationId) => onChange({ conversationId })}
      />
      <SelectField
        label={t`How long the rule counts`}
        value={form.lasting}
        options={labelledOptions(lasts).filter(({ value }) => value !== 'kept' || expires)}
        onChoose={(lasting) => onChange({ lasting })}
      />
    </div>
  )
}
