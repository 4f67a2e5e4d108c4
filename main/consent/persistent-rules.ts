// Rules that an answer "for this conversation", "always" or "never" makes. An approval is bound to the tool's definition as shown, and
// to the program behind the server's name: it does not count for another program that gets the name by another entry, a rename, or an
// approval for once. A refusal outlives such changes.
import { canonicalToolJson } from '#app/canonical-json.ts'
import { compareDigests, type LaunchDigest, maskTarget } from '#app/consent/launch-digest.ts'
import type { ConsentRequest, ConsentScope, LaunchTarget, ToolCallRequest } from '#app/consent/request.ts'
import { isVoid } from '#app/consent/rules/decide.ts'
import { isOfOtherProgram, type ProgramNow } from '#app/consent/rules/match-rule.ts'
import { isToolRule, type Rule, type RuleTerms } from '#app/consent/rules/rule.ts'
import { joinReads, serverSource } from '#app/consent/taint/private-flow.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type Account, isForAccount } from '#app/server/auth-status.ts'
import { newId } from '#main/base/ids.ts'
import type { StoredLaunch } from '#main/store/store-api.ts'
import type { ApprovedCall } from './approved.ts'
import { type DecidedBy, launchFingerprint, sha256Of } from './audit-writer.ts'
import type { AccountChange } from './broker-api.ts'
import type { BrokerContext } from './broker-context.ts'

type Programs = Pick<BrokerContext, 'rules' | 'programs' | 'accounts'>

/** Returns the running and the approved program of a server; both are empty where no launch approval is needed. */
export function programNow({ rules, programs, accounts }: Programs, server: string): ProgramNow {
  const approved = rules.launch(server)?.fingerprint ?? ''
  return { now: programs.get(server)?.program ?? approved, approved, ...defined({ account: accounts.now.get(server) }) }
}

/** Identity of an approved launch. One from before identities were kept has its fingerprint. */
export const identityOf = ({ identity, fingerprint }: StoredLaunch): string => identity ?? fingerprint

/** Identity of the program behind a server's name, and of the account it is used as; undefined where no launch approval is needed. */
export function identityNow({ rules, programs, accounts }: Programs, server: string): string | undefined {
  const launch = rules.launch(server)
  return withAccount(programs.get(server)?.identity ?? (launch && identityOf(launch)), accounts.now.get(server))
}

const withAccount = (program: string | undefined, account: Account | undefined): string | undefined =>
  account ? `${program ?? ''} ${account.id}` : program

export function takeAccount(context: BrokerContext, server: string, account: Account | undefined, change?: AccountChange): void {
  const { accounts, rules } = context
  if (change?.kind === 'told' && account) renameAccount(context, server, change.before, account)
  if (account) accounts.now.set(server, account)
  else accounts.now.delete(server)
  if (change?.kind !== 'changed') return
  rules.forgetTrust(server)
  if (rules.forgetSharedFolders(server)) context.audit.toldForgotten(server, 'policy', 'account-changed')
  context.onProgram(server)
}

/** Binds the approvals of an account to what is known of it now, and answers about its data. */
function renameAccount(context: BrokerContext, server: string, before: Account | undefined, account: Account): void {
  const { rules } = context
  const launch = rules.launch(server)
  const own = launch && identityOf(launch)
  const moved = (identity: string | undefined) => (identity === withAccount(own, before) ? withAccount(own, account) : identity)
  let changed = false
  for (const rule of rules.list()) {
    const { flow, identity } = rule
    const named = rule.server === server && rule.effect === 'allow' && rule.account?.id === before?.id ? { account } : {}
    const about = rule.server === server && rule.public ? defined({ identity: moved(identity) }) : {}
    const from =
      flow?.kind === 'server' && flow.server === server ? { flow: { ...flow, ...defined({ identity: moved(flow.identity) }) } } : {}
    const next = { ...rule, ...named, ...about, ...from }
    if (sameAnswer(next, rule)) continue
    rules.put(next)
    changed = true
  }
  if (changed) context.emit('rules.changed', { rules: rules.list() })
}

/** Whether another program runs than the approved one. */
export function runsOther(context: Programs, server: string): boolean {
  const { now, approved } = programNow(context, server)
  return approved !== '' && now !== approved
}

/** Whether a launch has the values of before, as far as that can be told. With another token it may be another's account. */
export const hasSameValues = (before: StoredLaunch, digest: LaunchDigest | undefined): boolean =>
  compareDigests(before.digests, digest).kind !== 'changed'

