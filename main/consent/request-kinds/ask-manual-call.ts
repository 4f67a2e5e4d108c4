// Manual calls: the person wrote the arguments and pressed the button, which approves exactly these bytes once; it is audited as made by
// hand. A tool that is not what they accepted before, or that a rule forbids, is asked about like any call.
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
  // Audited first: what cannot be audited is not allowed.
  context.audit.decided(request, 'allowed', 'person', {
    scope: 'once',
    byHand: true,
    fingerprint: tool.fingerprint,
    arguments: jsonDigest(text),
  })
  keepDefinition(context, server, tool)
  return allow(request, callId, text, decision).value
}
