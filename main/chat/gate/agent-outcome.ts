// Outcomes of an agent's requests to servers, as its side makes results of them.
import type { Decision } from '#app/chat/message.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'

export type AgentOutcome =
  | { readonly kind: 'ran'; readonly result: Json }
  | { readonly kind: 'denied'; readonly by: Decision['by']; readonly word?: string | undefined }
  | { readonly kind: 'protocol-error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** Waits for a request to a server. A refusal and any failure are outcomes too. */
export async function asOutcome(work: () => Promise<unknown>, ran: 'outcome' | 'result' = 'outcome'): Promise<AgentOutcome> {
  try {
    const done = await work()
    return ran === 'outcome' ? (done as AgentOutcome) : { kind: 'ran', result: (done ?? {}) as Json }
  } catch (error) {
    if (isProtocolError(error))
      return { kind: 'protocol-error', code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) }
    const { code, message } = toErrorValue(error)
    return { kind: 'failed', code, message }
  }
}

export const tooMany = (): HostError => new HostError('tool.too-many', t`The agent asks too much at once. This was not run.`)
