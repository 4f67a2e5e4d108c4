// The form for one server as text fields, and its conversion from and to a definition. Pure. Every field of a definition has its
// place in the form: what the form did not hold would be lost on save.

import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { isServerName, type ServerDefinition, type StdioDefinition, secretMask } from '#app/server/definition.ts'
import { isLookedUp, oauthValueName } from '#app/server/inputs/plain-secrets.ts'
import { onlyInputOf } from '#app/server/inputs/variable-references.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import {
  emptyOAuth,
  type OAuthErrors,
  type OAuthField,
  type OAuthForm,
  oauthErrors,
  toOAuthForm,
  toOAuthSettings,
  typedSecrets,
} from './oauth-form.ts'

export interface Pair {
  /** Key of the row; not saved. */
  readonly id: number
  readonly name: string
  readonly value: string
  /** Kept as a secret, as the person said; undefined: as its name suggests. */
  readonly keep?: boolean
}

export interface ServerForm {
  readonly name: string
  readonly transport: 'stdio' | 'streamable-http' | 'sse'
  readonly command: string
  /** One argument a line, exactly as written. */
  readonly args: string
  readonly env: readonly Pair[]
  readonly cwd: string
  /** Kept as the file has it. */
  readonly sandbox: StdioDefinition['sandbox']
  readonly url: string
  readonly headers: readonly Pair[]
  readonly oauth: OAuthForm
  readonly enabled: boolean
  readonly start: 'launch' | 'needed'
  readonly trusted: boolean
  /** Seconds; empty: the default of the settings. */
  readonly timeout: string
  /** Seconds; empty: a minute. */
  readonly startTimeout: string
  /** Minutes; empty: it is never stopped for not being needed. */
  readonly idle: string
}
type ServerFormField =
  | Exclude<keyof ServerForm, 'transport' | 'oauth' | 'sandbox' | 'enabled' | 'start' | 'trusted'>
  | `oauth.${OAuthField}`
export type FormErrors = Partial<Record<ServerFormField, string>>

let lastPair = 0
export const pair = (name = '', value = ''): Pair => ({ id: ++lastPair, name, value })
const pairs = (record: Readonly<Record<string, string>>): Pair[] => Object.entries(record).map(([name, value]) => pair(name, value))

export const emptyServerForm = (): ServerForm => ({
  name: '',
  transport: 'stdio',
  command: '',
  args: '',
  env: [],
  cwd: '',
  sandbox: undefined,
  url: '',
  headers: [],
  oauth: emptyOAuth,
  enabled: true,
  start: 'needed',
  trusted: false,
  timeout: '',
  idle: '',
  startTimeout: '',
})

/** A built-in server has nothing to fill in: it is not edited through the form. */
export function toForm(name: string, definition: ServerDefinition): ServerForm {
  const { enabled, start, trusted, timeoutMs, startTimeoutMs, idleMinutes } = definition
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : String(ms / 1000))
  const times = { timeout: seconds(timeoutMs), startTimeout: seconds(startTimeoutMs), idle: String(idleMinutes ?? '') }
  const common = { ...emptyServerForm(), name, enabled, start, trusted, ...times }
  switch (definition.transport) {
    case 'stdio':
      return {
        ...common,
        command: definition.command,
        args: definition.args.join('\n'),
        env: pairs(definition.env),
        cwd: definition.cwd ?? '',
        sandbox: definition.sandbox,
      }
    case 'builtin':
      return common
    default:
      return {
        ...common,
        transport: definition.transport,
        url: definition.url,
        headers: pairs(definition.headers),
        oauth: toOAuthForm(definition.oauth),
      }
  }
}

/** Arguments, one a line. Empty lines at the end do not count. */
export const splitArgs = (text: string): string[] => {
  const lines = text.split(/\r?\n/)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

const isLoopback = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host)

