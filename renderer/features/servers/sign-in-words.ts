// What a server's sign-in is, in words. Pure.
import type { OAuthGrant, SignInView } from '#app/server/sign-in.ts'
import { waitWords } from '#app/wait-words.ts'
import { roughDuration } from './rough-duration.ts'

export type SignedIn = Extract<SignInView, { kind: 'signed-in' }>

export const grantWords: Record<OAuthGrant, string> = {
  'authorization-code': 'by you, in the browser',
  'client-credentials': 'as Assent itself, with client credentials',
  'jwt-bearer': 'as Assent itself, with a signed assertion',
  'cross-app': 'by your organisation’s sign-in (cross-app access)',
}

/** When it ends and what happens then. */
export function expiryWords({ expiresAt, refreshable, grant }: SignedIn, now: number): string {
  // Without a person there is nothing to ask: a new token is fetched like the first one.
  const renewed = refreshable || grant !== 'authorization-code'
  if (expiresAt === undefined)
    return renewed ? 'it doesn’t say when it ends; it is renewed by itself' : 'it doesn’t say when it ends; you are asked again then'
  if (expiresAt <= now)
    return renewed ? 'ended, renewed at the next use' : `ended ${roughDuration(now - expiresAt)} ago; you are asked again at the next use`
  const left = `ends in ${waitWords(expiresAt - now)}`
  return renewed ? `${left}, and is renewed by itself before` : `${left}; you are asked again then`
}

export const issuerHost = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)
