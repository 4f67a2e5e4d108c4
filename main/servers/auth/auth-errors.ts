// Sign-in failures as host errors. An authorization server's own text never becomes part of one, except for an OAuth error code:
// the text may repeat a secret that was sent to it.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'

const authFailureReasons = () =>
  ({
    unreachable: t`the sign-in server could not be reached`,
    'address-refused': t`the sign-in metadata cannot be used`,
    insecure: t`its address is not https`,
    'metadata-invalid': t`the sign-in metadata cannot be used`,
    'resource-mismatch': t`the sign-in metadata cannot be used`,
    'issuer-mismatch': t`the sign-in server is not the expected one`,
    'issuer-changed': t`the sign-in server is not the expected one`,
    'pkce-unsupported': t`the sign-in server does not support ${'PKCE'}`,
    'client-unknown': t`the sign-in server needs a client id`,
    'registration-refused': t`the sign-in server needs a client id`,
    'answer-invalid': t`the sign-in server does not support ${'RFC 6749'}`,
    'dpop-unsupported': t`the sign-in server does not support ${'DPoP'}`,
    'token-refused': t`the server refuses the token`,
    'scope-refused': t`the server refuses the token`,
    'account-changed': t`the sign-in server is not the expected one`,
    'too-many-rounds': t`the server refuses the token`,
    'not-offered': t`the server names no sign-in server`,
    'settings-incomplete': t`the sign-in settings are incomplete`,
  }) as const

type AuthFailureReason = keyof ReturnType<typeof authFailureReasons>

export function signInFailed(server: string, reason: AuthFailureReason, data: JsonObject = {}): HostError {
  return new HostError('server.sign-in-failed', t`The sign-in to “${server}” failed: ${authFailureReasons()[reason]}.`, {
    data: { server, reason, ...data },
  })
}

/** Reports a 401 from a server that names no authorization server. The person may hold a token to set as a header. */
export const noSignInOffered = (server: string): HostError =>
  new HostError('server.sign-in-needed', t`“${server}” wants you to sign in.`, {
    data: { server, status: 401 },
  })

/** Characters of an OAuth error code (RFC 6749, 4.1.2.1), at most 64 of them. */
const errorCode = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

export function refusedBy(server: string, issuer: string, code: string): HostError {
  const reason = errorCode.test(code) ? code : 'server_error'
  return new HostError('server.sign-in-failed', t`The sign-in to “${server}” failed: ${reason}.`, {
    data: { server, issuer, reason },
  })
}
