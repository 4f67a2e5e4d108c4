// Why a server was not reached, in words, by the codes of Node, OpenSSL and undici. Pure. Nothing of the request, and
// nothing of a proxy but its host, goes into it.
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { reasonOf } from '#main/base/reason-of.ts'
import type { Passage } from './dispatchers.ts'

/** Failures before anything was sent: the request has certainly not run. */
const neverSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_INVALID_URL',
  'UND_ERR_CONNECT_TIMEOUT',
])

const certificate = (): Readonly<Record<string, string>> => ({
  DEPTH_ZERO_SELF_SIGNED_CERT: t`its certificate is signed by itself, so nothing vouches for it`,
  SELF_SIGNED_CERT_IN_CHAIN: t`its certificate is vouched for by an authority that this computer does not know`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: t`its certificate is vouched for by an authority that this computer does not know`,
  UNABLE_TO_GET_ISSUER_CERT: t`its certificate is vouched for by an authority that this computer does not know`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: t`its certificate is vouched for by an authority that this computer does not know`,
  CERT_HAS_EXPIRED: t`its certificate has expired`,
  CERT_NOT_YET_VALID: t`its certificate is not valid yet`,
  CERT_REVOKED: t`its certificate was revoked`,
  ERR_TLS_CERT_ALTNAME_INVALID: t`its certificate is for another name`,
})

const said = (): Readonly<Record<string, string>> => ({
  ECONNREFUSED: t`nothing listens there`,
  ENOTFOUND: t`there is no such host`,
  EAI_AGAIN: t`the name of its host could not be looked up`,
  EHOSTUNREACH: t`there is no way to its host`,
  ENETUNREACH: t`there is no way to its network`,
  ETIMEDOUT: t`it did not answer in time`,
  UND_ERR_CONNECT_TIMEOUT: t`it did not answer in time`,
  ECONNRESET: t`it closed the connection without an answer`,
  EPIPE: t`it closed the connection without an answer`,
  UND_ERR_SOCKET: t`it closed the connection without an answer`,
})

const encryption = () => t`it does not speak TLS as it should`
const isEncryption = (reason: string): boolean => reason === 'EPROTO' || reason.startsWith('ERR_SSL') || reason.startsWith('ERR_TLS')

/** Whether the connection itself was not made, so that whatever asks next will fare no better. */
export const notConnected = (reason: string): boolean => neverSent.has(reason) || reason in certificate() || isEncryption(reason)

/** `proxy`: through which it was tried; `passedOver`: a SOCKS proxy that is set and was not used. Hosts. */
export function unreachable(server: string, origin: string, error: unknown, { proxy, passedOver }: Partial<Passage> = {}): HostError {
  const raw = reasonOf(error)
  // Undici says no more when a proxy will not make the tunnel.
  const refused = proxy !== undefined && raw === 'UND_ERR_ABORTED'
  const reason = refused ? 'proxy' : raw
  const known = refused
    ? t`the proxy refused`
    : (certificate()[reason] ?? said()[reason] ?? (isEncryption(reason) ? encryption() : undefined))
  const why = known === undefined ? reason : `${known} (${reason})`
  const straight =
    passedOver === undefined
      ? t`“${server}” could not be reached at ${origin}: ${why}.`
      : t`“${server}” could not be reached at ${origin}: ${why}. The SOCKS proxy ${passedOver} is set, which Assent does not use.`
  return new HostError(
    'server.unreachable',
    proxy === undefined ? straight : t`“${server}” could not be reached at ${origin} through the proxy ${proxy}: ${why}.`,
    {
      data: {
        server,
        origin,
        reason,
        sent: !refused && !notConnected(reason),
        ...(proxy === undefined ? {} : { proxy }),
        ...(passedOver === undefined ? {} : { passedOver }),
      },
      cause: error,
    },
  )
}
