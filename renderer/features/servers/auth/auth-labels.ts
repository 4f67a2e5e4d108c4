// Labels for the sign-in of a server. Pure.

import { formatWait } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import type { OAuthGrant, SignInStatus } from '#app/server/auth-status.ts'
import { roughDuration } from '../status/state-labels.ts'

export type SignedInStatus = Extract<SignInStatus, { kind: 'signed-in' }>

export const grantLabels: Record<OAuthGrant, string> = {
  'authorization-code': t`by you, in the browser`,
  'client-credentials': t`as Assent itself, with client credentials`,
  'jwt-bearer': t`as Assent itself, with a signed assertion`,
  'cross-app': t`by your organisation’s sign-in (cross-app access)`,
}

/** End of a sign-in, and what happens then. */
export function expiryLabel({ expiresAt, refreshable, grant }: SignedInStatus, now: number): string {
  // Without a person there is nothing to ask: a new token is fetched like the first one.
  const renewed = refreshable || grant !== 'authorization-code'
  if (expiresAt === undefined)
    return renewed ? t`it doesn’t say when it ends; it is renewed by itself` : t`it doesn’t say when it ends; you are asked again then`
  if (expiresAt <= now)
    return renewed ? t`ended, renewed at the next use` : t`ended ${roughDuration(now - expiresAt)} ago; you are asked again at the next use`
  const left = t`ends in ${formatWait(expiresAt - now)}`
  return renewed ? t`${left}, and is renewed by itself before` : t`${left}; you are asked again then`
}
