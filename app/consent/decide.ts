// Whether a tool call may run, from the rules alone. Pure, and independent of the order of the rules:
// - a deny rule that matches wins over everything;
// - else the narrowest rule wins: one for the tool over one for its server, one for this conversation over one for all;
// - at equal breadth, ask wins over allow;
// - an allow rule bound to another definition of the tool is void, and no broader approval that never saw the new
//   definition takes its place: the person is asked, with `tool-changed`. Deny and ask rules outlive such a change,
//   so that no change of a tool ever loosens what the person said.
import type { Why } from './request.ts'
import type { Rule } from './rule.ts'

export interface CallFacts {
  readonly server: string
  readonly tool: string
  readonly conversationId?: string | undefined
  /** Of the tool's definition as it is now. */
  readonly fingerprint: string
}

export type ConsentVerdict = { readonly kind: 'allow' | 'deny'; readonly rule: Rule } | { readonly kind: 'ask'; readonly why: Why }

export function decideConsent(facts: CallFacts, rules: readonly Rule[]): ConsentVerdict {
  const matching = rules.filter((rule) => matches(facts, rule)).sort(byWeight)
  const deny = matching.find((rule) => rule.effect === 'deny')
  if (deny) return { kind: 'deny', rule: deny }

  const best = matching.find((rule) => !isVoid(facts, rule))
  const voided = matching.find((rule) => isVoid(facts, rule))
  if (best?.effect === 'ask') return { kind: 'ask', why: { kind: 'ask-rule', ruleId: best.id } }
  if (best && !(voided && best.fingerprint === undefined && narrowness(voided) >= narrowness(best))) return { kind: 'allow', rule: best }
  return { kind: 'ask', why: voided ? { kind: 'tool-changed' } : { kind: 'no-rule' } }
}

/** Whether the rule speaks of this call at all, its fingerprint aside. */
export const matches = (facts: CallFacts, rule: Rule): boolean =>
  rule.server === facts.server &&
  (rule.tool === undefined || rule.tool === facts.tool) &&
  (rule.scope.kind === 'always' || rule.scope.conversationId === facts.conversationId)

/** An approval of another definition of the tool. */
export const isVoid = (facts: CallFacts, rule: Rule): boolean =>
  rule.effect === 'allow' && rule.fingerprint !== undefined && rule.fingerprint !== facts.fingerprint

const narrowness = (rule: Rule): number => (rule.tool === undefined ? 0 : 2) + (rule.scope.kind === 'conversation' ? 1 : 0)

const effectWeight = { deny: 0, ask: 1, allow: 2 } as const

/** Narrowest first; then ask before allow, bound before unbound, old before new. Total, so that order never matters. */
function byWeight(a: Rule, b: Rule): number {
  return (
    narrowness(b) - narrowness(a) ||
    effectWeight[a.effect] - effectWeight[b.effect] ||
    Number(a.fingerprint === undefined) - Number(b.fingerprint === undefined) ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}
