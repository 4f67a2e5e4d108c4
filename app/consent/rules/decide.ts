// Decides whether a tool call may run, by the rules and the consent mode. Pure, and independent of rule order. A matching deny rule
// wins; where a match is unsure, the person is asked. A matching ask rule wins over allow rules that are not narrower. An approval
// of another definition of the tool is void, and no broader approval takes its place; deny and ask rules outlive a change. Access
// to Assent's data folder, and calls that could send private data after the model read what strangers wrote, always need the person.
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { Json } from '#app/json.ts'
import { isHostOf } from '#app/text/host-name.ts'
import { isForAccount } from '../../server/auth-status.ts'
import type { AskReason } from '../request.ts'
import type { ConsentMode } from './consent-mode.ts'
import { type CallFacts, matchCondition, matchRule, openFlow } from './match-rule.ts'
import { isInside } from './path-text.ts'
import type { Condition, Rule } from './rule.ts'

export type ConsentVerdict =
  | { readonly kind: 'allow' | 'deny'; readonly by: 'rule'; readonly rule: Rule }
  | { readonly kind: 'allow' | 'deny'; readonly by: 'mode'; readonly mode: ConsentMode }
  | { readonly kind: 'ask'; readonly why: AskReason }

export function decideConsent(facts: CallFacts, rules: readonly Rule[]): ConsentVerdict {
  const verdict = decideByRules(facts, rules)
  if (verdict.kind === 'allow' && facts.ownFolder) return asked(facts, { kind: 'own-folder' })
  if (verdict.kind === 'allow' && openFlow(facts, rules)) return asked(facts, { kind: 'flow' })
  if (verdict.kind !== 'deny' && facts.skillsOf?.length) return asked(facts, { kind: 'skill', servers: [...facts.skillsOf] })
  if (facts.mode === 'ask-all' && verdict.kind === 'allow') return { kind: 'ask', why: { kind: 'mode-asks' } }
  return verdict.kind === 'ask' ? asked(facts, verdict.why) : verdict
}

const asked = ({ mode }: CallFacts, why: AskReason): ConsentVerdict =>
  mode === 'rules-only' ? { kind: 'deny', by: 'mode', mode } : { kind: 'ask', why }

function decideByRules(facts: CallFacts, rules: readonly Rule[]): ConsentVerdict {
  const matching = rules
    .map((rule) => ({ rule, match: matchRule(facts, rule) }))
    .filter(({ match }) => match !== 'no')
    .sort((a, b) => byWeight(a.rule, b.rule))
  const denies = matching.filter(({ rule }) => rule.effect === 'deny')
  const deny = denies.find(({ match }) => match === 'yes')
  if (deny) return { kind: 'deny', by: 'rule', rule: deny.rule }
  if (denies[0]) return { kind: 'ask', why: { kind: 'unsure-rule', ruleId: denies[0].rule.id } }

  const asks = matching.filter(({ rule }) => rule.effect === 'ask')
  const allows = matching.filter(({ rule }) => rule.effect === 'allow')
  const voided = allows.some(({ rule }) => isVoid(facts, rule))
  const allow = allows.find(
    ({ rule }) => !isVoid(facts, rule) && (!voided || isBound(facts, rule)) && asks.every((ask) => isNarrower(facts, rule, ask.rule)),
  )
  if (allow) return { kind: 'allow', by: 'rule', rule: allow.rule }
  const ask = asks.find(({ match }) => match === 'yes') ?? asks[0]
  if (ask) return { kind: 'ask', why: { kind: ask.match === 'yes' ? 'ask-rule' : 'unsure-rule', ruleId: ask.rule.id } }
  if (voided) return { kind: 'ask', why: { kind: 'tool-changed' } }
  if (rules.some((rule) => isOfOtherAccount(facts, rule))) return { kind: 'ask', why: { kind: 'account-changed' } }
  if (facts.mode === 'ask-writes' && facts.readOnly) return { kind: 'allow', by: 'mode', mode: facts.mode }
  return { kind: 'ask', why: { kind: 'no-rule' } }
}

