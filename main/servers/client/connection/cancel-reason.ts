import { HostError } from '#app/errors.ts'

/** The words that a server reads in `notifications/cancelled`. */
export function cancelReason(reason: unknown): string {
  if (reason instanceof HostError) return reason.message
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'There was no answer in time.' : 'It was cancelled.'
}
