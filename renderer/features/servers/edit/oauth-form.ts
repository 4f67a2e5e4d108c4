// The sign-in of a server as text fields, and its conversion from and to settings. Pure. Settings that the chosen grant does not
// use are kept too.

import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { type OAuthGrant, type OAuthSettings, oauthSecrets } from '#app/server/auth-status.ts'
import { secretMask } from '#app/server/definition.ts'
import { isLookedUp } from '#app/server/inputs/plain-secrets.ts'

const texts = [
  'clientId',
  'clientSecret',
  'clientMetadataUrl',
  'callbackHost',
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
  /** Scopes with spaces between (RFC 6749, section 3.3). */
  readonly scopes: string
  readonly callbackPort: string
  /** `wanted`: where the server asks for it. */
  readonly dpop: 'wanted' | 'always' | 'never'
}
export type OAuthField = TextName | 'scopes' | 'callbackPort'

export const emptyOAuth: OAuthForm = {
  ...(Object.fromEntries(texts.map((name) => [name, ''])) as Record<TextName, string>),
  grant: 'authorization-code',
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

/** Settings of a form without errors; undefined: nothing is set, everything is as the server says. */
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
  text === '' || isReference(text) || isWeb(text) ? undefined : t`Write the whole address, from https://`

function metadataError(text: string): string | undefined {
  if (text === '' || isReference(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.pathname !== '/' ? undefined : t`Write the whole address, from https://`
}

export type OAuthErrors = Partial<Record<OAuthField, string>>

/** Errors by field, those for settings that the grant needs among them. */
export function oauthErrors(form: OAuthForm): OAuthErrors {
  const port = Number(form.callbackPort)
  const found: { [Name in OAuthField]?: string | undefined } = {
    clientId: form.grant === 'client-credentials' || form.grant === 'cross-app' ? needed(form.clientId) : undefined,
    clientSecret: form.grant === 'client-credentials' && form.clientSecret === '' && form.privateKey === '' ? t`Required` : undefined,
    clientMetadataUrl: metadataError(form.clientMetadataUrl.trim()),
    callbackHost: ['', '127.0.0.1', 'localhost'].includes(form.callbackHost.trim()) ? undefined : t`127.0.0.1 or localhost`,
    issuer: addressError(form.issuer.trim()),
    callbackPort:
      form.callbackPort === '' || (Number.isInteger(port) && port >= 1 && port <= 65_535)
        ? undefined
        : t`A whole number from ${1} to ${65_535}.`,
    subjectToken:
      form.grant === 'cross-app'
        ? needed(form.subjectToken)
        : form.grant === 'jwt-bearer' && form.subjectToken === '' && form.privateKey === ''
          ? t`Required`
          : undefined,
    idpIssuer:
      addressError(form.idpIssuer.trim()) ??
      (form.grant === 'cross-app' && form.idpIssuer === '' && form.idpTokenEndpoint === '' ? t`Required` : undefined),
    idpTokenEndpoint: addressError(form.idpTokenEndpoint.trim()),
    idpClientId: form.grant === 'cross-app' ? needed(form.idpClientId) : undefined,
  }
  return defined(found)
}

const needed = (text: string): string | undefined => (text.trim() === '' ? t`Required` : undefined)

export const grantNames: Record<OAuthGrant, string> = {
  'authorization-code': t`In the browser`,
  'client-credentials': t`Client credentials`,
  'jwt-bearer': t`Signed assertion`,
  'cross-app': t`Cross-app access`,
}

/** Summary of the settings, without the values of secrets. */
export function oauthSummary(form: OAuthForm): string {
  const scopes = scopesOf(form.scopes).length
  const parts = [
    form.grant === 'authorization-code' ? '' : grantNames[form.grant],
    form.clientId === '' ? '' : t`client ${form.clientId}`,
    form.clientMetadataUrl === '' ? '' : t`Client metadata`,
    scopes === 0 ? '' : t`${scopes} {scope|scopes}`,
  ].filter(Boolean)
  return parts.length === 0 ? t`as the server says` : parts.join(' · ')
}

/** Names of the secrets that were typed, without those that are kept already or come from the environment. */
export const typedSecrets = (form: OAuthForm): (typeof oauthSecrets)[number][] =>
  oauthSecrets.filter((name) => form[name].trim() !== '' && form[name] !== secretMask && !isLookedUp(form[name]))
