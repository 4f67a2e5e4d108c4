// Sign-in failures as host errors. An authorization server's own text never becomes part of one, except for an OAuth error code:
// the text may repeat a secret that was sent to it.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'

const authFailureReasons = () =>
  ({
    unreachable: t`the sign-in server could not be reached`,
    'address-refused': t`its metadata names an address that Assent does not go to`,
    insecure: t`its address is not https, and on the way there a token could be read`,
    'metadata-invalid': t`its metadata is missing or broken`,
    'resource-mismatch': t`its metadata speaks of another server than this one`,
    'issuer-mismatch': t`the answer came in the name of another sign-in server`,
    'issuer-changed': t`it names another sign-in server than the one that the client id belongs to`,
    'pkce-unsupported': t`its sign-in server does not say that it supports PKCE with S256`,
    'client-unknown': t`its sign-in server takes only clients that are registered beforehand; set a client id`,
    'registration-refused': t`its sign-in server did not register Assent`,
    'answer-invalid': t`its sign-in server answered in a way that OAuth does not allow`,
    'dpop-unsupported': t`a token bound to a key of this machine is asked for, and its sign-in server gives none`,
    'token-refused': t`the server refuses the token that it was just given`,
    'scope-refused': t`the server still asks for scopes that were just asked for`,
    'too-many-rounds': t`it asked for one sign-in after another`,
    'not-offered': t`the server names no sign-in`,
    'settings-incomplete': t`its settings for signing in are incomplete`,
  }) as const

type AuthFailureReason = keyof ReturnType<typeof authFailureReasons>

export function signInFailed(server: string, reason: AuthFailureReason, data: JsonObject = {}): HostError {
  return new HostError('server.sign-in-failed', t`The sign-in to “${server}” failed: ${authFailureReasons()[reason]}.`, {
    data: { server, reason, ...data },
  })
}

/** Reports a 401 from a server that names no authorization server. The person may hold a token to set as a header. */
export const noSignInOffered = (server: string): HostError =>
  new HostError('server.sign-in-needed', t`“${server}” wants to know who you are, and does not say where to sign in.`, {
    data: { server, status: 401 },
  })

/** Characters of an OAuth error code (RFC 6749, 4.1.2.1), at most 64 of them. */
const errorCode = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

export function refusedBy(server: string, issuer: string, code: string): HostError {
  const reason = errorCode.test(code) ? code : 'server_error'
  return new HostError('server.sign-in-failed', t`The sign-in to “${server}” failed: its sign-in server says ${reason}.`, {
    data: { server, issuer, reason },
  })
}
