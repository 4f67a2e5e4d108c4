// A call that the person makes themselves: they wrote the arguments and pressed. The press is their word for exactly these
// bytes, once, so nobody is asked again; it is on record as made by hand. What a press does not answer is asked as any call
// is: a tool that is not what they accepted before is reviewed first, and what a rule of theirs forbids stays forbidden.
import type { Decision } from '#app/chat/message.ts'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import type { ApprovedCall } from '../approved.ts'
import { jsonDigest } from '../audit-writer.ts'
import type { BrokerVerdict, ToolCallQuestion } from '../broker-api.ts'
import type { BrokerContext } from '../broker-context.ts'
import { createRuleInput } from '../rule-input.ts'
import { allow, argumentsText, askToolCall, callRequest } from './ask-tool-call.ts'
import { keepDefinition } from './changed-tools.ts'

export async function askManualCall(context: BrokerContext, question: ToolCallQuestion): Promise<BrokerVerdict<ApprovedCall>> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { tool, server, callId } = question
  const text = argumentsText(question.arguments)
  const args = JSON.parse(text) as JsonObject
  const facts = createRuleInput(context, question, args)
  await facts.look()
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const verdict = facts.verdict()
  const known = context.rules.definition(server, tool.name)
  const changed =
    (known !== undefined && known.fingerprint !== tool.fingerprint) || (verdict.kind === 'ask' && verdict.why.kind === 'tool-changed')
  if (changed || verdict.kind === 'deny') return askToolCall(context, question)
  const request: ToolCallRequest = callRequest(context, question, { args, text, why: { kind: 'no-rule' } })
  const decision: Decision = { allowed: true, by: 'person', scope: 'once', byHand: true }
  // On record first: when it cannot be recorded, nothing is allowed.
  context.audit.decided(request, 'allowed', 'person', {
    scope: 'once',
    byHand: true,
    fingerprint: tool.fingerprint,
    arguments: jsonDigest(text),
  })
  keepDefinition(context, server, tool)
  return allow(request, callId, text, decision).value
}
