// Diagnoses of a server that is reached over the network, by the codes of Node, OpenSSL, undici and HTTP.
import { t } from '#app/i18n/translate.ts'
import type { DiagnosisCode, DoctorAction } from '#app/server/doctor.ts'
import { caseAddress, type DiagnosisFinding, type DiagnosisRule, finding, numberAt, textAt } from './diagnosis-input.ts'
import { change, log, readAgain, retry } from './doctor-actions.ts'

interface Cause {
  readonly code: DiagnosisCode
  readonly why: string
  readonly remedy: string
  readonly short?: string
}

const untrusted = (): Cause => ({
  code: 'tls-untrusted',
  short: t`its certificate is not trusted`,
  why: t`Its certificate is vouched for by an authority that this computer does not know, so nothing was sent.`,
  remedy: t`If it is your own or your company’s, let this computer trust its authority, as its browsers do, and start Assent again; or start Assent with NODE_EXTRA_CA_CERTS set to its certificate. If not, do not go on.`,
})

const proxyRefused = (): Cause => ({
  code: 'proxy-refused',
  short: t`the proxy refused`,
  why: t`The proxy did not let it through. It may want a name and a password, or not allow this address.`,
  remedy: t`Put them into HTTPS_PROXY (http://name:password@host:port), or except the address with NO_PROXY. Then have the variables read again.`,
})

const causes = (): Readonly<Record<string, Cause>> => ({
  ECONNREFUSED: {
    code: 'nothing-listens',
    short: t`nothing listens there`,
    why: t`The computer is there, but nothing listens at this port.`,
    remedy: t`Start the server, or correct the port.`,
  },
  ENOTFOUND: {
    code: 'host-unknown',
    short: t`there is no such host`,
    why: t`No computer goes by this name.`,
    remedy: t`Check how it is spelled. You may also be offline, or outside the network that knows it.`,
  },
  EAI_AGAIN: {
    code: 'host-unknown',
    short: t`its name could not be looked up`,
    why: t`The name of its computer could not be looked up just now.`,
    remedy: t`You may be offline. Check the network, then try again.`,
  },
  ENETUNREACH: {
    code: 'offline',
    short: t`no network`,
    why: t`There is no way to its network.`,
    remedy: t`Check the network or the VPN, then try again.`,
  },
  EHOSTUNREACH: {
    code: 'offline',
    short: t`no way there`,
    why: t`There is no way to its computer.`,
    remedy: t`Check the network or the VPN, then try again.`,
  },
  ETIMEDOUT: {
    code: 'no-answer',
    why: t`Its computer did not answer: it may be off, or a firewall stands between.`,
    remedy: t`Check the address and the firewall, then try again.`,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    ...untrusted(),
    why: t`Its certificate is signed by itself, so nothing vouches for it, and nothing was sent.`,
    remedy: t`If it is your own, let this computer trust it, and start Assent again; or start Assent with NODE_EXTRA_CA_CERTS set to its certificate. If not, do not go on.`,
  },
  CERT_HAS_EXPIRED: {
    code: 'tls-expired',
    short: t`its certificate has expired`,
    why: t`Its certificate has expired, so nothing was sent.`,
    remedy: t`Who runs it must renew it. Check the clock of this computer, too.`,
  },
  CERT_NOT_YET_VALID: {
    code: 'tls-expired',
    short: t`its certificate is not valid yet`,
    why: t`Its certificate is not valid yet, so nothing was sent.`,
    remedy: t`Check the clock of this computer.`,
  },
  CERT_REVOKED: {
    ...untrusted(),
    why: t`Its certificate was revoked, so nothing was sent.`,
    remedy: t`Do not go on. Who runs it must get a new one.`,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: 'tls-wrong-name',
    short: t`its certificate is for another name`,
    why: t`Its certificate is for another name, so nothing was sent.`,
    remedy: t`Use the name that the certificate is for.`,
  },
  EPROTO: {
    code: 'tls-plain-http',
    short: t`does not speak TLS`,
    why: t`What listens at this port does not speak TLS, or not as it should.`,
    remedy: t`If it is on this computer, its address may begin with http:// instead of https://. If not, the port may be wrong.`,
  },
  proxy: proxyRefused(),
})

const causeOf = (reason: string): Cause | undefined => {
  if (causes()[reason]) return causes()[reason]
  if (reason === 'UND_ERR_CONNECT_TIMEOUT') return causes()['ETIMEDOUT']
  if (/^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/.test(reason)) return untrusted()
  if (/^ERR_(SSL|TLS)/.test(reason)) return causes()['EPROTO']
  return undefined
}

const isOfTheWay = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

