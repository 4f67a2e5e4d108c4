// The token of one server as this run holds it: loaded once from the store, put on requests, dropped. The one place that
// shows it to the server, as a bearer token or with a proof of possession (RFC 9449).
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { restoreDpop } from './dpop.ts'
import { speaksFor } from './obtain-token.ts'
import type { StoredSignIn, TokenStore } from './token-store.ts'

/** What goes on one request. */
export interface Presented {
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface HeldTokenOptions {
  readonly settings: OAuthSettings
  readonly vault: TokenStore
  /** Held by the server before it was taken out, if that was undone. */
  readonly before: Promise<StoredSignIn | undefined> | undefined
  /** Told of every value that must not turn up in a log, all of them each time. */
  readonly onSecrets: (values: readonly string[]) => void
  readonly onChange: () => void
}

export interface HeldToken {
  readonly value: StoredSignIn | undefined
  /** Reads the store once. Rejects while that fails; the next call tries again. */
  load(): Promise<void>
  keep(value: StoredSignIn): Promise<void>
  /** Takes it out of the store as well. */
  drop(): Promise<void>
  present(request: { readonly method: string; readonly url: string }): Promise<Presented>
  /** Reads a response's nonce for the next proof. */
  saw(response: Response, url: string): void
}

/** Milliseconds that a token is renewed before it is too old; three quarters of a short life instead. */
const marginMs = 60_000

export function isDueForRenewal(
  { expiresAt, obtainedAt, refreshToken, grant }: Pick<StoredSignIn, 'expiresAt' | 'obtainedAt' | 'refreshToken' | 'grant'>,
  now: number,
): boolean {
  if (expiresAt === undefined || (refreshToken === undefined && grant === 'authorization-code')) return false
  return now >= expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 4)
}

export function createHeldToken({ settings, vault, before, onSecrets, onChange }: HeldTokenOptions): HeldToken {
  let held: StoredSignIn | undefined
  let loading: Promise<void> | undefined
  let dpop: ReturnType<typeof restoreDpop> | undefined

  function hold(value: StoredSignIn | undefined): void {
    held = value
    dpop = undefined
    onSecrets(secretsOf(settings, value))
    onChange()
  }

  async function stored(): Promise<StoredSignIn | undefined> {
    const given = await before
    if (given) await vault.put(given)
    return given ?? vault.signedIn()
  }

  return {
    get value() {
      return held
    },
    load() {
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
    },
    async keep(value) {
      await vault.put(value)
      hold(value)
    },
    async drop() {
      await vault.forget()
      hold(undefined)
    },
    async present({ method, url }) {
      if (!held) return { token: undefined, headers: {} }
      const token = held.accessToken
      if (!held.dpopKey) return { token, headers: { authorization: `Bearer ${token}` } }
      dpop ??= restoreDpop(held.dpopKey)
      const proof = await (await dpop).buildProof({ htm: method, htu: url, accessToken: token })
      return { token, headers: { authorization: `DPoP ${token}`, dpop: proof } }
    },
    saw(response, url) {
      void dpop?.then((session) => session.observeNonce(response, url))
    },
  }
}

function secretsOf(settings: OAuthSettings, held: StoredSignIn | undefined): string[] {
  const { clientSecret, privateKey, idpClientSecret, subjectToken } = settings
  const values = [
    clientSecret,
    privateKey,
    idpClientSecret,
    subjectToken,
    held?.accessToken,
    held?.refreshToken,
    held?.client.client_secret,
  ]
  return values.filter((one) => one !== undefined)
}
