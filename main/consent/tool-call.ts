// One tool call: the rules first, then the person. What is approved is the JSON text that was shown (or the edited one
// that the person sent), frozen; it is what the wire gets.
import { canonicalJson } from '#app/canonical-json.ts'
import type { Decision } from '#app/chat/message.ts'
import type { ConsentVerdict } from '#app/consent/decide.ts'
import type { Flows } from '#app/consent/flow.ts'
import type { ConsentAnswer, ToolCallRequest, Why } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { type ApprovedCall, mint } from './approved.ts'
import { keepDefinition } from './changed-tools.ts'
import { jsonDigest } from './digest.ts'
import { createFacts, flowsOf } from './facts.ts'
import { type Kit, requestBase } from './kit.ts'
import type { AnsweredBy, Settled } from './queue.ts'
import { flowsOnRecord, recordedWords } from './record.ts'
import { type Refusal, refuse } from './refusal.ts'
import { applyRule, planRule } from './standing.ts'
import type { ToolCallQuestion, Verdict } from './types.ts'

type CallVerdict = Verdict<ApprovedCall>

/** The one spelling of arguments, for eyes and wire alike. */
export const argumentsText = (args: JsonObject): string => JSON.stringify(args, null, 2)

export async function askToolCall(kit: Kit, question: ToolCallQuestion): Promise<CallVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { tool } = question
  const text = argumentsText(question.arguments)
  // Read back from the text, so that neither rules nor windows see anything but what is approved.
  const args = JSON.parse(text) as JsonObject
  const facts = createFacts(kit, question, args)
  const looking = facts.look()
  if (looking !== undefined) await looking
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const verdict = facts.verdict()
  const request = callRequest(kit, question, {
    args,
    text,
    why: verdict.kind === 'ask' ? verdict.why : { kind: 'no-rule' },
    flows: facts.now().flows,
  })
  const unasked = (now: Exclude<ConsentVerdict, { kind: 'ask' }>): Settled<CallVerdict> => {
    const allowed = now.kind === 'allow'
    const because = now.by === 'rule' ? { ruleId: now.rule.id, rule: recordedWords(now.rule) } : { mode: now.mode }
    const scope = now.by === 'rule' ? now.rule.scope.kind : 'conversation'
    const decision: Decision = { allowed, by: now.by, scope, ...because }
    kit.record.decided(request, allowed ? 'allowed' : 'denied', now.by, { scope, ...because })
    return allowed ? allow(request, question.callId, text, decision) : deny(decision, false)
  }
  if (verdict.kind !== 'ask') return unasked(verdict).value
  return kit.queue.ask<CallVerdict>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      const settled = settle(kit, request, question.callId, answer, by)
      // What the person has read, or gave a standing answer to.
      if (settled.value.kind === 'allowed' && (by === 'person' || settled.value.decision.scope !== 'once'))
        keepDefinition(kit, question.server, tool)
      return settled
    },
    look: facts.look,
    reconsider() {
      const now = facts.verdict()
      return now.kind === 'ask' || now.by === 'mode' ? undefined : unasked(now)
    },
  })
}

interface CallAsShown {
  readonly args: JsonObject
  /** Their one spelling. */
  readonly text: string
  readonly why: Why
  readonly flows?: Flows | undefined
}

export function callRequest(kit: Kit, question: ToolCallQuestion, { args, text, why, flows }: CallAsShown): ToolCallRequest {
  const { tool } = question
  const known = kit.rules.definition(question.server, tool.name)
  return {
    ...requestBase(kit, question, why),
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
    fingerprint: tool.fingerprint,
  }
}

function settle(kit: Kit, request: ToolCallRequest, callId: string, answer: ConsentAnswer, by: AnsweredBy): Settled<CallVerdict> {
  if (answer.kind !== 'allow') return settleRefusal(kit, request, answer, by)
  const edited = answer.arguments !== undefined && canonicalJson(answer.arguments) !== canonicalJson(request.arguments)
  const text = edited ? readEdited(answer.arguments) : request.argumentsText
  const rule = answer.scope === 'once' ? undefined : planRule(kit, request, { effect: 'allow', scope: answer.scope, terms: answer.terms })
  const decision: Decision = {
    allowed: true,
    by,
    scope: answer.scope,
    ...(rule ? { ruleId: rule.id, rule: recordedWords(rule) } : {}),
    ...(edited ? { edited: true } : {}),
  }
  // On record first: when it cannot be recorded, nothing is allowed.
  kit.record.decided(request, 'allowed', by, {
    scope: answer.scope,
    ...(rule ? { ruleId: rule.id, rule: recordedWords(rule) } : {}),
    ...(edited
      ? { edited: true, arguments: jsonDigest(text), flows: flowsOnRecord(flowsOf(kit, request, JSON.parse(text) as JsonObject)) }
      : {}),
  })
  if (rule) applyRule(kit, rule, by)
  return allow(request, callId, text, decision)
}

function settleRefusal(kit: Kit, request: ToolCallRequest, answer: Refusal, by: AnsweredBy): Settled<CallVerdict> {
  if (answer.kind !== 'deny' || answer.scope === undefined || answer.scope === 'once') return refuse(kit, request, answer, by)
  const { scope, terms } = answer
  const rule = planRule(kit, request, { effect: 'deny', scope, terms })
  const refused = refuse(kit, request, answer, by, { scope, ruleId: rule.id, rule: recordedWords(rule) })
  applyRule(kit, rule, by)
  return refused
}

function readEdited(args: unknown): string {
  if (!isJsonObject(args)) throw new HostError('contract.invalid', t`Arguments have to be a JSON object.`)
  return argumentsText(args)
}

export const allow = (request: ToolCallRequest, callId: string, text: string, decision: Decision): Settled<CallVerdict> => ({
  outcome: 'allowed',
  value: {
    kind: 'allowed',
    decision,
    approval: mint<ApprovedCall>({
      callId,
      conversationId: request.conversationId,
      server: request.server,
      tool: request.tool,
      argumentsText: text,
      fingerprint: request.fingerprint,
      decision,
    }),
  },
})

const deny = (decision: Decision, stop: boolean): Settled<CallVerdict> => ({
  outcome: 'denied',
  value: { kind: 'denied', decision, stop },
})
