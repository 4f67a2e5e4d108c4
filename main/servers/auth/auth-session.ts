// The sign-in of one server: what is held, who is waited for, what the person said no to. The one place where a token is put on
// a request, and only on one to the server's own origin. However many requests find out at once that they need a sign-in, there
// is one. One attempt to come by a token: renewed or asked for, put on record, kept. What the person said no to is remembered,
// and not asked again until they say otherwise.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { OAuthSettings, SignInStatus } from '#app/server/auth-status.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { Proxies } from '../transport/http/dispatchers.ts'
import type { PausableTimeouts } from '../transport/pausable-timeouts.ts'
import { type PendingAuthorization, signInRefused } from './authorization-request.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createHeldToken, type HeldToken, isDueForRenewal, type Presented } from './held-token.ts'
import { isFinal, isMachine, type Need, type Obtained, type ObtainOptions, obtain, rememberedChallenge, renew } from './obtain-token.ts'
import { revoke } from './revoke-token.ts'
import { createSingleFlight } from './single-flight.ts'
import { createTokenStore, type Owner, type Secrets, type StoredSignIn, type TokenStore } from './token-store.ts'
import type { Challenge } from './www-authenticate.ts'

interface AttemptState {
  /** The person's browser is waited for. */
  waiting: PendingAuthorization | undefined
  asking: boolean
  /** The server said 401 to a request that carried nothing. */
  demanded: boolean
  refusal: HostError | undefined
  refusedScopes: readonly string[]
  /** The person wants another sign-in: what is held is not used. */
  anew: boolean
  lastChallenge: Challenge | undefined
}

interface AttemptContext extends Pick<ObtainOptions, 'server' | 'url' | 'settings' | 'vault' | 'guarded' | 'broker' | 'openUrl' | 'clock'> {
  readonly audit: AuditStore
  readonly waits: PausableTimeouts
  readonly held: HeldToken
  readonly state: AttemptState
  readonly onChange: () => void
  /** Writes a line to the server's log. */
  readonly note: (text: string) => void
}

async function attempt(context: AttemptContext, need: Need, signal: AbortSignal): Promise<Obtained> {
  const { held, state, settings } = context
  await held.load()
  const resume = context.waits.pause()
  const shared = obtainOptions(context, need, signal)
  try {
    const obtained: Obtained =
      need.kind === 'renew'
        ? { how: 'refresh', value: await renewHeld(shared), asked: held.value?.scopes ?? [] }
        : await obtain(shared, state.anew && need.kind === 'unauthorized' ? { ...need, mayRefresh: false, byPerson: true } : need)
    if (obtained.how === 'sign-in') {
      // A renewal that was called off is kept all the same: the issuer may have taken back what was there before.
      signal.throwIfAborted()
      // What cannot be put on record is not kept.
      auditSignIn(context, 'signed-in', aboutSignIn(context.url, obtained.value), isMachine(settings) ? null : 'person')
    }
    await held.keep(obtained.value)
    if (obtained.how === 'refresh') auditRefresh(context, obtained.value)
    state.anew = false
    if (obtained.how === 'sign-in') state.refusal = undefined
    return obtained
  } catch (error) {
    await failed(context, need, error)
    throw error
  } finally {
    resume()
    state.asking = false
    context.onChange()
  }
}

function obtainOptions(context: AttemptContext, need: Need, signal: AbortSignal): ObtainOptions {
  const { server, held, state, onChange } = context
  return {
    ...context,
    held: held.value,
    signal,
    assertMayAsk(challenge) {
      const { refusal, refusedScopes } = state
      if (refusal) throw refusal
      if (need.kind === 'scopes' && challenge.scopes.length > 0 && challenge.scopes.every((scope) => refusedScopes.includes(scope)))
        throw signInRefused(server)
      state.asking = true
      onChange()
    },
    onWaiting(now) {
      state.waiting = now
      onChange()
    },
    async onExpired(issuer, error) {
      auditFailedRefresh(context, issuer, error)
      await held.drop()
    },
  }
}

function renewHeld(options: ObtainOptions): Promise<StoredSignIn> {
  const { held } = options
  if (!held) throw new HostError('internal', t`There is nothing to renew.`)
  return renew({ ...options, held })
}

