// Diagnoses of a server that is reached over the network, by the codes of Node, OpenSSL, undici and HTTP.
import { t } from '#app/i18n/translate.ts'
import type { DiagnosisCode, DoctorAction } from '#app/server/doctor.ts'
import {
  caseAddress,
  change,
  type DiagnosisFinding,
  type DiagnosisRule,
  finding,
  log,
  numberAt,
  readAgain,
  retry,
  textAt,
} from './diagnosis-input.ts'

interface Cause {
  readonly code: DiagnosisCode
  readonly short: string
  readonly remedy: string
}

const untrusted = (): Cause => ({
  code: 'tls-untrusted',
  short: t`unknown certificate authority`,
  remedy: t`If it is yours, set NODE_EXTRA_CA_CERTS to its certificate and restart Assent. If not, stop here.`,
})

const proxyRefused = (): Cause => ({
  code: 'proxy-refused',
  short: t`the proxy refused`,
  remedy: t`Set name and password in HTTPS_PROXY, or add the address to NO_PROXY.`,
})

const checkNetwork = (): string => t`Check the network, then try again.`
const checkAddress = (): string => t`Check the address, its port and https:// or http://.`

const causes = (): Readonly<Record<string, Cause>> => ({
  ECONNREFUSED: { code: 'nothing-listens', short: t`nothing listens there`, remedy: t`Start the server, or correct the port.` },
  ENOTFOUND: { code: 'host-unknown', short: t`host not found`, remedy: checkAddress() },
  EAI_AGAIN: { code: 'host-unknown', short: t`no network`, remedy: checkNetwork() },
  ENETUNREACH: { code: 'offline', short: t`no network`, remedy: checkNetwork() },
  ECONNRESET: { code: 'unreachable', short: t`closed the connection`, remedy: checkAddress() },
  EHOSTUNREACH: { code: 'offline', short: t`no network`, remedy: checkNetwork() },
  ETIMEDOUT: { code: 'no-answer', short: t`cannot be reached`, remedy: t`Check the address and the network.` },
  DEPTH_ZERO_SELF_SIGNED_CERT: { ...untrusted(), short: t`unknown certificate authority` },
  CERT_HAS_EXPIRED: { code: 'tls-expired', short: t`its certificate has expired`, remedy: checkClock() },
  CERT_NOT_YET_VALID: { code: 'tls-expired', short: t`its certificate is not valid yet`, remedy: checkClock() },
  CERT_REVOKED: { code: 'tls-untrusted', short: t`its certificate was revoked`, remedy: t`Stop here. The operator must get a new one.` },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: 'tls-wrong-name',
    short: t`its certificate is for another name`,
    remedy: t`Use the name that the certificate is for.`,
  },
  EPROTO: { code: 'tls-plain-http', short: t`does not speak TLS`, remedy: checkAddress() },
  proxy: proxyRefused(),
})

const checkClock = (): string => t`Check the clock of this computer. Else the operator must renew the certificate.`

const causeOf = (reason: string): Cause | undefined => {
  if (causes()[reason]) return causes()[reason]
  if (reason === 'UND_ERR_CONNECT_TIMEOUT') return causes()['ETIMEDOUT']
  if (/^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/.test(reason)) return untrusted()
  if (/^ERR_(SSL|TLS)/.test(reason)) return causes()['EPROTO']
  return undefined
}

/** Whether an address is of the local network, which macOS lets a program reach by permission alone since version 15. */
const isLocal = (host: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|\.local(:\d+)?$/i.test(host)

const isOfTheWay = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

export const unreachableRule: DiagnosisRule = (one) => {
  const { error } = one
  const origin = textAt(error.data, 'origin')
  const where = (origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined) ?? caseAddress(one)
  const reason = textAt(error.data, 'reason') ?? ''
  const proxy = textAt(error.data, 'proxy')
  const via = proxy === undefined ? where : `${proxy} → ${where}`
  const why = reason === '' ? error.message : `${via} (${reason})`
  if (proxy !== undefined && isOfTheWay.test(reason) && reason !== 'ECONNRESET')
    return finding('proxy-unreachable', [readAgain(), retry(), change('url')], {
      short: t`the proxy cannot be reached`,
      why,
      remedy: t`Set an HTTP proxy in HTTPS_PROXY, or add the address to NO_PROXY.`,
    })
  const passedOver = textAt(error.data, 'passedOver')
  if (reason === 'proxy-kind' || (passedOver !== undefined && isOfTheWay.test(reason)))
    return finding('proxy-unusable', [readAgain(), retry(), change('url')], {
      short: t`its proxy cannot be used`,
      why: passedOver === undefined ? error.message : t`Assent does not use the SOCKS proxy ${passedOver} (${reason}).`,
      remedy: t`Set an HTTP proxy in HTTPS_PROXY, or add the address to NO_PROXY.`,
    })
  if (reason === 'EHOSTUNREACH' && one.facts.platform === 'darwin' && isLocal(where))
    return finding('offline', [retry(), change('url')], {
      short: t`no network`,
      why,
      remedy: t`Allow Assent in System Settings, Privacy & Security, Local Network.`,
    })
  const cause = causeOf(reason)
  if (cause)
    return finding(cause.code, [...(cause.code === 'proxy-refused' ? [readAgain()] : []), retry(), change('url')], {
      short: cause.short,
      why,
      remedy: cause.remedy,
    })
  return finding('unreachable', [change('url'), retry()], { short: t`cannot be reached`, why, remedy: checkAddress() })
}

export const httpStatusRule: DiagnosisRule = (one) => {
  const { error } = one
  const status = numberAt(error.data, 'status')
  const where = caseAddress(one)
  const says = (code: DiagnosisCode, remedy: string, fix: 'url' | 'headers' | readonly DoctorAction[], why = where): DiagnosisFinding =>
    finding(code, typeof fix === 'string' ? [change(fix), retry()] : [...fix], {
      short: t`answered ${status ?? '?'}`,
      why,
      remedy,
    })
  const location = textAt(error.data, 'location')
  if (location !== undefined) return says('moved', t`Moved to ${location}. If that is right, change the address.`, 'url')
  switch (status) {
    case 401:
    case 403:
      return says('credentials-refused', t`Correct the token in the headers.`, 'headers')
    case 404:
    case 405:
    case 410:
      return says('wrong-url', t`Correct the address: the path often ends in /mcp or /sse.`, 'url')
    case 407:
      return says('proxy-refused', proxyRefused().remedy, [readAgain(), retry(), change('url')])
    case 429:
      return says('too-many-requests', t`Try again later.`, [retry()])
    default:
      return status !== undefined && status >= 500
        ? says('server-error', t`Try again later.`, [retry(), log()])
        : says('http-error', t`Check the address and the headers.`, [change('url'), change('headers'), retry()], error.message)
  }
}
