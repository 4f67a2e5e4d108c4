// The sign-in of one server: the token held, the attempt under way and what the person refused. A token is put only on requests to
// the server's own origin. Concurrent requests share one attempt. A refusal is remembered until the person signs in.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type Account, isForAccount, type SignInStatus } from '#app/server/auth-status.ts'
import { doneWithin, orAborted } from '#main/base/abort.ts'
import { auditedAccount } from '#main/consent/audit-writer.ts'
import type { AccountChange } from '#main/consent/broker-api.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { Proxies } from '../transport/http/dispatchers.ts'
import type { PausableTimeouts } from '../transport/pausable-timeouts.ts'
import { untoldAccount } from './account.ts'
import { type PendingAuthorization, signInRefused } from './authorization-request.ts'
import { ownDocument } from './client-registration.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createHeldToken, type HeldToken, type HeldTokenOptions, isDueForRenewal, type Presented } from './held-token.ts'
import {
  isFinal,
  isMachine,
  type Need,
  type Obtained,
  type ObtainOptions,
  obtain,
  rememberedChallenge,
  renew,
  revoke,
} from './obtain-token.ts'
import { createTokenStore, type Owner, type Secrets, type StoredSignIn, type TokenStore } from './token-store.ts'
import type { Challenge } from './www-authenticate.ts'

// Runs one task at a time. Callers that need it meanwhile share its result. The task is aborted when nobody waits for it any more.

export function createSingleFlight<Need, Result>(run: (need: Need, signal: AbortSignal) => Promise<Result>, onAbandoned: () => Error) {
  interface Flight {
    readonly result: Promise<Result>
    readonly control: AbortController
    waiting: number
  }
  let flight: Flight | undefined

  function start(need: Need): Flight {
    const control = new AbortController()
    const result = run(need, control.signal).finally(() => {
      if (flight === mine) flight = undefined
    })
    result.catch(() => undefined) // Callers get the error from their own promise.
    const mine: Flight = { result, control, waiting: 0 }
    return mine
  }

  return {
    get current(): Promise<Result> | undefined {
      return flight?.result
    },
    /** Starts the task, or shares the one under way whatever it was for. @throws {HostError} when `signal` aborts */
    async join(need: Need, signal: AbortSignal | undefined): Promise<Result> {
      signal?.throwIfAborted()
      flight ??= start(need)
      const shared = flight
      shared.waiting += 1
      try {
        return await (signal ? orAborted(shared.result, signal, () => signal.reason) : shared.result)
      } finally {
        shared.waiting -= 1
        if (shared.waiting === 0 && flight === shared) shared.control.abort(onAbandoned())
      }
    },
    async cancel(reason: Error): Promise<void> {
      const ending = flight
      ending?.control.abort(reason)
      await ending?.result.catch(() => undefined)
    },
  }
}

interface AttemptState {
  waiting?: PendingAuthorization | undefined
  asking: boolean
  /** The server answered 401 to a request without a token. */
  demanded: boolean
  refusal?: HostError | undefined
  refusedScopes: readonly string[]
  /** The person wants another sign-in; the token held is not used. */
  anew: boolean
  lastChallenge?: Challenge
}

interface AttemptContext extends AuthSessionOptions, Pick<ObtainOptions, 'store' | 'guarded'> {
  readonly held: HeldToken
  readonly state: AttemptState
}

