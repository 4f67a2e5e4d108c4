// Keys of Amazon and Google, whose requests are signed here, in the fetch: the SDK never holds them. A key of several parts is one JSON
// object in the secret store, so that each part is known there as a secret.
import { createSign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { EndpointFormat } from '#app/models/presets.ts'
import { defined, parseJson } from '#app/or-else.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Reads a key from its variable; '' when it is not set. Amazon's key has three variables, Google's variable names a file. */
export async function keyInEnvironment(env: Environment, name: string): Promise<string> {
  const value = env[name]?.trim() ?? ''
  if (value === '') return ''
  if (name === 'GOOGLE_APPLICATION_CREDENTIALS') return (await readFile(value, 'utf8').catch(() => '')).trim()
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim()
  if (name !== 'AWS_ACCESS_KEY_ID') return value
  return secretAccessKey
    ? JSON.stringify({ accessKeyId: value, secretAccessKey, ...defined({ sessionToken: env['AWS_SESSION_TOKEN']?.trim() || undefined }) })
    : ''
}

interface AwsKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * Reads Amazon's access key: JSON of this host or of `aws configure export-credentials`, the lines of its access portal
 * (`AWS_ACCESS_KEY_ID=…`), or ID, secret and token with colons between; `undefined`: it is a Bedrock API key.
 */
function awsKey(key: string): AwsKey | undefined {
  const json = parseJson(key)
  const text = isJsonObject(json) ? '' : key.trim()
  const part = (name: string): string | undefined => {
    const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`)
    const found = isJsonObject(json)
      ? (json[name] ?? json[`${name[0]?.toUpperCase()}${name.slice(1)}`])
      : new RegExp(`aws_${variable}["']?\\s*[=:]\\s*["']?([^\\s"']+)`, 'i').exec(text)?.[1]
    return typeof found === 'string' && found !== '' ? found : undefined
  }
  const [, id, secret, token] = /^(A[A-Z0-9]{15,}):([^:\s]+)(?::(\S+))?$/.exec(text) ?? []
  const [accessKeyId, secretAccessKey] = [part('accessKeyId') ?? id, part('secretAccessKey') ?? secret]
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...defined({ sessionToken: part('sessionToken') ?? token }) }
}

/** Returns a key as it is kept: of several parts as JSON. */
export function keptKey(format: EndpointFormat, key: string): string {
  const aws = format === 'bedrock' ? awsKey(key) : undefined
  return aws ? JSON.stringify(aws) : key
}

/** Returns a fetch that signs each request for Bedrock: with the API key, or by Signature Version 4. Of `origin` and its sibling only. */
export function bedrockFetch(base: typeof fetch, key: string, region: string): typeof fetch {
  const aws = awsKey(key)
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    if (!aws) {
      if (key !== '') headers.set('authorization', `Bearer ${key}`)
      return base(input, { ...init, headers: Object.fromEntries(headers) })
    }
    const { AwsV4Signer } = await import('aws4fetch')
    const [url, method] = [String(input), init?.method ?? 'GET']
    const body = typeof init?.body === 'string' ? init.body : undefined
    const signer = new AwsV4Signer({
      ...aws,
      url,
      method,
      headers: Object.fromEntries(headers),
      service: 'bedrock',
      region,
      ...defined({ body }),
    })
    const signed = await signer.sign()
    return base(url, { ...init, method, headers: Object.fromEntries(signed.headers) })
  }
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** Seconds of life that a token must have left. */
const SPARE = 60

/**
 * Returns a fetch with Google's key: an API key as a header; the JSON of a service account, or that of `gcloud auth application-default
 * login`, as a token that is renewed (developers.google.com/identity/protocols/oauth2/service-account).
 */
export function googleFetch(base: typeof fetch, key: string, now: () => number): typeof fetch {
  let token: { readonly value: string; readonly until: number } | undefined
  const json = key.trim().startsWith('{') ? parseJson(key) : undefined
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    headers.delete('x-goog-api-key')
    if (json === undefined) {
      if (key !== '') headers.set('x-goog-api-key', key)
    } else {
      if (!token || token.until <= now()) token = await accessToken(base, isJsonObject(json) ? json : {}, now(), init?.signal ?? undefined)
      headers.set('authorization', `Bearer ${token.value}`)
    }
    return base(input, { ...init, headers: Object.fromEntries(headers) })
  }
}

/** @throws {HostError} `model.key-refused` */
async function accessToken(base: typeof fetch, account: JsonObject, now: number, signal: AbortSignal | undefined) {
  const url = typeof account['token_uri'] === 'string' ? account['token_uri'] : TOKEN_URL
  const body = new URLSearchParams(grantOf(account, url, Math.floor(now / 1000)))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await base(url, { method: 'POST', headers, body: body.toString(), redirect: 'manual', ...defined({ signal }) })
  const answer = parseJson(await response.text())
  const { access_token: value, expires_in: seconds, error_description: detail } = isJsonObject(answer) ? answer : {}
  if (response.ok && typeof value === 'string') return { value, until: now + (Number(seconds ?? 3600) - SPARE) * 1000 }
  if (response.status >= 500)
    throw new HostError('model.server-error', t`Google issued no access token for this key.`, { data: { status: response.status } })
  throw new HostError('model.key-refused', t`Google issued no access token for this key.`, {
    data: { status: response.status, ...(typeof detail === 'string' ? { detail } : {}) },
  })
}

/** @throws {HostError} `model.key-refused`: the file is neither of the two kinds */
function grantOf(account: JsonObject, audience: string, seconds: number): Record<string, string> {
  const { type, client_email: email, private_key: privateKey, client_id: id, client_secret: secret, refresh_token: refresh } = account
  if (type === 'authorized_user' && typeof refresh === 'string')
    return { grant_type: 'refresh_token', client_id: String(id), client_secret: String(secret), refresh_token: refresh }
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: email, scope: SCOPE, aud: audience, iat: seconds, exp: seconds + 3600 }
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  try {
    const signature = createSign('RSA-SHA256').update(signed).sign(String(privateKey), 'base64url')
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${signed}.${signature}` }
  } catch {
    throw new HostError('model.key-refused', t`This is not the JSON of a Google service account key.`)
  }
}
