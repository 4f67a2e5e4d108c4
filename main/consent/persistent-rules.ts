// Standing answers: the rule that "for this conversation", "always" or "never" makes. An approval is bound to the tool's
// definition as shown; a refusal outlives any change of it. What stands behind a server's name. An approval answers for the
// program that it was made for, and for no other that gets the name: by another entry, by a rename, or by a yes to a changed
// program that was said for once.
import { canonicalToolJson } from '#app/canonical-json.ts'
import { compareDigests, type LaunchDigest } from '#app/consent/launch-digest.ts'
import type { ConsentRequest, ConsentScope, ToolCallRequest } from '#app/consent/request.ts'
import { isVoid } from '#app/consent/rules/decide.ts'
import { isOfOtherProgram, type ProgramNow } from '#app/consent/rules/match-rule.ts'
import type { Rule, RuleTerms } from '#app/consent/rules/rule.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { newId } from '#main/base/ids.ts'
import type { StoredLaunch } from '#main/store/store-api.ts'
import type { ApprovedCall } from './approved.ts'
import type { DecidedBy } from './audit-writer.ts'
import { sha256 } from './audit-writer.ts'
import type { BrokerContext } from './broker-context.ts'

/** Both are empty for a server that needs no launch approval. */
export function programNow({ rules, programs }: Pick<BrokerContext, 'rules' | 'programs'>, server: string): ProgramNow {
  const approved = rules.launch(server)?.fingerprint ?? ''
  return { now: programs.get(server) ?? approved, approved }
}

/** A new token is the same program; any other changed value may lead it elsewhere. */
export function hasSameValues(before: StoredLaunch, digest: LaunchDigest | undefined): boolean {
  const since = compareDigests(before.digests, digest)
  return since.kind !== 'changed' || since.names.every(looksSecret)
}

/** Of what was allowed for once: with other values than were approved for good it is another program. */
export const programOnce = (fingerprint: string, isSame: boolean, digest: LaunchDigest | undefined): string =>
  isSame ? fingerprint : `${fingerprint} ${sha256(canonicalToolJson(digest?.values ?? {}))}`

/** The same program, known by another fingerprint from now on. */
export function renameProgram({ rules }: BrokerContext, server: string, from: string, to: string): void {
  for (const rule of rules.list()) if (rule.server === server && rule.program === from) rules.put({ ...rule, program: to })
}

interface PersistentAnswer {
  readonly effect: 'allow' | 'deny'
  readonly scope: Exclude<ConsentScope, 'once'>
  readonly terms?: RuleTerms | undefined
}

/** The rule that would answer the same call again; the one that is there already, where there is one. */
export function planRule(context: BrokerContext, request: ToolCallRequest, { effect, scope, terms = {} }: PersistentAnswer): Rule {
  const { onlyArguments, ...where } = terms
  const allows = effect === 'allow'
  const rule: Rule = {
    id: newId(),
    effect,
    server: request.server,
    tool: request.tool,
    ...where,
    ...(allows && onlyArguments ? { onlyArguments } : {}),
    scope: scope === 'always' ? { kind: 'always' } : { kind: 'conversation', conversationId: requestConversation(request) },
    ...(allows ? { fingerprint: request.fingerprint, ...madeFor(context, request.server) } : {}),
    createdAt: context.clock.now(),
  }
  return context.rules.list().find((other) => sameAnswer(other, rule)) ?? rule
}

/** The program that an approval of this server is bound to. */
export function madeFor(context: BrokerContext, server: string): Pick<Rule, 'program'> {
  const { now } = programNow(context, server)
  return now === '' ? {} : { program: now }
}