export const unreachableRule: DiagnosisRule = (one) => {
  const { name, error, definition } = one
  const origin = textAt(error.data, 'origin')
  const where = (origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined) ?? caseAddress(one)
  const reason = textAt(error.data, 'reason') ?? ''
  const proxy = textAt(error.data, 'proxy')
  const message =
    proxy === undefined ? t`${name} cannot be reached at ${where}.` : t`${name} cannot be reached at ${where} through the proxy ${proxy}.`
  if (proxy !== undefined && isOfTheWay.test(reason) && reason !== 'ECONNRESET')
    return finding('proxy-unreachable', [readAgain(one), retry(), change('url')], {
      short: t`the proxy cannot be reached`,
      message,
      why: t`The proxy ${proxy}, which the environment or the system names, cannot be reached (${reason}).`,
      remedy: t`Correct it in HTTPS_PROXY and HTTP_PROXY, or in the system’s network settings, or except the address with NO_PROXY. Then have the variables read again.`,
    })
  const passedOver = textAt(error.data, 'passedOver')
  if (reason === 'proxy-kind' || (passedOver !== undefined && isOfTheWay.test(reason)))
    return finding('proxy-unusable', [readAgain(one), retry(), change('url')], {
      short: t`its proxy cannot be used`,
      message,
      why:
        passedOver === undefined
          ? error.message
          : t`The SOCKS proxy ${passedOver} is set, which Assent does not use: it was tried straight, without success (${reason}).`,
      remedy: t`Name a proxy for HTTP in HTTPS_PROXY and HTTP_PROXY: what offers SOCKS often offers that too, at another port. Or except the address with NO_PROXY. Then have the variables read again.`,
    })
  const cause = causeOf(reason)
  if (cause)
    return finding(cause.code, [...(cause.code === 'proxy-refused' ? [readAgain(one)] : []), retry(), change('url')], {
      short: cause.short ?? t`cannot be reached`,
      message,
      why: `${cause.why}${reason === 'proxy' ? '' : ` (${reason})`}`,
      remedy: cause.remedy,
    })
  if (reason === 'failed')
    return finding('unreachable', [change('url'), retry()], {
      short: t`cannot be reached`,
      message,
      why: t`The request could not be made at all: its port may be one that is kept for something else, such as mail.`,
      remedy: t`Correct the address.`,
    })
  const plain = definition.transport !== 'stdio' && 'url' in definition && definition.url.startsWith('http://')
  return finding('unreachable', [retry(), change('url')], {
    short: t`cannot be reached`,
    message,
    why: reason === '' ? error.message : t`It closed the connection without an answer that can be read (${reason}).`,
    remedy: plain
      ? t`Check the address: it may have to begin with https://. Then try again.`
      : t`Check the address and the network, then try again.`,
  })
}

export const httpStatusRule: DiagnosisRule = (one) => {
  const { name, error } = one
  const status = numberAt(error.data, 'status')
  const where = caseAddress(one)
  const said = status === undefined ? t`an error` : t`status ${status}`
  const says = (code: DiagnosisCode, why: string, remedy: string, fix: 'url' | 'headers' | readonly DoctorAction[]): DiagnosisFinding =>
    finding(code, typeof fix === 'string' ? [change(fix), retry()] : [...fix], {
      short: status === undefined ? t`answered with an error` : t`answered ${status}`,
      message: t`${name} doesn’t connect: ${where} answered with ${said}.`,
      why,
      remedy,
    })
  const location = textAt(error.data, 'location')
  if (location !== undefined)
    return says(
      'moved',
      t`It has moved to ${location}.`,
      t`If that is right, make it the address of the server. Nothing was sent there.`,
      'url',
    )
  switch (status) {
    case 401:
    case 403:
      return says(
        'credentials-refused',
        t`It did not accept what Assent sent to identify you.`,
        t`Correct the token in the headers.`,
        'headers',
      )
    case 404:
    case 405:
    case 410:
      return says('wrong-url', t`Nothing speaks MCP at this path.`, t`Correct the address: the path often ends in /mcp or /sse.`, 'url')
    case 407:
      return says('proxy-refused', proxyRefused().why, proxyRefused().remedy, [readAgain(one), retry(), change('url')])
    case 429:
      return says('too-many-requests', t`It gets too many requests.`, t`Wait a little, then try again.`, [retry()])
    default:
      return status !== undefined && status >= 500
        ? says('server-error', t`The fault is on its side.`, t`Wait a little, then try again.`, [retry(), log()])
        : says('http-error', error.message, t`Check the address and the headers.`, [change('url'), change('headers'), retry()])
  }
}