async function failed(context: AttemptContext, need: Need, error: unknown): Promise<void> {
  const { state, held } = context
  state.anew = false
  if (!(error instanceof HostError) || error === state.refusal) return
  if (error.code === 'server.sign-in-refused') {
    if (need.kind === 'scopes') state.refusedScopes = [...state.refusedScopes, ...need.challenge.scopes]
    else state.refusal = error
  }
  if (need.kind === 'renew') {
    if (held.value) auditFailedRefresh(context, held.value.issuer, error)
    context.note(error.message)
    // Refused for good: the next request goes without it, and the server says how to come by another.
    if (isFinal(error)) await held.drop()
  } else if (error.code !== 'server.sign-in-refused' && error.code !== 'cancelled')
    auditSignIn(context, 'failed', {
      reason: error.data['reason'] ?? error.code,
      ...(typeof error.data['issuer'] === 'string' ? { issuer: error.data['issuer'] } : {}),
    })
}

/** The parts of a sign-in that go on record. `url`: the server's own, where the sign-in names no resource. */
const aboutSignIn = (url: string, { issuer, resource, scopes, grant }: StoredSignIn): JsonObject => ({
  issuer,
  resource: resource ?? url,
  scopes,
  grant,
})

function auditSignIn(
  { audit, server }: Pick<AttemptContext, 'audit' | 'server'>,
  decision: string,
  detail: JsonObject,
  by: 'person' | null = null,
): void {
  audit.append({ kind: 'sign-in', server, decision, by, detail })
}

const auditFailedRefresh = (context: AttemptContext, issuer: string, error: HostError): void =>
  auditSignIn(context, 'refresh-failed', { issuer, reason: error.data['reason'] ?? error.code })

