// A server that answers only to those who have signed in, written without any SDK: it says 401 and where to sign in
// (RFC 9728), and 403 where a tool needs more (RFC 6750, 3.1). It keeps what was asked of it.
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '#app/json.ts'
import { type RawIssuer, rawIssuer } from './oauth-issuer.ts'
import { called, handshake, json, type RawHttp, rawHttp, type Seen, stream } from './raw-http.ts'

export interface ResourceBehaviour {
  /** Where it says who signs people in: in the challenge, in one of the two well-known places, or nowhere. */
  metadata: 'challenge' | 'path' | 'root' | 'none'
  /** The address in the challenge, in place of its own. */
  told: string | undefined
  /** More or other metadata. */
  more: Record<string, unknown>
  /** In place of its own. */
  resource: string | undefined
  /** Addresses of authorization servers. */
  issuers: string[]
  /** JSON at other paths. */
  serves: (path: string) => JsonObject | undefined
  /** Headers in place of its own challenge. */
  challenges: readonly string[] | undefined
  /** Scopes in the challenge of a 401. */
  scope: string | undefined
  /** What a tool needs. */
  needs: Record<string, string>
  /** It takes no token at all. */
  refusesAll: boolean
  /** It speaks through an event stream of its own (HTTP+SSE of 2024-11-05). */
  stream: boolean
  /** Where calls are sent on to. */
  redirect: string | undefined
  /** Methods that anybody may use. */
  open: readonly string[]
  /** Told of each authorized call before it is answered. */
  onCall: (tool: string) => Promise<void>
}

export interface RawResource {
  readonly url: string
  readonly raw: RawHttp
  readonly issuer: RawIssuer
  readonly behave: ResourceBehaviour
  /** Every other issuer that may sign for its tokens. */
  readonly others: RawIssuer[]
  /** `Authorization` of requests with this JSON-RPC method. */
  presented(method: string): (string | undefined)[]
  close(): Promise<void>
}

const metadataPath = '/.well-known/oauth-protected-resource'

/** `at`: its address as others know it, where something stands before it. */
export async function rawResource(options: { readonly issuer?: RawIssuer; readonly at?: string } = {}): Promise<RawResource> {
  const issuer = options.issuer ?? (await rawIssuer())
  const others: RawIssuer[] = []
  const behave: ResourceBehaviour = {
    metadata: 'challenge',
    told: undefined,
    more: {},
    resource: undefined,
    issuers: [issuer.issuer],
    serves: () => undefined,
    challenges: undefined,
    scope: undefined,
    needs: {},
    refusesAll: false,
    stream: false,
    redirect: undefined,
    open: [],
    onCall: async () => undefined,
  }

  let events: ServerResponse | undefined
  const scopesOf = (token: string | undefined): string[] | undefined =>
    token === undefined || behave.refusesAll
      ? undefined
      : [issuer, ...others].map((one) => one.scopesOf(token)).find((scopes) => scopes !== undefined)

  function answer(seen: Seen, response: ServerResponse): boolean | undefined {
    const { verb, path, message, headers } = seen
    const { origin } = new URL(url)
    const places = { challenge: '/told/here', path: `${metadataPath}/mcp`, root: metadataPath, none: '' }
    const more = behave.serves(path)
    if (more !== undefined) {
      json(response, more)
      return true
    }
    if (path === places[behave.metadata]) {
      json(response, { resource: behave.resource ?? url, authorization_servers: behave.issuers, ...behave.more })
      return true
    }
    if (path !== '/mcp') {
      response.writeHead(404).end()
      return true
    }
    if ((verb === 'GET' && !behave.stream) || behave.open.includes(message.method ?? '')) return speak(seen, response)
    const told = behave.metadata === 'challenge' ? [`resource_metadata="${behave.told ?? `${origin}/told/here`}"`] : []
    const scopes = scopesOf(/^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1])
    const refuse = (status: number, error: string | undefined, scope: string | undefined): true => {
      const parts = [...told, ...(error ? [`error="${error}"`] : []), ...(scope ? [`scope="${scope}"`] : [])]
      response.writeHead(status, { 'www-authenticate': [...(behave.challenges ?? [`Bearer ${parts.join(', ')}`.trim()])] }).end()
      return true
    }
    if (!scopes) return refuse(401, headers.authorization ? 'invalid_token' : undefined, behave.scope)
    const needed = message.method === 'tools/call' ? behave.needs[String(message.params?.['name'])] : undefined
    if (needed !== undefined && !scopes.includes(needed)) return refuse(403, 'insufficient_scope', needed)
    if (behave.redirect !== undefined && message.method === 'tools/call') {
      response.writeHead(307, { location: behave.redirect }).end()
      return true
    }
    return speak(seen, response)
  }

  function speak({ verb, message }: Seen, response: ServerResponse): boolean | undefined {
    if (verb === 'GET' && behave.stream) {
      events = stream(response)
      events.write('event: endpoint\ndata: /mcp\n\n')
      return true
    }
    if (verb !== 'POST') return false
    if (message.id === undefined) {
      response.writeHead(202).end()
      return true
    }
    const known = handshake(message, '2025-06-18')
    const say = (what: JsonObject): void => {
      if (behave.stream) {
        response.writeHead(202).end()
        events?.write(`data: ${JSON.stringify(what)}\n\n`)
      } else json(response, what)
    }
    if (known) say(known)
    else if (message.method === 'tools/call') {
      const tool = String(message.params?.['name'])
      void behave.onCall(tool).then(() => say(called(message, `${tool} ran`)))
    } else return false
    return true
  }

  const raw = await rawHttp(answer)
  const url = options.at ?? raw.url
  return {
    url,
    raw,
    issuer,
    behave,
    others,
    presented: (method) => raw.seen.filter(({ message }) => message.method === method).map(({ headers }) => headers.authorization),
    async close() {
      await Promise.all([raw.close(), issuer.close(), ...others.map((one) => one.close())])
    },
  }
}
