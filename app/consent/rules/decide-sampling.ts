// Decides whether a server gets a model answer unasked, by rules, its daily budget and the consent mode. Pure and independent of
// rule order. A deny wins; an ask wins over what is not narrower. No rule exceeds the budget, speaks for an untrusted server
// (unless it says so), or releases an answer that asks for tool calls.
import type { ConsentVerdict } from './decide.ts'
import { type CallFacts, isExpired, isOfOtherProgram } from './match-rule.ts'
import type { Rule } from './rule.ts'
import type { SamplingDay } from './sampling-budget.ts'

export interface SamplingFacts extends Pick<CallFacts, 'server' | 'conversationId' | 'mode' | 'program' | 'now'> {
  readonly trusted: boolean
  /** Step: the prompt before it is sent, or the answer before it is released. */
  readonly step: 'prompt' | 'answer'
  /** Most tokens that it may use beyond those of the day; 0 for an answer, which is counted already. */
  readonly tokens: number
  readonly day: SamplingDay
  readonly callsTools: boolean
}

export type SamplingRuleVerdict = ConsentVerdict | { readonly kind: 'deny'; readonly by: 'budget' }

type SamplingRule = Rule & { readonly sampling: NonNullable<Rule['sampling']> }

export function decideSampling(facts: SamplingFacts, rules: readonly Rule[]): SamplingRuleVerdict {
  const verdict = decideByRules(facts, rules)
  if (facts.mode === 'ask-all' && verdict.kind === 'allow') return { kind: 'ask', why: { kind: 'mode-asks' } }
  if (facts.mode === 'rules-only' && verdict.kind === 'ask') return { kind: 'deny', by: 'mode', mode: facts.mode }
  return verdict
}

function decideByRules(facts: SamplingFacts, rules: readonly Rule[]): SamplingRuleVerdict {
  const about = rules.filter((rule): rule is SamplingRule => isAboutSampling(facts, rule)).sort(byWeight)
  const deny = about.find(({ effect }) => effect === 'deny')
  if (deny) return { kind: 'deny', by: 'rule', rule: deny }
  const { used, budget } = facts.day
  if (facts.step === 'prompt' && used + facts.tokens > budget.tokensPerDay)
    return budget.over === 'refuse' ? { kind: 'deny', by: 'budget' } : { kind: 'ask', why: { kind: 'sampling-budget' } }
  const ask = about.find(({ effect }) => effect === 'ask')
  const allows = about.filter((rule) => rule.effect === 'allow' && (!ask || isNarrower(rule, ask)))
  const fits = ({ sampling }: SamplingRule): boolean => used + facts.tokens <= (sampling.tokensPerDay ?? 0)
  const trusts = ({ sampling }: SamplingRule): boolean => facts.trusted || sampling.untrusted === true
  const allow = allows.find((rule) => fits(rule) && trusts(rule))
  if (allow && !facts.callsTools) return { kind: 'allow', by: 'rule', rule: allow }
  if (allow) return { kind: 'ask', why: { kind: 'sampling-tools' } }
  if (ask) return { kind: 'ask', why: { kind: 'ask-rule', ruleId: ask.id } }
  const [held] = allows
  if (held) return { kind: 'ask', why: { kind: trusts(held) ? 'sampling-limit' : 'sampling-untrusted', ruleId: held.id } }
  return { kind: 'ask', why: { kind: 'server-asks' } }
}

/** Whether a rule speaks of this request. A rule about answers allows no prompt. */
function isAboutSampling(facts: SamplingFacts, rule: Rule): rule is SamplingRule {
  if (rule.sampling === undefined || isExpired(rule, facts.now) || isOfOtherProgram(facts.program, rule)) return false
  if (rule.server !== undefined && rule.server !== facts.server) return false
  if (rule.scope.kind === 'conversation' && rule.scope.conversationId !== facts.conversationId) return false
  return rule.sampling.step === 'requests' || facts.step === 'answer'
}

/** Whether `rule` covers less than `other`, and nothing else. */
function isNarrower(rule: SamplingRule, other: SamplingRule): boolean {
  const less = [
    [rule.scope.kind === 'conversation', other.scope.kind === 'conversation'],
    [rule.server !== undefined, other.server !== undefined],
    [rule.sampling.step === 'answers', other.sampling.step === 'answers'],
  ] as const
  return less.every(([own, its]) => own || !its) && less.some(([own, its]) => own && !its)
}

/** Orders matching rules: the narrowest, then the highest limit, then the oldest. */
const byWeight = (a: SamplingRule, b: SamplingRule): number =>
  weight(b) - weight(a) ||
  (b.sampling.tokensPerDay ?? 0) - (a.sampling.tokensPerDay ?? 0) ||
  a.createdAt - b.createdAt ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const weight = ({ server, scope, sampling }: SamplingRule): number =>
  (server === undefined ? 0 : 4) + (scope.kind === 'conversation' ? 2 : 0) + (sampling.step === 'answers' ? 1 : 0)
