// What a server's sign-in is, in words. Pure.
import type { OAuthGrant, SignInView } from '#app/server/sign-in.ts'
import { waitWords } from '#app/wait-words.ts'
import { t } from '#app/words/translate.ts'
import { roughDuration } from './rough-duration.ts'

export type SignedIn = Extract<SignInView, { kind: 'signed-in' }>

export const grantWords: Record<OAuthGrant, string> = {
  'authorization-code': t`by you, in the browser`,
  'client-credentials': t`as Assent itself, with client credentials`,
  'jwt-bearer': t`as Assent itself, with a signed assertion`,
  'cross-app': t`by your organisation’s sign-in (cross-app access)`,
}

/** When it ends and what happens then. */
export function expiryWords({ expiresAt, refreshable, grant }: SignedIn, now: number): string {
  // Without a person there is nothing to ask: a new token is fetched like the first one.
  const renewed = refreshable || grant !== 'authorization-code'
  if (expiresAt === undefined)
    return renewed ? t`it doesn’t say when it ends; it is renewed by itself` : t`it doesn’t say when it ends; you are asked again then`
  if (expiresAt <= now)
    return renewed ? t`ended, renewed at the next use` : t`ended ${roughDuration(now - expiresAt)} ago; you are asked again at the next use`
  const left = t`ends in ${waitWords(expiresAt - now)}`
  return renewed ? t`${left}, and is renewed by itself before` : t`${left}; you are asked again then`
}

export const issuerHost = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)
