// A server that wants a sign-in, at each of its steps.
import type { SignInRequest } from '#app/consent/request.ts'
import type { Account } from '#app/server/auth-status.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeServer } from '../builders.ts'

type Base = Pick<SignInRequest, 'createdAt' | 'server' | 'conversationId' | 'callId'>

export const signInRequests = (base: Base): SignInRequest[] => [
  {
    ...base,
    id: 'r1',
    kind: 'sign-in',
    why: { kind: 'sign-in-needed' },
    resource: 'https://mcp.ledger.example/mcp',
    issuer: 'https://login.northbank.example',
    url: 'https://login.northbank.example/oauth2/authorize?response_type=code&client_id=c41f0d&code_challenge=Zr6r0fQ2b7pEo1Yk3m&code_challenge_method=S256&redirect_uri=http%3A%2F%2F127.0.0.1%3A43117%2Fcallback&state=kq1b7&resource=https%3A%2F%2Fmcp.ledger.example%2Fmcp&scope=claims.read+claims.write+openid',
    scopes: ['claims.read', 'claims.write', 'openid'],
    granted: [],
    client: 'registered',
  },
  {
    ...base,
    id: 'r2',
    kind: 'sign-in',
    why: { kind: 'more-scopes' },
    resource: 'https://mcp.ledger.example/mcp',
    issuer: 'https://auth.ledger.example',
    url: 'https://auth.ledger.example/authorize?response_type=code&state=a',
    scopes: ['claims.pay'],
    granted: ['claims.read', 'claims.write'],
    client: 'pre-registered',
  },
]

const tracker = (change: Partial<ServerSummary>): ServerSummary =>
  makeServer({
    name: 'tracker',
    definition: {
      transport: 'streamable-http',
      url: 'https://mcp.tracker.example/mcp',
      headers: {},
      oauth: { clientId: 'assent-desktop', clientSecret: '••••', scopes: ['issues.read', 'issues.write'] },
      enabled: true,
      start: 'needed',
      trusted: false,
    },
    ...change,
  })

export const inTheBrowser = (now: number): ServerSummary =>
  tracker({
    state: { kind: 'starting', since: now - 20_000, attempt: 1, step: 'signing-in' },
    signIn: {
      kind: 'waiting',
      issuer: 'https://auth.tracker.example',
      url: 'https://auth.tracker.example/authorize?state=a',
      since: now - 14_000,
    },
  })

export const work: Account = { id: 'a1', name: 'ada@work.example', signed: true }
export const personal: Account = { id: 'a2', name: 'ada.lovelace@analytical-engines.example' }

export const signedIn = (now: number, name = 'tracker', account = work): ServerSummary =>
  tracker({
    name,
    signIn: {
      kind: 'signed-in',
      issuer: 'https://auth.tracker.example',
      scopes: ['issues.read', 'issues.write', 'offline_access'],
      expiresAt: now + 52 * 60_000,
      refreshable: true,
      grant: 'authorization-code',
      dpop: true,
      account,
    },
  })