function urlError(url: string): string | undefined {
  if (url === '') return t`Required`
  if (!URL.canParse(url)) return t`Write the whole address, from https://`
  const { protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? undefined : t`This is not an address of http or https.`
}

function pairsError(rows: readonly Pair[], what: 'variable' | 'header'): string | undefined {
  const valid = what === 'variable' ? /^[^=\0\s]+$/ : /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
  const seen = new Set<string>()
  for (const row of rows) {
    if (row.name === '' && row.value === '') continue
    if (row.name === '') return t`Required`
    if (!valid.test(row.name)) return t`“${row.name}” cannot be the name of a ${what}.`
    const key = what === 'header' ? row.name.toLowerCase() : row.name
    if (seen.has(key)) return t`“${row.name}” appears twice.`
    seen.add(key)
  }
  return undefined
}

export function validateForm(form: ServerForm, takenNames: readonly string[]): FormErrors {
  const found: { [Field in ServerFormField]?: string | undefined } = {}
  if (form.name === '') found.name = t`Required`
  else if (!isServerName(form.name)) found.name = t`Use 1 to 64 visible characters.`
  else if (takenNames.includes(form.name)) found.name = t`There is a server named “${form.name}” already.`
  if (form.transport === 'stdio') {
    if (form.command.trim() === '') found.command = t`Required`
    if (form.args.includes('\0')) found.args = t`A character is not allowed here.`
    found.env = pairsError(form.env, 'variable')
  } else {
    found.url = urlError(form.url.trim())
    found.headers = pairsError(form.headers, 'header')
    for (const [field, message] of Object.entries(oauthErrors(form.oauth))) found[`oauth.${field as OAuthField}`] = message
  }
  for (const field of ['timeout', 'startTimeout'] as const) {
    const seconds = Number(form[field])
    if (form[field] !== '' && !(seconds >= 1 && seconds <= 86_400)) found[field] = t`A whole number from ${1} to ${formatNumber(86_400)}.`
  }
  if (form.idle !== '') {
    const minutes = Number(form.idle)
    if (!(minutes > 0 && minutes <= 10_080)) found.idle = t`A whole number from ${1} to ${formatNumber(10_080)}.`
  }
  return defined(found)
}

/** Errors of the sign-in, by the names of its fields. */
export const oauthPart = (errors: FormErrors): OAuthErrors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([field, message]) => (field.startsWith('oauth.') ? [[field.slice('oauth.'.length), message]] : [])),
  )

/** Warnings beside fields; they do not prevent saving. */
export function formHints(form: ServerForm): FormErrors {
  const hints: FormErrors = {}
  if (form.transport === 'stdio') {
    if (/\s/.test(form.command.trim()) && !/[\\/]/.test(form.command)) hints.command = t`There is no shell: arguments go below, one a line.`
    if (splitArgs(form.args).some((line) => /^(["']).*\1$/.test(line))) hints.args = t`Quotes become part of the argument. It needs none.`
    return hints
  }
  const url = URL.canParse(form.url.trim()) ? new URL(form.url.trim()) : undefined
  if (url?.protocol === 'http:' && !isLoopback(url.hostname))
    hints.url = t`Not encrypted: others on the network can read and change what is sent.`
  return hints
}

const record = (rows: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(rows.filter((row) => row.name !== '').map((row) => [row.name, row.value]))

export function toDefinition(form: ServerForm): ServerDefinition {
  const common = {
    enabled: form.enabled,
    start: form.start,
    trusted: form.trusted,
    ...(form.timeout === '' ? {} : { timeoutMs: Math.round(Number(form.timeout) * 1000) }),
    ...(form.idle === '' ? {} : { idleMinutes: Number(form.idle) }),
    ...(form.startTimeout === '' ? {} : { startTimeoutMs: Math.round(Number(form.startTimeout) * 1000) }),
  }
  if (form.transport !== 'stdio') {
    const oauth = toOAuthSettings(form.oauth)
    return { ...common, transport: form.transport, url: form.url.trim(), headers: record(form.headers), ...(oauth && { oauth }) }
  }
  return {
    ...common,
    transport: 'stdio',
    command: form.command.trim(),
    args: splitArgs(form.args),
    env: record(form.env),
    ...(form.cwd === '' ? {} : { cwd: form.cwd }),
    ...(form.sandbox ? { sandbox: form.sandbox } : {}),
  }
}

/** Whether a row's value goes into the secret store. What stands in the file as plain text stays there unless the person says so. */
export const isKept = (row: Pair, byDefault: boolean): boolean =>
  row.keep ??
  (onlyInputOf(row.value) !== undefined || (byDefault && row.value !== secretMask && !isLookedUp(row.value) && looksSecret(row.name)))

/**
 * Names of the variables or headers that go into the secret store, and of the secrets of the sign-in that were typed: those never
 * go into the file. `byDefault`: there is a keyring that keeps them.
 */
export const secretsToKeep = (form: ServerForm, byDefault: boolean): string[] => [
  ...(form.transport === 'stdio' ? form.env : form.headers)
    .filter((row) => row.name !== '' && row.value !== '' && !isLookedUp(row.value) && isKept(row, byDefault))
    .map((row) => row.name),
  ...(form.transport === 'stdio' ? [] : typedSecrets(form.oauth).map(oauthValueName)),
]

export const sameForm = (a: ServerForm, b: ServerForm): boolean => {
  const bare = (form: ServerForm): string =>
    JSON.stringify({
      ...form,
      env: form.env.map(({ id, ...rest }) => rest),
      headers: form.headers.map(({ id, ...rest }) => rest),
    })
  return bare(a) === bare(b)
}
