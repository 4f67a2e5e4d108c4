// Standing answers: the rule that "for this conversation", "always" or "never" makes. An approval is bound to the tool's
// definition as shown; a refusal outlives any change of it.
import { canonicalJson } from '#app/canonical-json.ts'
import { isVoid } from '#app/consent/decide.ts'
import type { ConsentRequest, ConsentScope, ToolCallRequest } from '#app/consent/request.ts'
import type { Rule, RuleTerms } from '#app/consent/rule.ts'
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { Kit } from './kit.ts'
import { programNow } from './programs.ts'
import type { DecidedBy } from './record.ts'

export interface StandingAnswer {
  readonly effect: 'allow' | 'deny'
  readonly scope: Exclude<ConsentScope, 'once'>
  readonly terms?: RuleTerms | undefined
}

/** The rule that would answer the same call again; the one that is there already, where there is one. */
export function planRule(kit: Kit, request: ToolCallRequest, { effect, scope, terms = {} }: StandingAnswer): Rule {
  const { onlyArguments, ...where } = terms
  const allows = effect === 'allow'
  const rule: Rule = {
    id: newId(),
    effect,
    server: request.server,
    tool: request.tool,
    ...where,
    ...(allows && onlyArguments ? { onlyArguments } : {}),
    scope: scope === 'always' ? { kind: 'always' } : { kind: 'conversation', conversationId: conversationOf(request) },
    ...(allows ? { fingerprint: request.fingerprint, ...madeFor(kit, request.server) } : {}),
    createdAt: kit.clock.now(),
  }
  return kit.rules.list().find((other) => sameAnswer(other, rule)) ?? rule
}

/** The program that an approval of this server is bound to. */
export function madeFor(kit: Kit, server: string): Pick<Rule, 'program'> {
  const { now } = programNow(kit, server)
  return now === '' ? {} : { program: now }
}

/** Keeps it, removes the approvals of earlier definitions of the tool where it is one of this, and tells every window. */
export function applyRule(kit: Kit, rule: Rule, by: DecidedBy): void {
  const rules = kit.rules.list()
  if (rules.some((other) => other.id === rule.id)) return
  kit.record.rule(rule, 'added', by)
  kit.rules.put(rule)
  const facts = { server: rule.server, tool: rule.tool ?? '', fingerprint: rule.fingerprint ?? '' }
  for (const other of rules) {
    if (rule.effect !== 'allow' || rule.sampling || other.server !== rule.server || other.tool !== rule.tool || !isVoid(facts, other))
      continue
    kit.record.rule(other, 'removed', by, { replacedBy: rule.id })
    kit.rules.remove(other.id)
  }
  kit.emit('rules.changed', { rules: kit.rules.list() })
}

/** Another program stands behind the server's name: its standing approvals go, what the person refused stays refused. */
export function voidApprovals(kit: Kit, server: string, by: DecidedBy, because: string): readonly Rule[] {
  if (kit.rules.forgetTold(server)) kit.record.toldForgotten(server, by, because)
  const isTheirs = (rule: Rule): boolean => rule.server === server && rule.effect === 'allow'
  for (const [id, rule] of kit.removed) if (isTheirs(rule)) kit.removed.delete(id)
  const approvals = kit.rules.list().filter(isTheirs)
  if (approvals.length === 0) return []
  for (const rule of approvals) kit.rules.remove(rule.id)
  kit.emit('rules.changed', { rules: kit.rules.list() })
  for (const rule of approvals) kit.record.rule(rule, 'removed', by, { because })
  return approvals
}

/** The server is gone, or another takes its name: what was allowed ends, what was refused stays refused. */
export function endApprovals(kit: Kit, server: string, by: DecidedBy, because: string): readonly Rule[] {
  kit.programs.delete(server)
  return voidApprovals(kit, server, by, because)
}

export function restoreApprovals(kit: Kit, ended: readonly Rule[]): void {
  // On record first: what cannot be recorded is not allowed.
  for (const rule of ended) kit.record.rule(rule, 'restored', 'person')
  for (const rule of ended) kit.rules.put(rule)
  if (ended.length > 0) kit.emit('rules.changed', { rules: kit.rules.list() })
}

export function removeRule(kit: Kit, id: string): void {
  const rule = kit.rules.list().find((other) => other.id === id)
  if (!rule) return
  // Taken back first: an approval must not outlive a record that cannot be written.
  kit.rules.remove(id)
  kit.removed.set(id, rule)
  kit.emit('rules.changed', { rules: kit.rules.list() })
  kit.record.rule(rule, 'removed', 'person')
}

/** The host's own copy comes back, so that no page can make a rule up. What the tool became meanwhile, its fingerprint tells. */
export function restoreRule(kit: Kit, id: string): void {
  const rule = kit.removed.get(id)
  if (!rule) throw new HostError('rule.unknown', t`This rule was not removed since Assent started, so it cannot be put back.`)
  const standing = kit.rules.list().some((other) => sameAnswer(other, rule))
  if (!standing) {
    // On record first: what cannot be recorded is not allowed.
    kit.record.rule(rule, 'restored', 'person')
    kit.rules.put(rule)
    kit.emit('rules.changed', { rules: kit.rules.list() })
  }
  kit.removed.delete(id)
}

export function conversationOf(request: Pick<ConsentRequest, 'conversationId'>): string {
  if (request.conversationId === undefined)
    throw new HostError('contract.invalid', t`This belongs to no conversation, so it cannot be answered for one.`)
  return request.conversationId
}

/** But for when and as what it was made. */
export const sameAnswer = (a: Rule, b: Rule): boolean =>
  canonicalJson({ ...a, id: '', createdAt: 0 } as Json) === canonicalJson({ ...b, id: '', createdAt: 0 } as Json)
