// Sampling (MCP 2025-11-25, "Sampling"): rules and the day's budget decide first, then the person, for the prompt and again for the
// answer. Text that a rule lets through unseen is in the audit log.
import { isDeepStrictEqual } from 'node:util'
import type { Decision } from '#app/chat/message.ts'
import type { ConsentAnswer, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import { decideSampling, type SamplingFacts, type SamplingRuleVerdict } from '#app/consent/rules/decide-sampling.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { applyEdit, promptTokens, type SamplingPrompt, samplingTexts } from '#app/consent/sampling.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { newId } from '#main/base/ids.ts'
import { type ApprovedSampling, mint } from '../approved.ts'
import { auditedRule, jsonDigest, shortText, textDigest } from '../audit-writer.ts'
import type { BrokerSamplingVerdict, SamplingQuestion, SamplingResultQuestion } from '../broker-api.ts'
import { type BrokerContext, refuse, requestBase } from '../broker-context.ts'
import { applyRule, madeFor, programNow, requestConversation, sameAnswer } from '../persistent-rules.ts'
import type { Settled } from '../request-queue.ts'
import { createRuleInput } from '../rule-input.ts'

type Unasked = Exclude<SamplingRuleVerdict, { kind: 'ask' }>

export async function askSampling(context: BrokerContext, question: SamplingQuestion): Promise<BrokerSamplingVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { server, maxTokens, toolChoice, wishes } = question
  const messages = structuredClone([...question.messages])
  const tools = structuredClone([...question.tools])
  const original = structuredClone(question.original)
  const systemPrompt = question.systemPrompt === undefined ? {} : { systemPrompt: question.systemPrompt }
  const asked: SamplingPrompt = { ...systemPrompt, messages }
  const tokens = promptTokens(asked, tools)
  const rule = (): SamplingRuleVerdict =>
    decideSampling(factsOf(context, question, { step: 'prompt', tokens: tokens + maxTokens }), context.rules.list())
  const ruling = rule()
  const request: ConsentRequestOf<'sampling'> = {
    ...requestBase(context, question, ruling.kind === 'ask' ? ruling.why : { kind: 'server-asks' }),
    kind: 'sampling',
    messages: structuredClone(messages),
    tools: structuredClone(tools),
    toolChoice,
    ...systemPrompt,
    maxTokens,
    hints: [...question.hints],
    model: question.model,
    ...(wishes ? { wishes: structuredClone(wishes) } : {}),
    tokens,
    day: context.samplingUsage.day(server),
    trusted: question.trusted === true,
  }
  const { temperature, stopSequences } = wishes ?? {}
  const allow = (
    decision: Extract<BrokerSamplingVerdict, { kind: 'allowed' }>['decision'],
    prompt: SamplingPrompt,
    as: { readonly model: string; readonly maxTokens: number },
  ): Settled<BrokerSamplingVerdict> => ({
    outcome: 'allowed',
    value: {
      kind: 'allowed',
      decision,
      spent: context.samplingUsage.hold(server, promptTokens(prompt, tools) + as.maxTokens),
      approval: mint<ApprovedSampling>({
        server,
        ...as,
        ...prompt,
        tools,
        toolChoice,
        ...defined({ temperature, stopSequences }),
        original,
      }),
    },
  })
  const unasked = (now: Unasked): Settled<BrokerSamplingVerdict> => {
    const because = becauseOf(now)
    const { scope, ...named } = because
    if (now.kind === 'allow') {
      const words = shortText([question.systemPrompt ?? '', ...samplingTexts(messages)].filter(Boolean).join('\n\n'))
      context.audit.decided(request, 'allowed', now.by, { ...because, words })
      return allow({ allowed: true, by: now.by, scope, ...named }, asked, { model: question.model, maxTokens })
    }
    const by = now.by === 'budget' ? 'policy' : now.by
    context.audit.decided(request, 'denied', by, { ...because })
    return { outcome: 'denied', value: { kind: 'denied', decision: { allowed: false, by, scope, ...named }, stop: false } }
  }
  if (ruling.kind !== 'ask') return unasked(ruling).value
  return context.queue.ask<BrokerSamplingVerdict>({
    request,
    origin: question,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') return refuse(context, request, answer, by)
      const model = answer.model ?? question.model
      const prompt = answer.prompt === undefined ? asked : applyEdit(asked, answer.prompt)
      if (!prompt) throw new HostError('contract.invalid', t`The edit does not fit this prompt, or a message is empty.`)
      const most = answer.maxTokens ?? maxTokens
      if (most > maxTokens) throw new HostError('contract.invalid', t`The answer is longer than the server asked for.`)
      const edited = !isDeepStrictEqual(prompt, asked)
      const standing = planStanding(context, request, answer)
      context.audit.decided(request, 'allowed', by, {
        model,
        scope: standing?.scope.kind ?? 'once',
        ...(standing ? auditedRule(standing) : {}),
        ...(most === maxTokens ? {} : { maxTokens: most }),
        ...(edited ? { edited, prompt: jsonDigest(JSON.stringify(prompt)) } : {}),
      })
      if (standing) applyRule(context, standing, by)
      return allow({ allowed: true, by, scope: standing?.scope.kind ?? 'once', ...(edited ? { edited } : {}) }, prompt, {
        model,
        maxTokens: most,
      })
    },
    reconsider: () => reconsidered(rule(), unasked),
  })
}