/** Identifies a program that was allowed for once. With other values than those approved for good it is another program. */
export const programOnce = (fingerprint: string, isSame: boolean, digest: LaunchDigest | undefined): string =>
  isSame ? fingerprint : `${fingerprint} ${sha256Of(canonicalToolJson(digest?.values ?? {}))}`

export function renameProgram({ rules }: BrokerContext, server: string, from: string, to: string): void {
  for (const rule of rules.list()) if (rule.server === server && rule.program === from) rules.put({ ...rule, program: to })
}

interface PersistentAnswer extends Pick<Rule, 'effect'> {
  readonly scope: Exclude<ConsentScope, 'once'>
  readonly terms?: RuleTerms | undefined
}

/** Returns the rule that an answer makes, or the existing rule with the same effect. */
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
    scope: ruleScope(request, scope),
    ...agentOf(request),
    ...(allows ? { fingerprint: request.fingerprint, ...madeFor(context, request) } : {}),
    createdAt: context.clock.now(),
  }
  return existing(context, rule)
}

/** An answer to an agent is for its entry alone and, where the system told its folder, for work in that folder. */
const agentOf = ({ agent }: Pick<ToolCallRequest, 'agent'>): Pick<Rule, 'agent'> =>
  agent ? { agent: { client: agent.client, ...(agent.verified && agent.folder !== undefined ? { folder: agent.folder } : {}) } } : {}

const ruleScope = (request: ToolCallRequest, scope: PersistentAnswer['scope']): Rule['scope'] =>
  scope === 'always' ? { kind: 'always' } : { kind: 'conversation', conversationId: requestConversation(request) }

/**
 * Returns the rules that an approval makes. Of a call that could send private data it is the flow that is answered for, a pair of
 * source and server each; for the conversation the tool too, where no rule allows it yet, and what its server returns.
 */
export function planApproval(context: BrokerContext, request: ToolCallRequest, answer: PersistentAnswer): Rule[] {
  const { privateFlow, ownFlow, why, server } = request
  const here = answer.scope === 'conversation'
  const flows = [...(privateFlow?.from ?? []), ...(here && ownFlow ? [serverSource(server, identityNow(context, server))] : [])]
  const made = {
    effect: 'allow' as const,
    server,
    scope: ruleScope(request, answer.scope),
    ...agentOf(request),
    ...defined({ expiresAt: answer.terms?.expiresAt }),
    ...madeFor(context, request),
    createdAt: context.clock.now(),
  }
  return [
    ...(!privateFlow || (here && why.kind !== 'flow') ? [planRule(context, request, answer)] : []),
    ...joinReads(flows.map((from) => ({ from }))).map(({ from }) => existing(context, { id: newId(), flow: from, ...made })),
  ]
}

const existing = (context: BrokerContext, rule: Rule): Rule => context.rules.list().find((other) => sameAnswer(other, rule)) ?? rule

/** Returns the program and the account that an approval is bound to. The account is the one that was shown. */
export function madeFor(
  context: BrokerContext,
  { server, account }: Pick<ConsentRequest, 'server' | 'account'>,
): Pick<Rule, 'program' | 'account'> {
  const { now } = programNow(context, server)
  return { ...(now === '' ? {} : { program: now }), ...defined({ account }) }
}

/** Adds a rule. An approval replaces those of the tool's earlier definitions. */
export function applyRule(context: BrokerContext, rule: Rule, by: DecidedBy): void {
  const rules = context.rules.list()
  if (rules.some((other) => other.id === rule.id)) return
  context.audit.rule(rule, 'added', by)
  context.rules.put(rule)
  const facts = { server: rule.server, tool: rule.tool ?? '', fingerprint: rule.fingerprint ?? '' }
  for (const other of rules) {
    if (rule.effect !== 'allow' || !isToolRule(rule) || other.server !== rule.server || other.tool !== rule.tool || !isVoid(facts, other))
      continue
    context.audit.rule(other, 'removed', by, { replacedBy: rule.id })
    context.rules.remove(other.id)
  }
  context.emit('rules.changed', { rules: context.rules.list() })
}

/**
 * Removes a server's approvals because another program has its name, and returns them. Refusals stay. `made`: the program that has the
 * name from now on, whose own approvals stay.
 */