/** Whether an approval would answer, had it been made for the account of now. */
function isOfOtherAccount(facts: CallFacts, rule: Rule): boolean {
  const { program } = facts
  if (program === undefined || isForAccount(rule.account, program.account)) return false
  const asThen = { ...facts, program: { ...program, account: rule.account } }
  return rule.effect === 'allow' && matchRule(asThen, rule) === 'yes' && !isVoid(facts, rule)
}

type Definition = Pick<CallFacts, 'tool' | 'fingerprint'>

export function boundTo({ tool }: Pick<CallFacts, 'tool'>, rule: Rule): string | undefined {
  if (rule.definitions && Object.hasOwn(rule.definitions, tool)) return rule.definitions[tool]
  return rule.tool === undefined || rule.tool === tool ? rule.fingerprint : undefined
}

/** Whether an approval is of another definition of the tool. */
export function isVoid(facts: Definition, rule: Rule): boolean {
  const bound = boundTo(facts, rule)
  return rule.effect === 'allow' && bound !== undefined && bound !== facts.fingerprint
}

const isBound = (facts: Definition, rule: Rule): boolean => boundTo(facts, rule) === facts.fingerprint

/** Whether `rule` covers less than `other`; both match this call. Overlapping rules are neither. */
const isNarrower = (facts: CallFacts, rule: Rule, other: Rule): boolean => covers(facts, other, rule) && !covers(facts, rule, other)

/** Whether `broad` covers all that `narrow` does; both match this call. */
function covers(facts: CallFacts, broad: Rule, narrow: Rule): boolean {
  return (
    (broad.server === undefined || narrow.server !== undefined) &&
    toolCovers(facts.tool, broad, narrow) &&
    (broad.scope.kind === 'always' || narrow.scope.kind === 'conversation') &&
    agentCovers(broad.agent, narrow.agent) &&
    (broad.onlyArguments === undefined || isSubset(narrow.onlyArguments, broad.onlyArguments)) &&
    (broad.conditions ?? []).every((condition) => (narrow.conditions ?? []).some((own) => implies(facts, own, condition)))
  )
}

function agentCovers(broad: Rule['agent'], narrow: Rule['agent']): boolean {
  if (!broad) return true
  const { client, folder } = broad
  if (!narrow || (client !== undefined && client !== narrow.client)) return false
  return folder === undefined || (narrow.folder !== undefined && isInside(narrow.folder, folder))
}

function toolCovers(tool: string, broad: Rule, narrow: Rule): boolean {
  if (narrow.tool === tool) return true
  if (broad.tool !== undefined) return broad.tool === narrow.tool
  return broad.readOnly === undefined || narrow.readOnly === true
}

const isSubset = (names: readonly string[] | undefined, of: readonly string[]): boolean =>
  names?.every((name) => of.includes(name)) ?? false

/** Whether every value that satisfies `own` satisfies `other`. */
function implies(facts: CallFacts, own: Condition, other: Condition): boolean {
  if (own.argument !== other.argument) return false
  if (own.kind === 'equals') return matchCondition(facts, other, false) === 'yes'
  if (own.kind === 'path-inside' && other.kind === 'path-inside')
    return isInside(own.real ?? own.folder, other.real ?? other.folder) && isInside(own.folder, other.folder)
  if (own.kind === 'url-host' && other.kind === 'url-host')
    return (own.host === other.host && (other.subdomains || !own.subdomains)) || (other.subdomains && isHostOf(own.host, other.host, true))
  return canonicalToolJson({ ...own } as Json) === canonicalToolJson({ ...other } as Json)
}

const effectWeight = { deny: 0, ask: 1, allow: 2 } as const

/** Orders matching rules: the narrowest, then the oldest. Total, so that rule order never matters. */
function byWeight(a: Rule, b: Rule): number {
  return (
    weight(b) - weight(a) ||
    effectWeight[a.effect] - effectWeight[b.effect] ||
    Number(a.fingerprint === undefined) - Number(b.fingerprint === undefined) ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

const weight = (rule: Rule): number =>
  (rule.tool === undefined ? (rule.readOnly ? 100 : 0) : 200) +
  (rule.server === undefined ? 0 : 50) +
  (rule.agent ? 1 : 0) +
  Math.min(rule.conditions?.length ?? 0, 20) * 2 +
  (rule.scope.kind === 'conversation' ? 1 : 0)
