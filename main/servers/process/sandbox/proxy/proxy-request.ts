// First bytes of a connection to the sandbox's proxy: HTTP CONNECT, a request to an http address, or SOCKS 5 (RFC 1928). Pure.

export interface ProxyRequest {
  readonly kind: 'connect' | 'http' | 'socks'
  readonly host: string
  readonly port: number
  /** Value of `Proxy-Authorization`; SOCKS has none. */
  readonly credentials?: string
  /** Bytes for the other side that came with the request. */
  readonly rest: Buffer
}

/** `more`: not all has come yet. `reply`: bytes to answer before more comes; `bytes` is what is left of the input then. */
export type ProxyParse =
  | { readonly kind: 'more' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'reply'; readonly reply: Buffer; readonly bytes: Buffer }
  | { readonly kind: 'request'; readonly request: ProxyRequest }

/** Longest head of a request, in bytes. */
export const maxHead = 32 * 1024

const more: ProxyParse = { kind: 'more' }
const malformed: ProxyParse = { kind: 'malformed' }

/** `greeted`: SOCKS has chosen how to authenticate. */
export function parseProxyRequest(bytes: Buffer, greeted: boolean): ProxyParse {
  if (bytes.length === 0) return more
  if (greeted) return parseSocks(bytes)
  if (bytes[0] === 5) return parseGreeting(bytes)
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return bytes.length > maxHead ? malformed : more
  return parseHttp(bytes.toString('latin1', 0, end), bytes.subarray(end + 4))
}

function splitAuthority(text: string, port: number | undefined): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]@]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const number = digits === undefined ? port : Number(digits)
  return host === undefined || number === undefined ? undefined : { host, port: number }
}

function parseHttp(head: string, body: Buffer): ProxyParse {
  const [first = '', ...lines] = head.split('\r\n')
  const [, method = '', target = ''] = /^([!#$%&'*+.^`|~\w-]{1,32}) (\S{1,16384}) HTTP\/1\.[01]$/.exec(first) ?? []
  const credentials = lines.flatMap((line) => /^proxy-authorization\s*:\s*(.*?)\s*$/i.exec(line)?.[1] ?? [])[0]
  const shown = credentials === undefined ? {} : { credentials }
  if (method === 'CONNECT') {
    const to = splitAuthority(target, undefined)
    return to ? { kind: 'request', request: { kind: 'connect', ...to, ...shown, rest: body } } : malformed
  }
  const [, authority = '', path = ''] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? []
  const to = splitAuthority(authority, 80)
  // A bare line feed could end a header for the other side that was none here.
  if (!to || lines.some((line) => /[\r\n]/.test(line))) return malformed
  const kept = lines.filter((line) => !/^(?:proxy-[\w-]+|connection|keep-alive|host)\s*:/i.test(line))
  const request = [
    `${method} ${path.startsWith('/') ? path : `/${path}`} HTTP/1.1`,
    `Host: ${authority}`,
    ...kept,
    'Connection: close',
    '',
    '',
  ]
  return {
    kind: 'request',
    request: { kind: 'http', ...to, ...shown, rest: Buffer.concat([Buffer.from(request.join('\r\n'), 'latin1'), body]) },
  }
}

function parseGreeting(bytes: Buffer): ProxyParse {
  const count = bytes[1]
  if (count === undefined || bytes.length < 2 + count) return more
  const acceptsNone = bytes.subarray(2, 2 + count).includes(0)
  return acceptsNone ? { kind: 'reply', reply: Buffer.from([5, 0]), bytes: bytes.subarray(2 + count) } : malformed
}

function parseSocks(bytes: Buffer): ProxyParse {
  if (bytes.length < 5) return more
  const [version, command, , type, first = 0] = bytes
  if (version !== 5 || command !== 1) return malformed
  const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? first : undefined
  if (length === undefined || length === 0) return malformed
  const from = type === 3 ? 5 : 4
  const to = from + length
  if (bytes.length < to + 2) return more
  const address = bytes.subarray(from, to)
  const host = type === 3 ? address.toString('latin1') : type === 1 ? address.join('.') : groupsOf(address)
  return { kind: 'request', request: { kind: 'socks', host, port: bytes.readUInt16BE(to), rest: bytes.subarray(to + 2) } }
}

const groupsOf = (address: Buffer): string =>
  Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':')
