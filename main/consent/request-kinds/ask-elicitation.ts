// Elicitation (MCP 2025-11-25): a form, whose answer is checked before it leaves, or a page to open, http or https only.
import { validateElicitation } from '#app/consent/elicitation.ts'
import type { ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { readWebUrl } from '#app/text/host-name.ts'
import { type ApprovedUrl, mint } from '../approved.ts'
import type { ConsentBroker } from '../broker-api.ts'
import { type BrokerContext, requestBase } from '../broker-context.ts'
import type { AnsweredBy } from '../request-queue.ts'

type FormQuestion = Parameters<ConsentBroker['elicitForm']>[0]
type FormAnswer = Awaited<ReturnType<ConsentBroker['elicitForm']>>
type UrlQuestion = Parameters<ConsentBroker['elicitUrl']>[0]
type UrlAnswer = Awaited<ReturnType<ConsentBroker['elicitUrl']>>

export async function askForm(context: BrokerContext, question: FormQuestion): Promise<FormAnswer> {
  const requestedSchema = structuredClone(question.requestedSchema) as JsonObject
  const request: ConsentRequestOf<'elicitation-form'> = {
    ...requestBase(context, question, { kind: 'server-asks' }),
    kind: 'elicitation-form',
    message: question.message,
    requestedSchema: structuredClone(requestedSchema),
    ...defined({ step: question.step }),
  }
  return context.queue.ask<FormAnswer>({
    request,
    origin: question,
    withdrawn: { action: 'cancel' },
    settle(answer, by) {
      if (answer.kind !== 'allow') return refuse(context, request, answer.kind, by)
      const check = validateElicitation(requestedSchema, answer.content ?? {})
      if (!check.ok)
        throw new HostError('contract.invalid', t`The answer does not fit what the server asks for.`, { data: { errors: check.errors } })
      context.audit.decided(request, 'allowed', by, { answered: Object.keys(check.content) })
      return { outcome: 'allowed', value: { action: 'accept', content: check.content } }
    },
  })
}

export async function askUrl(context: BrokerContext, question: UrlQuestion): Promise<UrlAnswer> {
  const checked = readWebUrl(question.url)
  const request: ConsentRequestOf<'elicitation-url'> = {
    ...requestBase(context, question, { kind: question.view ? 'view-asks' : 'server-asks' }),
    kind: 'elicitation-url',
    message: question.message,
    // Shown as it will be opened.
    url: checked.ok ? checked.url : question.url,
  }
  if (!checked.ok) {
    context.audit.decided(request, 'denied', 'policy', { reason: checked.reason })
    return { action: 'decline' }
  }
  return context.queue.ask<UrlAnswer>({
    request,
    origin: question,
    withdrawn: { action: 'cancel' },
    settle(answer, by) {
      if (answer.kind !== 'allow') return refuse(context, request, answer.kind, by)
      context.audit.decided(request, 'allowed', by)
      return { outcome: 'allowed', value: { action: 'accept', approval: mint<ApprovedUrl>({ url: checked.url }) } }
    },
  })
}

/** @throws {HostError} `contract.invalid` for anything but http and https */
export function approveClicked(context: BrokerContext, text: string): ApprovedUrl {
  const checked = readWebUrl(text)
  if (!checked.ok)
    throw new HostError('contract.invalid', t`Only http and https addresses without a password are opened.`, {
      data: { reason: checked.reason },
    })
  context.audit.openedUrl(checked.url)
  return mint<ApprovedUrl>({ url: checked.url })
}

function refuse({ audit }: BrokerContext, request: ConsentRequest, kind: 'deny' | 'cancel', by: AnsweredBy) {
  const refusals = {
    deny: { outcome: 'denied', value: { action: 'decline' } },
    cancel: { outcome: 'cancelled', value: { action: 'cancel' } },
  } as const
  audit.decided(request, refusals[kind].outcome, by)
  return refusals[kind]
}
