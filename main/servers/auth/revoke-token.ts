// The end of a sign-in at the place that gave it (RFC 7009). A courtesy with consequences: a token that somebody copied is
// worth nothing afterwards. What is held here is forgotten whatever comes of it.
import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client'
import { listIn, readServerMetadata } from './auth-discovery.ts'
import type { StoredSignIn } from './token-store.ts'

/** False: there is no endpoint for it, or it did not answer. */
export async function revoke(server: string, held: StoredSignIn, fetch: FetchLike): Promise<boolean> {
  try {
    const metadata = await readServerMetadata(server, held.server, fetch)
    const endpoint = (metadata as { revocation_endpoint?: unknown } | undefined)?.revocation_endpoint
    if (metadata?.issuer !== held.issuer || typeof endpoint !== 'string') return false
    const own = listIn(metadata, 'revocation_endpoint_auth_methods_supported')
    const method = selectClientAuthMethod(held.client, own ?? metadata.token_endpoint_auth_methods_supported ?? [])
    // The refresh token first: where only that can be revoked, the others go with it.
    const tokens = [
      ...(held.refreshToken === undefined ? [] : [['refresh_token', held.refreshToken] as const]),
      ['access_token', held.accessToken] as const,
    ]
    let revoked = true
    for (const [hint, token] of tokens) revoked = (await revokeOne(endpoint, { hint, token, held, method, fetch })) && revoked
    return revoked
  } catch {
    // It is not there, or must not be gone to: the tokens live on there until they are too old.
    return false
  }
}

async function revokeOne(
  endpoint: string,
  {
    hint,
    token,
    held,
    method,
    fetch,
  }: {
    readonly hint: string
    readonly token: string
    readonly held: StoredSignIn
    readonly method: ReturnType<typeof selectClientAuthMethod>
    readonly fetch: FetchLike
  },
): Promise<boolean> {
  const { client_id, client_secret } = held.client
  const body = new URLSearchParams({ token, token_type_hint: hint })
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  if (method === 'client_secret_basic' && client_secret !== undefined)
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`)
  else {
    body.set('client_id', client_id)
    if (client_secret !== undefined && method === 'client_secret_post') body.set('client_secret', client_secret)
  }
  const response = await fetch(endpoint, { method: 'POST', headers, body: body.toString(), redirect: 'manual' })
  return response.ok
}
