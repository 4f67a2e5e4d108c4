// The sign-in of a server as text fields, and the way to its settings and back. Pure. Every setting has its place here,
// also those that the chosen grant does not use: what was written for another one is not lost.

import { t } from '#app/i18n/translate.ts'
import { type OAuthGrant, type OAuthSettings, oauthSecrets } from '#app/server/auth-status.ts'
import { secretMask } from '#app/server/definition.ts'
import { isLookedUp } from '#app/server/inputs/plain-secrets.ts'

const texts = [
  'clientId',
  'clientSecret',
  'clientMetadataUrl',
  'issuer',
  'privateKey',
  'keyAlgorithm',
  'idpIssuer',
  'idpTokenEndpoint',
  'idpClientId',
  'idpClientSecret',
  'subjectToken',
] as const satisfies (keyof OAuthSettings)[]
type TextName = (typeof texts)[number]

export type OAuthForm = Readonly<Record<TextName, string>> & {
  readonly grant: OAuthGrant
  /** With spaces between, as OAuth writes them. */
  readonly scopes: string
  readonly callbackPort: string
  /** `wanted`: where the server asks for it. */
  readonly dpop: 'wanted' | 'always' | 'never'
}
export type OAuthField = TextName | 'scopes' | 'callbackPort'

export const emptyOAuth: OAuthForm = {
  grant: 'authorization-code',
  clientId: '',
  clientSecret: '',
  clientMetadataUrl: '',
  issuer: '',
  privateKey: '',
  keyAlgorithm: '',
  idpIssuer: '',
  idpTokenEndpoint: '',
  idpClientId: '',
  idpClientSecret: '',
  subjectToken: '',
  scopes: '',
  callbackPort: '',
  dpop: 'wanted',
}

export const toOAuthForm = (settings: OAuthSettings = {}): OAuthForm => ({
  ...emptyOAuth,
  ...Object.fromEntries(texts.map((name) => [name, settings[name] ?? ''])),
  grant: settings.grant ?? 'authorization-code',
  scopes: (settings.scopes ?? []).join(' '),
  callbackPort: settings.callbackPort === undefined ? '' : String(settings.callbackPort),
  dpop: settings.dpop === undefined ? 'wanted' : settings.dpop ? 'always' : 'never',
})

const scopesOf = (text: string): string[] => text.split(/\s+/).filter((scope) => scope !== '')

/** Undefined: nothing is set, everything is as the server says. Call it on a form without errors. */
export function toOAuthSettings(form: OAuthForm): OAuthSettings | undefined {
  const scopes = scopesOf(form.scopes)
  const settings: OAuthSettings = {
    ...(form.grant === 'authorization-code' ? {} : { grant: form.grant }),
    ...Object.fromEntries(texts.flatMap((name) => (form[name].trim() === '' ? [] : [[name, form[name].trim()]]))),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(form.callbackPort === '' ? {} : { callbackPort: Number(form.callbackPort) }),
    ...(form.dpop === 'wanted' ? {} : { dpop: form.dpop === 'always' }),
  }
  return Object.keys(settings).length === 0 ? undefined : settings
}

const isReference = (text: string): boolean => /\$\{[^}]+\}/.test(text)
const isWeb = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const addressError = (text: string): string | undefined =>
  text === '' || isReference(text) || isWeb(text) ? undefined : t`This is no whole address. It begins with https://`

function metadataError(text: string): string | undefined {
  if (text === '' || isReference(text)) return undefined
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:' || new URL(text).pathname === '/')
    return t`A whole address with https:// and a path: it is the client id itself.`
  return undefined
}

export type OAuthErrors = Partial<Record<OAuthField, string>>

/** What is wrong, by field. What the grant needs and nobody gave is wrong too. */
export function oauthErrors(form: OAuthForm): OAuthErrors {
  const port = Number(form.callbackPort)
  const found: { [Name in OAuthField]?: string | undefined } = {
    clientId: form.grant === 'client-credentials' || form.grant === 'cross-app' ? needed(form.clientId) : undefined,
    clientSecret:
      form.grant === 'client-credentials' && form.clientSecret === '' && form.privateKey === ''
        ? t`It needs a client secret or a private key.`
        : undefined,
    clientMetadataUrl: metadataError(form.clientMetadataUrl.trim()),
    issuer: addressError(form.issuer.trim()),
    callbackPort:
      form.callbackPort === '' || (Number.isInteger(port) && port >= 1 && port <= 65_535)
        ? undefined
        : t`A port is a number from 1 to 65535.`,
    subjectToken:
      form.grant === 'cross-app'
        ? needed(form.subjectToken)
        : form.grant === 'jwt-bearer' && form.subjectToken === '' && form.privateKey === ''
          ? t`It needs an assertion, or a private key to sign one.`
          : undefined,
    idpIssuer:
      addressError(form.idpIssuer.trim()) ??
      (form.grant === 'cross-app' && form.idpIssuer === '' && form.idpTokenEndpoint === ''
        ? t`It needs the issuer or the token endpoint.`
        : undefined),
    idpTokenEndpoint: addressError(form.idpTokenEndpoint.trim()),
    idpClientId: form.grant === 'cross-app' ? needed(form.idpClientId) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined)) as OAuthErrors
}

const needed = (text: string): string | undefined => (text.trim() === '' ? t`It doesn’t work without this.` : undefined)

const grantNames: Record<OAuthGrant, string> = {
  'authorization-code': t`in the browser`,
  'client-credentials': t`client credentials`,
  'jwt-bearer': t`a signed assertion`,
  'cross-app': t`cross-app access`,
}

/** What is set, in a few words; the values of secrets are not among them. */
export function oauthSummary(form: OAuthForm): string {
  const scopes = scopesOf(form.scopes).length
  const parts = [
    form.grant === 'authorization-code' ? '' : grantNames[form.grant],
    form.clientId === '' ? '' : t`client ${form.clientId}`,
    form.clientMetadataUrl === '' ? '' : t`client metadata`,
    form.clientSecret === '' ? '' : t`with a secret`,
    form.privateKey === '' ? '' : t`with a key`,
    scopes === 0 ? '' : scopes === 1 ? t`1 scope` : t`${scopes} scopes`,
    form.callbackPort === '' ? '' : t`port ${form.callbackPort}`,
    form.dpop === 'wanted' ? '' : form.dpop === 'always' ? 'DPoP' : t`no DPoP`,
  ].filter(Boolean)
  return parts.length === 0 ? t`as the server says` : parts.join(' · ')
}

/** Secrets that were typed here: not what is kept already, nor what is looked up in the environment. */
export const typedSecrets = (form: OAuthForm): (typeof oauthSecrets)[number][] =>
  oauthSecrets.filter((name) => form[name].trim() !== '' && form[name] !== secretMask && !isLookedUp(form[name]))
