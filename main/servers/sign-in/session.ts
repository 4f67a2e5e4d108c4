// The sign-in of one server: what is held, who is waited for, what the person said no to. The one place where a token is
// put on a request, and only on one to the server's own origin. However many requests find out at once that they need a
// sign-in, there is one.
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { OAuthSettings, SignInView } from '#app/server/sign-in.ts'
import { t } from '#app/words/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/types.ts'
import type { AuditStore } from '#main/store/types.ts'
import type { Waits } from '../connection/waits.ts'
import type { Proxies } from '../http/dispatchers.ts'
import { refused, type Waiting } from './browser.ts'
import type { Challenge } from './challenge.ts'
import { restoreDpop } from './dpop.ts'
import { createFlights } from './flights.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import {
  isFinal,
  isMachine,
  type Need,
  type Obtained,
  type ObtainOptions,
  obtain,
  rememberedChallenge,
  renew,
  speaksFor,
} from './obtain.ts'
import { revoke } from './revoke.ts'
import { createVault, type Owner, type Secrets, type SignedIn } from './vault.ts'

export interface SignInOptions {
  readonly server: string
  /** Of the file that names it; '': the profile's own. */
  readonly scope?: string | undefined
  /** What was kept by its address alone is this server's. */
  readonly inherits?: (() => boolean) | undefined
  /** Held by it before it was taken out, if that was undone. */
  readonly before?: Promise<SignedIn | undefined> | undefined
  readonly url: string
  /** With their variables filled in. */
  readonly settings: OAuthSettings
  readonly secrets: Secrets
  readonly broker: Pick<ConsentBroker, 'signIn'>
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly audit: AuditStore
  readonly clock: Clock
  readonly waits: Waits
  readonly proxies?: Proxies | undefined
  /** Told of every value that must not turn up in a log, all of them each time. */
  readonly onSecrets: (values: readonly string[]) => void
  readonly onChange: () => void
  /** Something that belongs in the server's log. */
  readonly note: (text: string) => void
}

