// Tool calls: rules decide first, then the person. Exactly the JSON text that was shown, or the person's edited one, is sent.
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { Decision } from '#app/chat/message.ts'
import type { AskReason, ConsentAnswer, ToolCallRequest } from '#app/consent/request.ts'
import type { ConsentVerdict } from '#app/consent/rules/decide.ts'
import { type CallMarks, type PrivateFlow, resultMarks } from '#app/consent/taint/private-flow.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type ApprovedCall, mint } from '../approved.ts'
import { auditedRule, auditedTaints, jsonDigest } from '../audit-writer.ts'
import type { BrokerVerdict, ToolCallQuestion } from '../broker-api.ts'
import { type BrokerContext, type DenyAnswer, groupOf, refuse, requestBase } from '../broker-context.ts'
import { applyRule, planApproval, planRule } from '../persistent-rules.ts'
import type { AnsweredBy, Settled } from '../request-queue.ts'
import { createRuleInput, taintsOf } from '../rule-input.ts'
import { keepDefinition } from './changed-tools.ts'

type CallVerdict = BrokerVerdict<ApprovedCall>

/** Formats arguments, for display and for the server alike. */
export const argumentsText = (args: JsonObject): string => JSON.stringify(args, null, 2)

export async function askToolCall(context: BrokerContext, question: ToolCallQuestion): Promise<CallVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { tool } = question
  const loading = inOrder(context, question.conversationId, context.accounts.loading.get(question.server))
  if (loading !== undefined) await loading
  const text = argumentsText(question.arguments)
  // Parsed from the text, so that rules and windows see exactly what is approved.
  const args = JSON.parse(text) as JsonObject
  const facts = createRuleInput(context, question, args)
  const looking = inOrder(context, question.conversationId, facts.look())
  if (looking !== undefined) await looking
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const verdict = facts.verdict()
  const request = callRequest(context, question, {
    args,
    text,
    why: verdict.kind !== 'ask' ? { kind: 'no-rule' } : question.own ? { kind: 'own-folder' } : verdict.why,
    flows: facts.flows,
    privateFlow: facts.openFlow(),
    ownFlow: facts.ownFlow,
  })
  const unasked = (now: Exclude<ConsentVerdict, { kind: 'ask' }>): Settled<CallVerdict> => {
    const allowed = now.kind === 'allow'
    const because = now.by === 'rule' ? auditedRule(now.rule) : { mode: now.mode }
    const scope = now.by === 'rule' ? now.rule.scope.kind : 'conversation'
    const decision: Decision = { allowed, by: now.by, scope, ...because }
    context.audit.decided(request, allowed ? 'allowed' : 'denied', now.by, { scope, ...because })
    return allowed ? allow(request, question.callId, text, decision, facts.marks()) : deny(decision, false)
  }
  if (verdict.kind !== 'ask') return unasked(verdict).value
  return context.queue.ask<CallVerdict>({
    request,
    origin: question,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      const once = question.own && answer.kind === 'allow' ? { ...answer, scope: 'once' as const } : answer
      const settled = settle(context, request, question.callId, once, by, facts.marks())
      if (question.own) return settled
      // Keeps the definition that the person has seen, or answered for good.
      if (settled.value.kind === 'allowed' && (by === 'person' || settled.value.decision.scope !== 'once'))
        keepDefinition(context, question.server, tool)
      return settled
    },
    look: facts.look,
    reconsider() {
      const now = facts.verdict()
      return now.kind === 'ask' || now.by === 'mode' ? undefined : unasked(now)
    },
  })
}

/** Pressing Run approves exactly these bytes once. A tool that has changed, or that a rule forbids, is asked about like any call. */
export async function askManualCall(context: BrokerContext, question: ToolCallQuestion): Promise<CallVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { tool, server, callId } = question
  const text = argumentsText(question.arguments)
  const args = JSON.parse(text) as JsonObject
  await context.accounts.loading.get(server)
  const facts = createRuleInput(context, question, args)
  await facts.look()
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const verdict = facts.verdict()
  const known = context.rules.definition(server, tool.name)
  const changed =
    (known !== undefined && known.fingerprint !== tool.fingerprint) || (verdict.kind === 'ask' && verdict.why.kind === 'tool-changed')
  if (changed || verdict.kind === 'deny') return askToolCall(context, question)
  const request = callRequest(context, question, { args, text, why: { kind: 'no-rule' } })
  const decision: Decision = { allowed: true, by: 'person', scope: 'once', byHand: true }
  // Audited first: what cannot be audited is not allowed.
  context.audit.decided(request, 'allowed', 'person', {
    scope: 'once',
    byHand: true,
    fingerprint: tool.fingerprint,
    arguments: jsonDigest(text),
  })
  keepDefinition(context, server, tool)
  return allow(request, callId, text, decision, facts.marks()).value
}