async function attempt(context: AttemptContext, need: Need, signal: AbortSignal): Promise<Obtained> {
  const { held, state, settings } = context
  await held.load()
  const resume = context.waits.pause()
  const shared = obtainOptions(context, need, signal)
  try {
    const obtained: Obtained =
      need.kind === 'renew'
        ? { how: 'refresh', value: await renew(shared, held.value), asked: held.value?.scopes ?? [] }
        : await obtain(shared, state.anew && need.kind === 'unauthorized' ? { ...need, mayRefresh: false, byPerson: true } : need)
    if (obtained.how === 'sign-in') {
      // A cancelled renewal is stored all the same: the issuer may have revoked the previous tokens (RFC 9700, 4.14.2).
      signal.throwIfAborted()
      // Audited first: a sign-in that cannot be audited is not stored.
      auditSignIn(context, 'signed-in', aboutSignIn(context.url, obtained.value), isMachine(settings) ? null : 'person')
    }
    await keepAccount(context, need, obtained)
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

/** Keeps a sign-in with its account. Where nobody tells whose it is, one that the person asked for themselves may be another's. */
async function keepAccount(context: AttemptContext, need: Need, { how, value }: Obtained): Promise<void> {
  const { held, store, state, onAccount } = context
  const before = held.value ? { account: held.value.account } : await store.lastAccount()
  const mayDiffer = before !== undefined && (need.kind === 'person' || state.anew || before.account?.name !== undefined)
  value.account ??= how === 'refresh' ? undefined : mayDiffer ? untoldAccount() : before?.account
  const { account } = value
  const isSame = how === 'refresh' || before === undefined || isForAccount(before.account, account)
  const told = account && !isDeepStrictEqual(before?.account, account)
  // Told first: nothing that was approved as the former account goes out with the new token.
  onAccount(account, !isSame ? { kind: 'changed' } : told ? { kind: 'told', before: before?.account } : undefined)
  try {
    await held.keep(value)
    await store.putLastAccount(account)
  } catch (error) {
    onAccount(held.value?.account)
    throw error
  }
}

function obtainOptions(context: AttemptContext, need: Need, signal: AbortSignal): ObtainOptions {
  const { server, held, state, onChange } = context
  return {
    ...context,
    held: held.value,
    signal,
    peers: {
      onOther: (uid) => auditSignIn(context, 'refused', { reason: 'another-account', account: uid }),
      onUnknown: () => context.note(t`The account of the browser is not known.`),
    },
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
    // The next request then goes without a token, and the server's challenge says how to obtain one.
    if (isFinal(error)) await held.drop()
  } else if (error.code !== 'server.sign-in-refused' && error.code !== 'cancelled')
    auditSignIn(context, 'failed', { reason: error.data['reason'] ?? error.code, ...defined({ issuer: error.data['issuer'] }) })
}

/** Audited parts of a sign-in. `url`: the server's address, for a sign-in that names no resource. */
const aboutSignIn = (url: string, { issuer, resource = url, scopes, grant, account }: StoredSignIn) => ({
  ...{ issuer, resource, scopes, grant },
  ...auditedAccount(account),
})

function auditSignIn({ audit, server }: AttemptContext, decision: string, detail: JsonObject, by: 'person' | null = null): void {
  audit.append({ kind: 'sign-in', server, decision, by, detail })
}

const auditFailedRefresh = (context: AttemptContext, issuer: string, error: HostError): void =>
  auditSignIn(context, 'refresh-failed', { issuer, reason: error.data['reason'] ?? error.code })

/** Audits a renewal. It is stored even when no row can be written: it grants nothing new, and the issuer may have revoked the old token. */
function auditRefresh(context: AttemptContext, value: StoredSignIn): void {
  try {
    auditSignIn(context, 'refreshed', aboutSignIn(context.url, value))
  } catch (error) {
    context.note(t`The renewal was not recorded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export interface AuthSessionOptions
  extends Omit<HeldTokenOptions, 'store'>,
    Pick<ObtainOptions, 'broker' | 'openUrl' | 'clock' | 'ownDocument'> {
  readonly server: string
  /** Path of the file that configures the server; '' or undefined: the profile's own. */
  readonly scope?: string | undefined
  /** Whether a sign-in stored by address alone belongs to this server. */
  readonly inherits?: (() => boolean) | undefined
  readonly url: string
  readonly secrets: Secrets
  readonly audit: AuditStore
  readonly waits: PausableTimeouts
  readonly proxies?: Proxies | undefined
  readonly note: (text: string) => void
  readonly onAccount: (account: Account | undefined, change?: AccountChange) => void
}

export type AuthSession = ReturnType<typeof createAuthSession>

const graceMs = 1500

export function createAuthSession(options: AuthSessionOptions) {
  const { server, url, settings, clock, onSecrets, onChange, before } = options
  const owner: Owner = { server, scope: options.scope ?? '', inherits: options.inherits ?? (() => false) }
  const store = createTokenStore(options.secrets, url, owner)
  const guarded = createGuardedFetch({
    server,
    url,
    proxies: options.proxies,
    trusted: [settings.idpIssuer, settings.idpTokenEndpoint].filter((one) => one !== undefined),
  })
  const held = createHeldToken({ settings, store, before, onSecrets, onChange })
  const state: AttemptState = { asking: false, demanded: false, refusedScopes: [], anew: false }
  const context: AttemptContext = { ...options, ownDocument: options.ownDocument ?? ownDocument, store, guarded, held, state }
  const flights = createSingleFlight<Need, Obtained>(
    (need, signal) => attempt(context, need, signal),
    () => new HostError('cancelled', t`The sign-in to “${server}” was cancelled.`),
  )

  const loaded = held
    .load()
    .then(() => options.onAccount(held.value?.account))
    .catch(() => undefined) // Callers that need it load it again.
  return {
    /** Resolves once the stored sign-in is read, or cannot be. */
    loaded,
    /** Account of the token that is held. */
    get account() {
      return held.value?.account
    },
    get view() {
      return viewOf(state, held.value)
    },
    /** Whether the person is asked, or the redirect awaited. */
    get asking() {
      return state.asking
    },
    /** Whether the sign-in that `forgive({ anew: true })` was for is still to come. */
    get wanted() {
      return state.anew
    },
    /** Returns the headers for a request; renews a token that is due. */
    async present(request: { readonly method: string; readonly url: string }, signal: AbortSignal | undefined): Promise<Presented> {
      await held.load()
      if (held.value && !state.anew && isDueForRenewal(held.value, clock.now()))
        await flights.join({ kind: 'renew' }, signal).catch((error: unknown) => {
          // The server decides whether the old token is still valid.
          if (signal?.aborted) throw error
        })
      return state.anew ? { token: undefined, headers: {} } : held.present(request)
    },
    /** Reads the DPoP nonce of a response (RFC 9449, 8.2). */
    saw: held.saw,
    /** Records the addresses that a host name of the server's own connections resolved to. */
    resolved: guarded.saw,
    /** Obtains another token. `token`: that of the refused request. */
    async need(need: Need, token: string | undefined, signal: AbortSignal | undefined): Promise<Obtained> {
      if (need.kind !== 'renew') state.lastChallenge = need.challenge
      state.demanded = true
      const { value } = held
      // Another request has obtained one meanwhile.
      if (value && !state.anew && token !== undefined && value.accessToken !== token) return { how: 'refresh', value, asked: value.scopes }
      return flights.join(need, signal)
    },
    /** Signs in by the person's own act. `guess`: also when the server names no authorization server. */
    async signIn({ guess }: { readonly guess: boolean }): Promise<void> {
      state.refusal = undefined
      state.refusedScopes = []
      await held.load()
      const challenge = state.lastChallenge ?? rememberedChallenge(held.value)
      // The shared attempt may be a renewal, which is no sign-in.
      while ((await flights.join({ kind: 'person', challenge, guess }, undefined)).how === 'refresh');
    },
    /** Drops remembered refusals. `anew`: the token held is not used any more. */
    forgive(how: { readonly anew: boolean }): void {
      state.refusal = undefined
      state.refusedScopes = []
      state.anew = how.anew && !flights.current
    },
    /** Signs out. Returns whether the issuer confirmed the revocation (RFC 7009). */
    async signOut(): Promise<boolean> {
      await flights.cancel(signInRefused(server))
      return signOut(context)
    },
    cancel: () => flights.cancel(signInRefused(server)),
    async finish(address: string): Promise<void> {
      if (state.waiting?.offer(address) !== true)
        throw new HostError('contract.invalid', t`This is not the address of this sign-in.`, { data: { server } })
      await flights.current
    },
    release: () => release(store),
    /** Moves the stored sign-in to the server's new name. Returns its undo. */
    moveTo: (name: string) => moveSignIn(store, createTokenStore(options.secrets, url, { ...owner, server: name })),
    /** Ends the attempt under way and closes its port. The sign-in stays in the store. */
    async dispose(reason: Error): Promise<void> {
      await doneWithin(flights.cancel(reason), clock, graceMs)
      await guarded.close()
    },
  }
}

function viewOf({ waiting, demanded, refusal }: AttemptState, held: StoredSignIn | undefined): SignInStatus | undefined {
  if (waiting) return { kind: 'waiting', issuer: waiting.issuer, url: waiting.url, since: waiting.since }
  if (!held) return demanded || refusal ? { kind: 'signed-out' } : undefined
  const { issuer, scopes, expiresAt, grant, account } = held
  const refreshable = held.refreshToken !== undefined || grant !== 'authorization-code'
  return { kind: 'signed-in', issuer, scopes, ...defined({ expiresAt, account }), refreshable, grant, dpop: held.dpopKey !== undefined }
}

async function signOut(context: AttemptContext): Promise<boolean> {
  const { server, settings, store, guarded, held, state } = context
  await held.load()
  const before = held.value
  state.anew = false
  const revoked = before !== undefined && (await revoke(server, before, guarded.fetch))
  await held.drop()
  // Only an issuer that tells accounts says who signs in next.
  if (before && before.account?.name === undefined) await store.putLastAccount(untoldAccount())
  context.onAccount(undefined)
  if (settings.clientId !== undefined) await store.unbind(settings.clientId)
  state.demanded = true
  state.refusal = new HostError('server.sign-in-needed', t`You have signed out of “${server}”.`, { data: { server } })
  if (before) auditSignIn(context, 'signed-out', { ...aboutSignIn(context.url, before), revoked }, 'person')
  context.onChange()
  return revoked
}

async function release(store: TokenStore): Promise<StoredSignIn | undefined> {
  const found = await store.signedIn()
  await store.forget()
  await store.forgetLastAccount()
  return found
}

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