/** What goes on one request. */
export interface Presented {
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface SignInSession {
  readonly view: SignInView | undefined
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
  release(): Promise<SignedIn | undefined>
  /** Gives what is held to the server's new name. Returns what undoes it. */
  moveTo(name: string): Promise<() => Promise<void>>
  /** Ends what is under way and closes its port. What is held stays in the store. */
  dispose(reason: Error): Promise<void>
}

/** Renewed this long before it is too old, or after three quarters of a short life. */
const marginMs = 60_000
/** A renewal that is under way at the end may still bring its answer home. */
const graceMs = 1500

export function createSignInSession(options: SignInOptions): SignInSession {
  const { server, url, settings, clock, audit, waits } = options
  const owner: Owner = { server, scope: options.scope ?? '', inherits: options.inherits ?? (() => false) }
  const vault = createVault(options.secrets, url, owner)
  const guarded = createGuardedFetch({
    server,
    url,
    proxies: options.proxies,
    trusted: [settings.idpIssuer, settings.idpTokenEndpoint].filter((one) => one !== undefined),
  })
  let held: SignedIn | undefined
  let loading: Promise<void> | undefined
  let dpop: ReturnType<typeof restoreDpop> | undefined
  let waiting: Waiting | undefined
  let asking = false
  /** It said 401 to a request that carried nothing. */
  let demanded = false
  let refusal: HostError | undefined
  let refusedScopes: readonly string[] = []
  let anew = false
  let lastChallenge: Challenge | undefined

  const flights = createFlights<Need, Obtained>(
    fly,
    () => new HostError('cancelled', t`Nobody waits for the sign-in to “${server}” any more.`),
  )

  function hold(value: SignedIn | undefined): void {
    held = value
    dpop = undefined
    const { clientSecret, privateKey, idpClientSecret, subjectToken } = settings
    const values = [
      clientSecret,
      privateKey,
      idpClientSecret,
      subjectToken,
      value?.accessToken,
      value?.refreshToken,
      value?.client.client_secret,
    ]
    options.onSecrets(values.filter((one) => one !== undefined))
    options.onChange()
  }

  async function stored(): Promise<SignedIn | undefined> {
    const before = await options.before
    if (before) await vault.put(before)
    return before ?? vault.signedIn()
  }

  function load(): Promise<void> {
    loading ??= stored().then(
      (found) => {
        if (found && speaksFor(settings, found)) hold(found)
      },
      (error: unknown) => {
        // The keyring was locked, say: the next one asks it again.
        loading = undefined
        throw error
      },
    )
    return loading
  }

  const row = (decision: string, detail: JsonObject, by: 'person' | null = null): void =>
    void audit.append({ kind: 'sign-in', server, decision, by, detail })
  const about = ({ issuer, resource, scopes, grant }: SignedIn): JsonObject => ({ issuer, resource: resource ?? url, scopes, grant })

  async function drop(): Promise<void> {
    await vault.forget()
    hold(undefined)
  }
  const refreshFailed = (issuer: string, error: HostError): void =>
    row('refresh-failed', { issuer, reason: error.data['reason'] ?? error.code })

  async function fly(need: Need, signal: AbortSignal): Promise<Obtained> {
    await load()
    const resume = waits.pause()
    const shared: ObtainOptions = {
      ...options,
      vault,
      guarded,
      held,
      signal,
      assertMayAsk(challenge) {
        if (refusal) throw refusal
        if (need.kind === 'scopes' && challenge.scopes.length > 0 && challenge.scopes.every((scope) => refusedScopes.includes(scope)))
          throw refused(server)
        asking = true
        options.onChange()
      },
      onWaiting(now) {
        waiting = now
        options.onChange()
      },
      async onExpired(issuer, error) {
        refreshFailed(issuer, error)
        await drop()
      },
    }
    try {
      const obtained: Obtained =
        need.kind === 'renew'
          ? { how: 'refresh', value: await renewHeld(shared), asked: held?.scopes ?? [] }
          : await obtain(shared, anew && need.kind === 'unauthorized' ? { ...need, mayRefresh: false, byPerson: true } : need)
      if (obtained.how === 'sign-in') {
        // A renewal that was called off is kept all the same: the issuer may have taken back what was there before.
        signal.throwIfAborted()
        // What cannot be put on record is not kept.
        row('signed-in', about(obtained.value), isMachine(settings) ? null : 'person')
      }
      await vault.put(obtained.value)
      hold(obtained.value)
      if (obtained.how === 'refresh') recordRefresh(obtained.value)
      anew = false
      if (obtained.how === 'sign-in') refusal = undefined
      return obtained
    } catch (error) {
      await failed(need, error)
      throw error
    } finally {
      resume()
      asking = false
      options.onChange()
    }
  }

  /** It gives no more than was given before, and the issuer has taken back the old one: kept even where no row can be written. */
  function recordRefresh(value: SignedIn): void {
    try {
      row('refreshed', about(value))
    } catch (error) {
      options.note(t`That it was renewed could not be put on record: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function renewHeld(shared: ObtainOptions): Promise<SignedIn> {
    if (!held) throw new HostError('internal', t`There is nothing to renew.`)
    return renew({ ...shared, held })
  }

  async function failed(need: Need, error: unknown): Promise<void> {
    anew = false
    if (!(error instanceof HostError) || error === refusal) return
    if (error.code === 'server.sign-in-refused') {
      if (need.kind === 'scopes') refusedScopes = [...refusedScopes, ...need.challenge.scopes]
      else refusal = error
    }
    if (need.kind === 'renew') {
      if (held) refreshFailed(held.issuer, error)
      options.note(error.message)
      // Refused for good: the next request goes without it, and the server says how to come by another.
      if (isFinal(error)) await drop()
    } else if (error.code !== 'server.sign-in-refused' && error.code !== 'cancelled')
      row('failed', {
        reason: error.data['reason'] ?? error.code,
        ...(typeof error.data['issuer'] === 'string' ? { issuer: error.data['issuer'] } : {}),
      })
  }

  function isOld({ expiresAt, obtainedAt, refreshToken, grant }: SignedIn): boolean {
    if (expiresAt === undefined || (refreshToken === undefined && grant === 'authorization-code')) return false
    return clock.now() >= expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 4)
  }

  load().catch(() => undefined) // Whoever needs it is told.
  return {
    get view(): SignInView | undefined {
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
    },
    get asking() {
      return asking
    },
    get wanted() {
      return anew
    },
    async present({ method, url: target, signal }) {
      await load()
      if (held && !anew && isOld(held))
        await flights.join({ kind: 'renew' }, signal).catch((error: unknown) => {
          // Whether it is worth anything yet, the server knows.
          if (signal?.aborted) throw error
        })
      if (!held || anew) return { token: undefined, headers: {} }
      const token = held.accessToken
      if (!held.dpopKey) return { token, headers: { authorization: `Bearer ${token}` } }
      dpop ??= restoreDpop(held.dpopKey)
      const proof = await (await dpop).buildProof({ htm: method, htu: target, accessToken: token })
      return { token, headers: { authorization: `DPoP ${token}`, dpop: proof } }
    },
    saw(response, target) {
      void dpop?.then((session) => session.observeNonce(response, target))
    },
    resolved: guarded.saw,
    async need(need, token, signal) {
      if (need.kind !== 'renew') lastChallenge = need.challenge
      demanded = true
      // Somebody else has come by a new one meanwhile.
      if (held && !anew && token !== undefined && held.accessToken !== token) return { how: 'refresh', value: held, asked: held.scopes }
      return flights.join(need, signal)
    },
    async signIn({ guess }) {
      refusal = undefined
      refusedScopes = []
      await load()
      const challenge = lastChallenge ?? rememberedChallenge(held)
      // A renewal may be under way just now: that is not what they meant.
      while ((await flights.join({ kind: 'person', challenge, guess }, undefined)).how === 'refresh');
    },
    forgive(how) {
      refusal = undefined
      refusedScopes = []
      anew = how.anew && !flights.current
    },
    async signOut() {
      await flights.cancel(refused(server))
      await load()
      const before = held
      anew = false
      const revoked = before !== undefined && (await revoke(server, before, guarded.fetch))
      await drop()
      if (settings.clientId !== undefined) await vault.unbind(settings.clientId)
      demanded = true
      refusal = new HostError('server.sign-in-needed', t`You have signed out of “${server}”.`, { data: { server } })
      if (before) row('signed-out', { ...about(before), revoked }, 'person')
      options.onChange()
      return revoked
    },
    async cancel() {
      await flights.cancel(refused(server))
    },
    async finish(address) {
      if (waiting?.offer(address) !== true)
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
    async moveTo(name) {
      const found = await vault.signedIn()
      if (!found) return async () => undefined
      const next = createVault(options.secrets, url, { ...owner, server: name })
      await next.put(found)
      await vault.forget()
      return async () => {
        await vault.put(found)
        await next.forget()
      }
    },
    async dispose(reason) {
      const late = Promise.withResolvers<void>()
      const stop = clock.after(graceMs, late.resolve)
      await Promise.race([flights.cancel(reason), late.promise])
      stop()
      await guarded.close()
    },
  }
}
