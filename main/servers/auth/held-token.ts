// The token of one server in this run: read from the store once, put on requests, renewed, dropped. It is presented as a bearer
// token (RFC 6750) or with a DPoP proof (RFC 9449).
import type { OAuthSettings } from '#app/server/auth-status.ts'
import { restoreDpop } from './dpop.ts'
import { matchesSettings } from './obtain-token.ts'
import type { StoredSignIn, TokenStore } from './token-store.ts'

export interface Presented {
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface HeldTokenOptions {
  readonly settings: OAuthSettings
  readonly store: TokenStore
  readonly before?: Promise<StoredSignIn | undefined> | undefined
  readonly onSecrets: (values: readonly string[]) => void
  readonly onChange: () => void
}

export type HeldToken = ReturnType<typeof createHeldToken>

/** Milliseconds before expiry at which a token is renewed; a quarter of its life for short-lived ones. */
const marginMs = 60_000

type Lifetime = Pick<StoredSignIn, 'expiresAt' | 'obtainedAt' | 'refreshToken' | 'grant'>

export function isDueForRenewal({ expiresAt, obtainedAt, refreshToken, grant }: Lifetime, now: number): boolean {
  if (expiresAt === undefined || (refreshToken === undefined && grant === 'authorization-code')) return false
  return now >= expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 4)
}

export function createHeldToken({ settings, store, before, onSecrets, onChange }: HeldTokenOptions) {
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
    if (given) await store.put(given)
    return given ?? store.signedIn()
  }

  return {
    get value() {
      return held
    },
    load(): Promise<void> {
      loading ??= stored().then(
        (found) => {
          if (found && matchesSettings(settings, found)) hold(found)
        },
        (error: unknown) => {
          // The keyring may have been locked: the next call asks it again.
          loading = undefined
          throw error
        },
      )
      return loading
    },
    async keep(value: StoredSignIn): Promise<void> {
      await store.put(value)
      hold(value)
    },
    async drop(): Promise<void> {
      await store.forget()
      hold(undefined)
    },
    async present({ method, url }: { readonly method: string; readonly url: string }): Promise<Presented> {
      if (!held) return { token: undefined, headers: {} }
      const token = held.accessToken
      if (!held.dpopKey) return { token, headers: { authorization: `Bearer ${token}` } }
      dpop ??= restoreDpop(held.dpopKey)
      const proof = await (await dpop).buildProof({ htm: method, htu: url, accessToken: token })
      return { token, headers: { authorization: `DPoP ${token}`, dpop: proof } }
    },
    /** Reads the nonce of a response for the next proof (RFC 9449, 8.2). */
    saw(response: Response, url: string): void {
      void dpop?.then((session) => session.observeNonce(response, url))
    },
  }
}

function secretsOf(settings: OAuthSettings, held: StoredSignIn | undefined): string[] {
  const { clientSecret, privateKey, idpClientSecret, subjectToken } = settings
  const ofToken = [held?.accessToken, held?.refreshToken, held?.client.client_secret]
  return [clientSecret, privateKey, idpClientSecret, subjectToken, ...ofToken].filter((one) => one !== undefined)
}
