// The part with a person in it (OAuth 2.1, 4.1): a port is opened for the answer, the person is asked, the browser opens
// the very address that they were shown, and the answer is checked before its code is worth anything. Whatever ends it
// closes the port.
import { randomBytes } from 'node:crypto'
import {
  IssuerMismatchError,
  type OAuthTokens,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { Decision } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker, SignInQuestion } from '#main/consent/types.ts'
import { type ClientPlan, planClient, register } from './client.ts'
import type { Discovered } from './discovery.ts'
import { refusedBy, signInFailed } from './failures.ts'
import { exchangeCode, type TokenRequest } from './grants.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { type Loopback, openLoopback } from './loopback.ts'
import { toSignInFailure } from './sdk-failures.ts'
import type { ClientInfo, Vault } from './vault.ts'

/** A person may look for their telephone, but not for ever. */
export const browserMs = 10 * 60_000

export interface Waiting {
  readonly issuer: string
  readonly url: string
  readonly since: number
  /** An address that the person copied from their browser. False: it is not the answer. */
  offer(address: string): boolean
}

export interface BrowserOptions {
  readonly request: Omit<TokenRequest, 'client' | 'from'> & { readonly from: Discovered }
  readonly granted: readonly string[]
  readonly why: SignInQuestion['why']
  readonly vault: Vault
  readonly guarded: GuardedFetch
  readonly broker: Pick<ConsentBroker, 'signIn'>
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Somebody is asked; then, once they agreed, the browser is waited for; then neither. */
  readonly onWaiting: (waiting: Waiting | undefined) => void
}

export async function signInByBrowser(options: BrowserOptions): Promise<{ readonly tokens: OAuthTokens; readonly client: ClientInfo }> {
  const { request, vault, guarded, clock, signal } = options
  const { server, from, settings } = request
  assertPkce(server, from)
  // Also where the code is to go: nobody signs in for what would be refused then.
  for (const endpoint of [from.metadata?.authorization_endpoint, from.metadata?.token_endpoint])
    await guarded.check(endpoint ?? from.server)
  const plan = await planClient({ server, settings, from, vault, now: clock.now() })
  const state = randomBytes(32).toString('base64url')
  const { loopback, fresh } = await openPort(server, plan, state)
  let opened = false
  const watch = (waiting: Waiting | undefined): void => {
    opened = true
    options.onWaiting(waiting)
  }
  try {
    signal.throwIfAborted()
    const client = plan.kind === 'registered' ? await registered(options, plan, loopback, fresh) : plan.client
    try {
      const tokens = await ask({ ...options, onWaiting: watch }, { client, how: plan.kind, loopback, state })
      return { tokens, client }
    } catch (error) {
      // It may be that its registration is not known there any more, and the page only said so to the person.
      if (plan.kind === 'registered' && !fresh && opened && !isAnswered(error)) await vault.forgetRegistration(from.issuer)
      throw error
    }
  } finally {
    options.onWaiting(undefined)
    await loopback.close()
  }
}

/** The person was there and said no: so the page knew the client. */
const isAnswered = (error: unknown): boolean => error instanceof HostError && error.data['reason'] === 'access_denied'