/** Waits for the look-up and for those of earlier calls in the conversation. Undefined: there is nothing to wait for. */
function inOrder(
  { lookups }: BrokerContext,
  conversationId: string | undefined,
  looking: Promise<void> | undefined,
): Promise<void> | undefined {
  if (conversationId === undefined) return looking
  const earlier = lookups.get(conversationId)
  if (looking === undefined) return earlier
  const both = Promise.all([looking, earlier]).then(() => undefined)
  const ended = both.then(
    () => undefined,
    () => undefined, // The call that looked up fails with it; those after it go on.
  )
  lookups.set(conversationId, ended)
  void ended.then(() => {
    if (lookups.get(conversationId) === ended) lookups.delete(conversationId)
  })
  return both
}

interface CallAsShown {
  readonly args: JsonObject
  readonly text: string
  readonly why: AskReason
  readonly flows?: Taints | undefined
  readonly privateFlow?: PrivateFlow | undefined
  readonly ownFlow?: boolean
}

function callRequest(
  context: BrokerContext,
  question: ToolCallQuestion,
  { args, text, why, flows, privateFlow, ownFlow }: CallAsShown,
): ToolCallRequest {
  const { tool } = question
  const known = context.rules.definition(question.server, tool.name)
  return {
    ...requestBase(context, question, why),
    kind: 'tool-call',
    tool: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: tool.annotations,
    trusted: question.trusted,
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    ...(known === undefined || known.fingerprint === tool.fingerprint ? {} : { previous: known }),
    arguments: args,
    argumentsText: text,
    ...(flows ? { flows } : {}),
    ...(privateFlow ? { privateFlow } : {}),
    ...(ownFlow ? { ownFlow } : {}),
    fingerprint: tool.fingerprint,
  }
}

function settle(
  context: BrokerContext,
  request: ToolCallRequest,
  callId: string,
  answer: ConsentAnswer,
  by: AnsweredBy,
  marks: CallMarks,
): Settled<CallVerdict> {
  if (answer.kind !== 'allow') return settleRefusal(context, request, answer, by)
  const edited = answer.arguments !== undefined && canonicalToolJson(answer.arguments) !== canonicalToolJson(request.arguments)
  const text = edited ? readEdited(answer.arguments) : request.argumentsText
  const rules = answer.scope === 'once' ? [] : planApproval(context, request, { effect: 'allow', scope: answer.scope, terms: answer.terms })
  const [rule] = rules
  const { audited, decided } = groupOf(answer)
  const decision: Decision = {
    allowed: true,
    by,
    scope: answer.scope,
    ...(rule ? auditedRule(rule) : {}),
    ...(edited ? { edited: true } : {}),
    ...decided,
  }
  // Audited first: what cannot be audited is not allowed.
  context.audit.decided(request, 'allowed', by, {
    scope: answer.scope,
    ...(rule ? auditedRule(rule) : {}),
    ...audited,
    ...(edited
      ? { edited: true, arguments: jsonDigest(text), flows: auditedTaints(taintsOf(context, request, JSON.parse(text) as JsonObject)) }
      : {}),
  })
  for (const made of rules) applyRule(context, made, by)
  // A folder that is public was looked up for the arguments before they were edited.
  return allow(request, callId, text, decision, edited ? { ...marks, ...resultMarks(request, false) } : marks)
}

function settleRefusal(context: BrokerContext, request: ToolCallRequest, answer: DenyAnswer, by: AnsweredBy): Settled<CallVerdict> {
  if (answer.kind !== 'deny' || answer.scope === undefined || answer.scope === 'once') return refuse(context, request, answer, by)
  const { scope, terms } = answer
  const rule = planRule(context, request, { effect: 'deny', scope, terms })
  const refused = refuse(context, request, answer, by, { scope, ...auditedRule(rule) })
  applyRule(context, rule, by)
  return refused
}

function readEdited(args: unknown): string {
  if (!isJsonObject(args)) throw new HostError('contract.invalid', t`The arguments are not a JSON object.`)
  return argumentsText(args)
}

const allow = (request: ToolCallRequest, callId: string, text: string, decision: Decision, marks: CallMarks): Settled<CallVerdict> => ({
  outcome: 'allowed',
  value: {
    kind: 'allowed',
    decision,
    marks,
    approval: mint<ApprovedCall>({
      callId,
      conversationId: request.conversationId,
      server: request.server,
      tool: request.tool,
      argumentsText: text,
      fingerprint: request.fingerprint,
      ...defined({ account: request.account }),
      decision: request.agent ? { ...decision, agent: { client: request.agent.client, name: request.agent.name } } : decision,
    }),
  },
})

const deny = (decision: Decision, stop: boolean): Settled<CallVerdict> => ({
  outcome: 'denied',
  value: { kind: 'denied', decision, stop },
})