/** A renewal gives no more than was given before, and the issuer has taken back the old one: kept even where no row can be written. */
function auditRefresh(context: AttemptContext, value: StoredSignIn): void {
  try {
    auditSignIn(context, 'refreshed', aboutSignIn(context.url, value))
  } catch (error) {
    context.note(t`That it was renewed could not be put on record: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export interface AuthSessionOptions {
  readonly server: string
  /** Of the file that names it; '': the profile's own. */
  readonly scope?: string | undefined
  /** What was kept by its address alone is this server's. */
  readonly inherits?: (() => boolean) | undefined
  /** Held by it before it was taken out, if that was undone. */
  readonly before?: Promise<StoredSignIn | undefined> | undefined
  readonly url: string
  /** With their variables filled in. */
  readonly settings: OAuthSettings
  readonly secrets: Secrets
  readonly broker: Pick<ConsentBroker, 'signIn'>
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly waits: PausableTimeouts
  readonly proxies?: Proxies | undefined
  /** Told of every value that must not turn up in a log, all of them each time. */
  readonly onSecrets: (values: readonly string[]) => void
  readonly onChange: () => void
  /** Something that belongs in the server's log. */
  readonly note: (text: string) => void
}

export interface AuthSession {
  readonly view: SignInStatus | undefined
  /** A person is asked, or their browser waited for. */
  readonly asking: boolean
  /** Renews what is too old, if it can be. */
  present(request: { readonly method: string; readonly url: string; readonly signal: AbortSignal | undefined }): Promise<Presented>
  /** What came back: it may hold a nonce. */
  saw(response: Response, url: string): void
  /** What a name was resolved to on the way to a request. */
  resolved(hostname: string, addresses: readonly string[]): void
  /** `token`: what the refused request carried. Resolves once another one is held. */
  need(need: Need, token: string | undefined, signal: AbortSignal | undefined): Promise<Obtained>
  /** The person wants to sign in, now; `guess`: also where the server names nothing. */
  signIn(options: { readonly guess: boolean }): Promise<void>
  /** What was refused before may be asked again; `anew`: and what is held is not used. */
  forgive(options: { readonly anew: boolean }): void
  /** The sign-in that `forgive` was for has not come up. */
  readonly wanted: boolean
  /** False: it could not be told to the issuer. */
  signOut(): Promise<boolean>
  cancel(): Promise<void>
  finish(address: string): Promise<void>
  /** Takes what is held out of the store. */
  release(): Promise<StoredSignIn | undefined>
  /** Gives what is held to the server's new name. Returns what undoes it. */
  moveTo(name: string): Promise<() => Promise<void>>
  /** Ends what is under way and closes its port. What is held stays in the store. */
  dispose(reason: Error): Promise<void>
}

/** A renewal that is under way at the end may still bring its answer home. */
const graceMs = 1500

export function createAuthSession(options: AuthSessionOptions): AuthSession {
  const { server, url, settings, clock } = options
  const owner: Owner = { server, scope: options.scope ?? '', inherits: options.inherits ?? (() => false) }
  const vault = createTokenStore(options.secrets, url, owner)
  const guarded = createGuardedFetch({
    server,
    url,
    proxies: options.proxies,
    trusted: [settings.idpIssuer, settings.idpTokenEndpoint].filter((one) => one !== undefined),
  })
  const { before, onSecrets, onChange } = options
  const held = createHeldToken({ settings, vault, before, onSecrets, onChange })
  const state: AttemptState = {
    waiting: undefined,
    asking: false,
    demanded: false,
    refusal: undefined,
    refusedScopes: [],
    anew: false,
    lastChallenge: undefined,
  }
  const context: AttemptContext = { ...options, vault, guarded, held, state }
  const flights = createSingleFlight<Need, Obtained>(
    (need, signal) => attempt(context, need, signal),
    () => new HostError('cancelled', t`Nobody waits for the sign-in to “${server}” any more.`),
  )

  held.load().catch(() => undefined) // Whoever needs it is told.
  return {
    get view(): SignInStatus | undefined {
      return viewOf(state, held.value)
    },
    get asking() {
      return state.asking
    },
    get wanted() {
      return state.anew
    },
    async present({ method, url: target, signal }) {
      await held.load()
      if (held.value && !state.anew && isDueForRenewal(held.value, clock.now()))
        await flights.join({ kind: 'renew' }, signal).catch((error: unknown) => {
          // Whether it is worth anything yet, the server knows.
          if (signal?.aborted) throw error
        })
      if (state.anew) return { token: undefined, headers: {} }
      return held.present({ method, url: target })
    },
    saw: held.saw,
    resolved: guarded.saw,
    async need(need, token, signal) {
      if (need.kind !== 'renew') state.lastChallenge = need.challenge
      state.demanded = true
      const { value } = held
      // Somebody else has come by a new one meanwhile.
      if (value && !state.anew && token !== undefined && value.accessToken !== token) return { how: 'refresh', value, asked: value.scopes }
      return flights.join(need, signal)
    },
    async signIn({ guess }) {
      state.refusal = undefined
      state.refusedScopes = []
      await held.load()
      const challenge = state.lastChallenge ?? rememberedChallenge(held.value)
      // A renewal may be under way just now: that is not what they meant.
      while ((await flights.join({ kind: 'person', challenge, guess }, undefined)).how === 'refresh');
    },
    forgive(how) {
      state.refusal = undefined
      state.refusedScopes = []
      state.anew = how.anew && !flights.current
    },
    async signOut() {
      await flights.cancel(signInRefused(server))
      return signOut(context)
    },
    async cancel() {
      await flights.cancel(signInRefused(server))
    },
    async finish(address) {
      if (state.waiting?.offer(address) !== true)
        throw new HostError('contract.invalid', t`This is not the address that the browser came back to from this sign-in.`, {
          data: { server },
        })
      await flights.current
    },
    async release() {
      const found = await vault.signedIn()
      await vault.forget()
      return found
    },
    moveTo: (name) => moveSignIn(vault, createTokenStore(options.secrets, url, { ...owner, server: name })),
    async dispose(reason) {
      const late = Promise.withResolvers<void>()
      const stop = clock.after(graceMs, late.resolve)
      await Promise.race([flights.cancel(reason), late.promise])
      stop()
      await guarded.close()
    },
  }
}

function viewOf({ waiting, demanded, refusal }: AttemptState, held: StoredSignIn | undefined): SignInStatus | undefined {
  if (waiting) return { kind: 'waiting', issuer: waiting.issuer, url: waiting.url, since: waiting.since }
  if (!held) return demanded || refusal ? { kind: 'signed-out' } : undefined
  const { issuer, scopes, expiresAt, grant } = held
  return {
    kind: 'signed-in',
    issuer,
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    refreshable: held.refreshToken !== undefined || grant !== 'authorization-code',
    grant,
    dpop: held.dpopKey !== undefined,
  }
}

/** Revokes and forgets what is held. False: the issuer could not be told. */
async function signOut(context: AttemptContext): Promise<boolean> {
  const { server, settings, vault, guarded, held, state } = context
  await held.load()
  const before = held.value
  state.anew = false
  const revoked = before !== undefined && (await revoke(server, before, guarded.fetch))
  await held.drop()
  if (settings.clientId !== undefined) await vault.unbind(settings.clientId)
  state.demanded = true
  state.refusal = new HostError('server.sign-in-needed', t`You have signed out of “${server}”.`, { data: { server } })
  if (before) auditSignIn(context, 'signed-out', { ...aboutSignIn(context.url, before), revoked }, 'person')
  context.onChange()
  return revoked
}

/** Moves what one holds to the other. Returns what undoes it. */
async function moveSignIn(from: TokenStore, to: TokenStore): Promise<() => Promise<void>> {
  const found = await from.signedIn()
  if (!found) return async () => undefined
  await to.put(found)
  await from.forget()
  return async () => {
    await from.put(found)
    await to.forget()
  }
}
