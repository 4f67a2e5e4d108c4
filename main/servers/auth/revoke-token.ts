// Token revocation at sign-out (RFC 7009). The stored tokens are deleted whatever the issuer answers.
import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client'
import { readServerMetadata, stringListOf } from './auth-discovery.ts'
import type { StoredSignIn } from './token-store.ts'

/** Revokes refresh and access token. Returns false when there is no endpoint or it did not confirm. */
export async function revoke(server: string, held: StoredSignIn, fetch: FetchLike): Promise<boolean> {
  try {
    const metadata = await readServerMetadata(server, held.server, fetch)
    const endpoint = (metadata as { revocation_endpoint?: unknown } | undefined)?.revocation_endpoint
    if (metadata?.issuer !== held.issuer || typeof endpoint !== 'string') return false
    const own = stringListOf(metadata, 'revocation_endpoint_auth_methods_supported')
    const method = selectClientAuthMethod(held.client, own ?? metadata.token_endpoint_auth_methods_supported ?? [])
    // RFC 7009, 2.1: revoking the refresh token may end the access token too, so it comes first.
    const { refreshToken, accessToken, client } = held
    const isRevoked = async (token: string | undefined, token_type_hint: string): Promise<boolean> =>
      token === undefined || revokeOne(endpoint, new URLSearchParams({ token, token_type_hint }), client, method, fetch)
    const refreshGone = await isRevoked(refreshToken, 'refresh_token')
    return (await isRevoked(accessToken, 'access_token')) && refreshGone
  } catch {
    // Unreachable, or a forbidden address: the tokens stay valid until they expire.
    return false
  }
}

async function revokeOne(
  endpoint: string,
  body: URLSearchParams,
  { client_id, client_secret }: StoredSignIn['client'],
  method: ReturnType<typeof selectClientAuthMethod>,
  fetch: FetchLike,
): Promise<boolean> {
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