/** Keeps it, removes the approvals of earlier definitions of the tool where it is one of this, and tells every window. */
export function applyRule(context: BrokerContext, rule: Rule, by: DecidedBy): void {
  const rules = context.rules.list()
  if (rules.some((other) => other.id === rule.id)) return
  context.audit.rule(rule, 'added', by)
  context.rules.put(rule)
  const facts = { server: rule.server, tool: rule.tool ?? '', fingerprint: rule.fingerprint ?? '' }
  for (const other of rules) {
    if (rule.effect !== 'allow' || rule.sampling || other.server !== rule.server || other.tool !== rule.tool || !isVoid(facts, other))
      continue
    context.audit.rule(other, 'removed', by, { replacedBy: rule.id })
    context.rules.remove(other.id)
  }
  context.emit('rules.changed', { rules: context.rules.list() })
}

/** Another program stands behind the server's name: its standing approvals go, what the person refused stays refused. */
export function voidApprovals(context: BrokerContext, server: string, by: DecidedBy, because: string): readonly Rule[] {
  if (context.rules.forgetSharedFolders(server)) context.audit.toldForgotten(server, by, because)
  const isTheirs = (rule: Rule): boolean => rule.server === server && rule.effect === 'allow'
  for (const [id, rule] of context.removed) if (isTheirs(rule)) context.removed.delete(id)
  const approvals = context.rules.list().filter(isTheirs)
  if (approvals.length === 0) return []
  for (const rule of approvals) context.rules.remove(rule.id)
  context.emit('rules.changed', { rules: context.rules.list() })
  for (const rule of approvals) context.audit.rule(rule, 'removed', by, { because })
  return approvals
}

/** The server is gone, or another takes its name: what was allowed ends, what was refused stays refused. */
export function endApprovals(context: BrokerContext, server: string, by: DecidedBy, because: string): readonly Rule[] {
  context.programs.delete(server)
  return voidApprovals(context, server, by, because)
}

/** Whether what allowed a call still does. False: its rule ended since, or another program has the server's name by now. */
export function stillAllowed(context: BrokerContext, { server, decision }: Pick<ApprovedCall, 'server' | 'decision'>): boolean {
  if (decision.by !== 'rule') return true
  const rule = context.rules.list().find(({ id }) => id === decision.ruleId)
  return rule !== undefined && !isOfOtherProgram(programNow(context, server), rule)
}

export function restoreApprovals(context: BrokerContext, ended: readonly Rule[]): void {
  // On record first: what cannot be recorded is not allowed.
  for (const rule of ended) context.audit.rule(rule, 'restored', 'person')
  for (const rule of ended) context.rules.put(rule)
  if (ended.length > 0) context.emit('rules.changed', { rules: context.rules.list() })
}

export function removeRule(context: BrokerContext, id: string): void {
  const rule = context.rules.list().find((other) => other.id === id)
  if (!rule) return
  // Taken back first: an approval must not outlive a record that cannot be written.
  context.rules.remove(id)
  context.removed.set(id, rule)
  context.emit('rules.changed', { rules: context.rules.list() })
  context.audit.rule(rule, 'removed', 'person')
}

/** The host's own copy comes back, so that no page can make a rule up. What the tool became meanwhile, its fingerprint tells. */
export function restoreRule(context: BrokerContext, id: string): void {
  const rule = context.removed.get(id)
  if (!rule) throw new HostError('rule.unknown', t`This rule was not removed since Assent started, so it cannot be put back.`)
  const standing = context.rules.list().some((other) => sameAnswer(other, rule))
  if (!standing) {
    // On record first: what cannot be recorded is not allowed.
    context.audit.rule(rule, 'restored', 'person')
    context.rules.put(rule)
    context.emit('rules.changed', { rules: context.rules.list() })
  }
  context.removed.delete(id)
}

export function requestConversation(request: Pick<ConsentRequest, 'conversationId'>): string {
  if (request.conversationId === undefined)
    throw new HostError('contract.invalid', t`This belongs to no conversation, so it cannot be answered for one.`)
  return request.conversationId
}

/** But for when and as what it was made. */
export const sameAnswer = (a: Rule, b: Rule): boolean =>
  canonicalToolJson({ ...a, id: '', createdAt: 0 } as Json) === canonicalToolJson({ ...b, id: '', createdAt: 0 } as Json)