function voidApprovals(context: BrokerContext, server: string, by: DecidedBy, because: string, made?: string): readonly Rule[] {
  if (context.rules.forgetSharedFolders(server)) context.audit.toldForgotten(server, by, because)
  const isTheirs = ({ server: whose, effect, flow, program }: Rule): boolean =>
    effect === 'allow' &&
    ((whose === server && (made === undefined || program !== made)) || (flow?.kind === 'server' && flow.server === server))
  for (const [id, rule] of context.removed) if (isTheirs(rule)) context.removed.delete(id)
  const approvals = context.rules.list().filter(isTheirs)
  if (approvals.length === 0) return []
  for (const rule of approvals) context.rules.remove(rule.id)
  context.emit('rules.changed', { rules: context.rules.list() })
  for (const rule of approvals) context.audit.rule(rule, 'removed', by, { because })
  return approvals
}

/** Launch that is approved for good in place of another. `before`: the one that was; undefined: there was none. */
interface NextProgram {
  readonly before: StoredLaunch | undefined
  readonly target: LaunchTarget
  readonly by: DecidedBy
}

/**
 * Ends what was answered for the program that had a server's name, whatever this one calls its tools. Before the first launch that was the
 * built-in server, or none.
 */
export function endFormerProgram(context: BrokerContext, server: string, { before, target, by }: NextProgram): void {
  voidApprovals(context, server, by, 'launch-changed', before ? undefined : launchFingerprint(target))
  if (before && hasSameKey(before.target, target)) context.rules.forgetTrust(server)
}

/** Whether trust cannot tell two launches apart: it is bound to what the entry says, not to values, folders and versions. */
function hasSameKey(before: LaunchTarget, target: LaunchTarget): boolean {
  const [a, b] = [before, maskTarget(target)].map((one) =>
    launchFingerprint(one.transport === 'stdio' ? { ...one, folder: undefined, package: undefined, sandbox: undefined } : one),
  )
  return a === b
}

/** Removes the approvals of a server that is removed or whose name is taken. */
export function endApprovals(context: BrokerContext, server: string, by: DecidedBy, because: string): readonly Rule[] {
  context.programs.delete(server)
  return voidApprovals(context, server, by, because)
}

/**
 * Whether a call's approval still holds: its rule may have ended, another program have the server's name, or the account be another than
 * the one that was named.
 */
export function stillAllowed(
  context: BrokerContext,
  { server, decision, account }: Pick<ApprovedCall, 'server' | 'decision' | 'account'>,
): boolean {
  if (account && !isForAccount(account, context.accounts.now.get(server))) return false
  if (decision.by !== 'rule') return true
  const rule = context.rules.list().find(({ id }) => id === decision.ruleId)
  return rule !== undefined && !isOfOtherProgram(programNow(context, server), rule)
}

export function restoreApprovals(context: BrokerContext, ended: readonly Rule[]): void {
  // Audited first: what cannot be audited is not allowed.
  for (const rule of ended) context.audit.rule(rule, 'restored', 'person')
  for (const rule of ended) context.rules.put(rule)
  if (ended.length > 0) context.emit('rules.changed', { rules: context.rules.list() })
}

export function removeRule(context: BrokerContext, id: string): void {
  const rule = context.rules.list().find((other) => other.id === id)
  if (!rule) return
  // Removed first: an approval must end also when the audit row cannot be written.
  context.rules.remove(id)
  context.removed.set(id, rule)
  context.emit('rules.changed', { rules: context.rules.list() })
  context.audit.rule(rule, 'removed', 'person')
}

/** Restores the host's own copy of a rule, so that no page can make one up. Its fingerprint shows whether the tool changed meanwhile. */
export function restoreRule(context: BrokerContext, id: string): void {
  const rule = context.removed.get(id)
  if (!rule) throw new HostError('rule.unknown', t`This can no longer be undone.`)
  const standing = context.rules.list().some((other) => sameAnswer(other, rule))
  if (!standing) {
    // Audited first: what cannot be audited is not allowed.
    context.audit.rule(rule, 'restored', 'person')
    context.rules.put(rule)
    context.emit('rules.changed', { rules: context.rules.list() })
  }
  context.removed.delete(id)
}

export function requestConversation(request: Pick<ConsentRequest, 'conversationId'>): string {
  if (request.conversationId === undefined) throw new HostError('contract.invalid', t`This belongs to no chat.`)
  return request.conversationId
}

/** Whether two rules differ at most in id and time. */
export const sameAnswer = (a: Rule, b: Rule): boolean =>
  canonicalToolJson({ ...a, id: '', createdAt: 0 } as Json) === canonicalToolJson({ ...b, id: '', createdAt: 0 } as Json)
