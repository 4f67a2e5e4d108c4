// Sign-in: the address of an authorization server is shown whole before the browser opens it, each time. The audit log has issuer,
// resource and scopes, never the address, whose query holds `state` and the code challenge.
import type { SignInRequest } from '#app/consent/request.ts'
import { readWebUrl } from '#app/text/host-name.ts'
import { type ApprovedUrl, mint } from '../approved.ts'
import type { BrokerVerdict, SignInQuestion } from '../broker-api.ts'
import { type BrokerContext, refuse, requestBase } from '../broker-context.ts'

type SignInVerdict = BrokerVerdict<ApprovedUrl>

export async function askSignIn(context: BrokerContext, question: SignInQuestion): Promise<SignInVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { resource, issuer, client } = question
  const checked = readWebUrl(question.url)
  const request: SignInRequest = {
    ...requestBase(context, question, { kind: question.why }),
    kind: 'sign-in',
    resource,
    issuer,
    // Shown as it will be opened.
    url: checked.ok ? checked.url : question.url,
    scopes: [...question.scopes],
    granted: [...question.granted],
    client,
  }
  if (!checked.ok) {
    context.audit.decided(request, 'denied', 'policy', { reason: checked.reason })
    return { kind: 'denied', decision: { allowed: false, by: 'policy', scope: 'once' }, stop: false }
  }
  const { url } = checked
  return context.queue.ask<SignInVerdict>({
    request,
    origin: question,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') return refuse(context, request, answer, by)
      context.audit.decided(request, 'allowed', by, { scope: 'once' })
      return {
        outcome: 'allowed',
        value: { kind: 'allowed', decision: { allowed: true, by, scope: 'once' }, approval: mint<ApprovedUrl>({ url }) },
      }
    },
  })
}
