// Challenges in `WWW-Authenticate` (RFC 9110, 11.6.1), with several schemes in one field or more. Only Bearer (RFC 6750, 3) and
// DPoP (RFC 9449, 7.1) are read. The text is a server's: it is capped, and never shown.
export interface Challenge {
  readonly dpopOnly: boolean
  /** The `resource_metadata` parameter (RFC 9728, 5.1). */
  readonly resourceMetadata: string | undefined
  readonly scopes: readonly string[]
  readonly error: string | undefined
}

export type Demand =
  | { readonly kind: 'sign-in'; readonly challenge: Challenge }
  | { readonly kind: 'more-scopes'; readonly challenge: Challenge }
  /** Send it again with the nonce of the response (RFC 9449, 9). */
  | { readonly kind: 'nonce' }

const longest = 8192
const maxScopes = 100
export const noChallenge: Challenge = { dpopOnly: false, resourceMetadata: undefined, scopes: [], error: undefined }

const part = /[\s,]*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy

function schemesOf(header: string): { readonly scheme: string; readonly params: Map<string, string> }[] {
  const found: { readonly scheme: string; readonly params: Map<string, string> }[] = []
  for (const [, name = '', quoted, plain] of header.slice(0, longest).matchAll(part)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (value === undefined) found.push({ scheme: name.toLowerCase(), params: new Map() })
    else {
      const params = found.at(-1)?.params
      if (params && !params.has(name.toLowerCase())) params.set(name.toLowerCase(), value)
    }
  }
  return found
}

export const readScopes = (text: string | undefined): string[] =>
  [...new Set((text ?? '').split(/\s+/).filter((scope) => scope !== '' && scope.length <= 200))].slice(0, maxScopes)

export function readChallenge(header: string | null): Challenge | undefined {
  const known = schemesOf(header ?? '').filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  if (known.length === 0) return undefined
  const say = (name: string): string | undefined => known.map(({ params }) => params.get(name)).find((value) => value !== undefined)
  return {
    dpopOnly: known.every(({ scheme }) => scheme === 'dpop'),
    resourceMetadata: say('resource_metadata'),
    scopes: readScopes(say('scope')),
    error: say('error'),
  }
}

/** Classifies a response; undefined: it is passed on as it is (MCP, "Error Handling" and "Scope Challenge Handling"). */
export function classifyAnswer(response: { readonly status: number; readonly headers: Headers }): Demand | undefined {
  const challenge = readChallenge(response.headers.get('www-authenticate'))
  if (response.status === 403) return challenge?.error === 'insufficient_scope' ? { kind: 'more-scopes', challenge } : undefined
  if (response.status !== 401) return undefined
  if (challenge?.error === 'use_dpop_nonce' && response.headers.has('dpop-nonce')) return { kind: 'nonce' }
  return { kind: 'sign-in', challenge: challenge ?? noChallenge }
}