/** Resolves with the text that may go to the server, or undefined. */
export async function askSamplingResult(context: BrokerContext, question: SamplingResultQuestion): Promise<string | undefined> {
  if (question.signal.aborted) return undefined
  const calls = structuredClone([...question.calls])
  // A deny rule about a tool of the server holds also where the server would run it for the model.
  const wanted = calls.map(({ name, input }) =>
    createRuleInput(
      context,
      {
        ...question,
        trusted: false,
        local: question.local === true,
        tool: { name, inputSchema: {}, modelName: name, tokens: 0, enabled: true, fingerprint: '' },
        arguments: input,
      },
      input,
    ),
  )
  const looking = wanted.flatMap((facts) => facts.look() ?? [])
  if (looking.length > 0) await Promise.all(looking)
  if (question.signal.aborted) return undefined
  const rule = (): SamplingRuleVerdict => {
    const never = wanted.map((facts) => facts.verdict()).find((one) => one.kind === 'deny' && one.by === 'rule')
    if (never?.kind === 'deny' && never.by === 'rule') return { ...never, kind: 'deny' }
    return decideSampling(factsOf(context, question, { step: 'answer', tokens: 0, callsTools: calls.length > 0 }), context.rules.list())
  }
  const ruling = rule()
  const request: ConsentRequestOf<'sampling-result'> = {
    ...requestBase(context, question, ruling.kind === 'ask' ? ruling.why : { kind: 'server-asks' }),
    kind: 'sampling-result',
    model: question.model,
    text: question.text,
    calls: structuredClone(calls),
    ...defined({ stopReason: question.stopReason, sent: question.sent && [...question.sent], took: question.took }),
    day: context.samplingUsage.day(question.server),
    trusted: question.trusted === true,
  }
  const unasked = (now: Unasked): Settled<string | undefined> => {
    const allowed = now.kind === 'allow'
    const by = now.by === 'budget' ? 'policy' : now.by
    context.audit.decided(request, allowed ? 'allowed' : 'denied', by, {
      ...becauseOf(now),
      ...(allowed ? { words: shortText(request.text) } : {}),
    })
    return allowed ? { outcome: 'allowed', value: request.text } : { outcome: 'denied', value: undefined }
  }
  if (ruling.kind !== 'ask') return unasked(ruling).value
  return context.queue.ask<string | undefined>({
    request,
    origin: question,
    withdrawn: undefined,
    settle(answer, by) {
      if (answer.kind !== 'allow') {
        context.audit.decided(request, 'denied', by)
        return { outcome: 'denied', value: undefined }
      }
      const text = answer.text ?? request.text
      const standing = planStanding(context, request, answer)
      context.audit.decided(request, 'allowed', by, {
        ...(standing ? { scope: standing.scope.kind, ...auditedRule(standing) } : {}),
        ...(text === request.text ? {} : { edited: true, text: textDigest(text) }),
      })
      if (standing) applyRule(context, standing, by)
      return { outcome: 'allowed', value: text }
    },
    reconsider: () => reconsidered(rule(), unasked),
  })
}

/** Answers an open request by a rule that was made since, never by the conversation's mode or the budget. */
const reconsidered = <T>(now: SamplingRuleVerdict, unasked: (now: Unasked) => T): T | undefined =>
  now.kind === 'ask' || now.by !== 'rule' ? undefined : unasked(now)

type About = Pick<SamplingFacts, 'step' | 'tokens'> & { readonly callsTools?: boolean }

const factsOf = (
  context: BrokerContext,
  { server, conversationId, trusted }: Pick<SamplingQuestion, 'server' | 'conversationId' | 'trusted'>,
  { step, tokens, callsTools = false }: About,
): SamplingFacts => ({
  server,
  conversationId,
  trusted: trusted === true,
  step,
  tokens,
  day: context.samplingUsage.day(server),
  callsTools,
  mode: context.modeOf(conversationId),
  program: programNow(context, server),
  now: context.clock.now(),
})

type Because = { readonly scope: Decision['scope'] } & Readonly<Record<string, string>>

function becauseOf(now: Unasked): Because {
  if (now.by === 'rule') return { scope: now.rule.scope.kind, ...auditedRule(now.rule) }
  if (now.by === 'mode') return { scope: 'conversation', mode: now.mode }
  return { scope: 'once', word: t`The limit for today is reached.` }
}

/** Returns the rule that an approval beyond "once" makes, or the existing rule with the same effect. */
function planStanding(
  context: BrokerContext,
  request: ConsentRequest,
  answer: Extract<ConsentAnswer, { kind: 'allow' }>,
): Rule | undefined {
  const { standing, scope, terms } = answer
  if (scope === 'once' || standing === undefined) return undefined
  if (standing.tokensPerDay === undefined) throw new HostError('contract.invalid', t`The rule needs a limit of tokens.`)
  const rule: Rule = {
    id: newId(),
    effect: 'allow',
    server: request.server,
    sampling: standing,
    ...madeFor(context, request),
    ...(terms?.expiresAt === undefined ? {} : { expiresAt: terms.expiresAt }),
    scope: scope === 'always' ? { kind: 'always' } : { kind: 'conversation', conversationId: requestConversation(request) },
    createdAt: context.clock.now(),
  }
  return context.rules.list().find((other) => sameAnswer(other, rule)) ?? rule
}