/** MCP, "Authorization Code Protection": without S256 in the metadata there is no sign-in. */
function assertPkce(server: string, { metadata, issuer }: Discovered): void {
  if (metadata && metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw signInFailed(server, 'pkce-unsupported', { issuer })
}

/** `fresh`: nothing is registered for this port yet. */
async function openPort(
  server: string,
  plan: ClientPlan,
  state: string,
): Promise<{ readonly loopback: Loopback; readonly fresh: boolean }> {
  const known = plan.kind === 'registered' && plan.known !== undefined
  try {
    return { loopback: await openLoopback({ port: plan.port, state }), fresh: !known }
  } catch (cause) {
    if (known) return { loopback: await openLoopback({ port: 0, state }), fresh: true }
    throw new HostError('port.in-use', t`The port ${plan.port}, where the browser is to come back to for “${server}”, is taken.`, {
      data: { server, port: plan.port },
      cause,
    })
  }
}

async function registered(
  { request, vault }: BrowserOptions,
  plan: Extract<ClientPlan, { kind: 'registered' }>,
  loopback: Loopback,
  fresh: boolean,
): Promise<ClientInfo> {
  if (plan.known && !fresh) return plan.known.client
  const { redirectUri } = loopback
  const made = await register({ ...request, redirectUri })
  await vault.putRegistration(made)
  return made.client
}

async function ask(
  { request, granted, why, guarded, broker, openUrl, clock, signal, onWaiting }: BrowserOptions,
  {
    client,
    how,
    loopback,
    state,
  }: { readonly client: ClientInfo; readonly how: ClientPlan['kind']; readonly loopback: Loopback; readonly state: string },
): Promise<OAuthTokens> {
  const { server, from, scopes } = request
  const { redirectUri } = loopback
  const { authorizationUrl, codeVerifier } = await authorization()
  const url = authorizationUrl.href
  await guarded.check(url)
  const { issuer, resource = request.url } = from
  const verdict = await broker.signIn({ server, resource, issuer, url, scopes, granted, client: how, why, signal })
  if (verdict.kind === 'withdrawn')
    throw signal.aborted ? signal.reason : new HostError('consent.withdrawn', t`The sign-in was called off.`)
  if (verdict.kind === 'denied')
    throw verdict.decision.by === 'policy' ? signInFailed(server, 'address-refused') : refused(server, verdict.decision)
  onWaiting({ issuer, url, since: clock.now(), offer: (address) => loopback.offer(address) })
  await openUrl(verdict.approval)
  const answer = await comeBack(server, loopback, { clock, signal })
  const iss = answer.get('iss') ?? undefined
  try {
    // RFC 9207, 2.4: before anything else in it is believed, its error too.
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: from.metadata?.issuer,
      issParameterSupported: from.metadata?.authorization_response_iss_parameter_supported === true,
    })
  } catch (error) {
    throw error instanceof IssuerMismatchError ? signInFailed(server, 'issuer-mismatch', { issuer }) : error
  }
  const code = answer.get('code')
  if (code === null) throw refusedBy(server, issuer, answer.get('error') ?? 'server_error')
  return exchangeCode({ ...request, client }, { code, iss, verifier: codeVerifier, redirectUri })

  async function authorization() {
    try {
      return await startAuthorization(from.server, {
        ...(from.metadata ? { metadata: from.metadata } : {}),
        clientInformation: client,
        redirectUrl: redirectUri,
        state,
        ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
        ...(from.resource === undefined ? {} : { resource: from.resource }),
      })
    } catch (error) {
      throw toSignInFailure(server, from.issuer, error)
    }
  }
}

/** Says that the person refused only when they did: on the command line, an option may have. */
export function refused(server: string, { by, word }: Pick<Decision, 'by' | 'word'> = { by: 'person' }): HostError {
  const message =
    by === 'person'
      ? t`You did not allow the sign-in to “${server}”.`
      : [t`Nobody signs in to “${server}”.`, word ?? ''].join(' ').trimEnd()
  return new HostError('server.sign-in-refused', message, { data: { server } })
}

async function comeBack(
  server: string,
  loopback: Loopback,
  { clock, signal }: Pick<BrowserOptions, 'clock' | 'signal'>,
): Promise<URLSearchParams> {
  const over = Promise.withResolvers<never>()
  const onAbort = (): void => over.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  const cancel = clock.after(browserMs, () =>
    over.reject(
      new HostError('server.sign-in-timeout', t`The browser did not come back from the sign-in to “${server}” in time.`, {
        data: { server },
      }),
    ),
  )
  try {
    return await Promise.race([loopback.answer, over.promise])
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}
