// A rule as the text of its form, until it is saved.
import { type Condition, type Rule, type RuleDraft, ruleDraft } from '#app/consent/rules/rule.ts'
import { defaultSamplingBudget, type SamplingTerms, samplingTerms } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, pointerNames, pointerTo } from '#app/json.ts'
import { type RuleDuration, ruleDurationMs } from '#renderer/features/consent/request/scope-choice.tsx'

export interface ConditionForm {
  readonly key: number
  readonly kind: Condition['kind']
  /** `path`, `options.path`, or a JSON Pointer. */
  readonly argument: string
  readonly value: string
  readonly subdomains: boolean
}

export interface RuleForm {
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
  if (effect === 'allow' && server === '') return t`Choose a server.`
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

/** Names of the arguments in a tool's schema. */
export function argumentNames(schema: Json | undefined): readonly string[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) ? Object.keys(properties) : []
}
