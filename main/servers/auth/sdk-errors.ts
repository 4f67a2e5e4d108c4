import { IssuerMismatchError, OAuthError, RegistrationRejectedError } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { refusedBy, signInFailed } from './auth-errors.ts'

/** What the SDK threw. */
export function toSignInFailure(server: string, issuer: string, error: unknown): HostError {
  if (error instanceof HostError) return error
  if (error instanceof OAuthError) return refusedBy(server, issuer, error.code)
  if (error instanceof IssuerMismatchError) return signInFailed(server, 'issuer-mismatch')
  if (error instanceof RegistrationRejectedError) return signInFailed(server, 'registration-refused', { issuer, status: error.status })
  return signInFailed(server, 'answer-invalid', { issuer })
}
