// Hosts that a sandboxed server may reach, as the person writes them: `api.example.com`, `*.example.com`, `127.0.0.1`, each with a
// port or without one (80 and 443). `*` alone is any website: every name on 80 and 443, and no address. Pure.

export interface HostPattern {
  /** Lower case, without a dot at its end, IPv6 without brackets; `*`: any name. */
  readonly host: string
  /** Whether names below `host` are meant, and not the name itself. */
  readonly below: boolean
  /** Undefined: 80 and 443. */
  readonly port: number | undefined
}

const webPorts: ReadonlySet<number> = new Set([80, 443])

/** The pattern of a server that opens whatever website it is told to (docs/decisions/0076). */
export const anyWebsite = '*'

const isAddress = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host)

/** Brings a host to the form in which patterns and requests are compared; undefined: it is none. */
export function normalizeHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const inUrl = bare.includes(':') ? `[${bare}]` : bare
  if (bare === '' || /[\s/?#@\\%]/.test(bare) || !URL.canParse(`http://${inUrl}/`)) return undefined
  const { hostname, port } = new URL(`http://${inUrl}/`)
  return port === '' ? hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') : undefined
}

/** Parses a pattern; undefined when it is none. A star stands alone, or for the beginning of a name of at least two parts. */
export function parseHostPattern(text: string): HostPattern | undefined {
  if (text === anyWebsite) return { host: anyWebsite, below: true, port: undefined }
  const [, star = '', bracketed, plain = '', portText] = /^(\*\.)?(?:(\[[^\]]+\])|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = normalizeHost(bracketed ?? plain)
  const port = portText === undefined ? undefined : Number(portText)
  if (host === undefined || host.includes('*') || (port !== undefined && !(port >= 1 && port <= 65_535))) return undefined
  if (star !== '' && (isAddress(host) || !host.includes('.'))) return undefined
  return { host, below: star !== '', port }
}

/** Whether one of the patterns covers a host, as `normalizeHost` returns it, and a port. Texts that are no pattern cover nothing. */
export const coversHost = (patterns: readonly string[], host: string, port: number): boolean =>
  patterns.some((text) => {
    const pattern = parseHostPattern(text)
    if (!pattern || !(pattern.port === undefined ? webPorts.has(port) : pattern.port === port)) return false
    if (pattern.host === anyWebsite) return !isAddress(host)
    return pattern.below ? host.endsWith(`.${pattern.host}`) : host === pattern.host
  })

/** Whether one of the patterns denies a host: on every port, unless it names one. */
export const deniesHost = (patterns: readonly string[], host: string, port: number): boolean =>
  patterns.some((text) => {
    const pattern = parseHostPattern(text)
    if (!pattern || (pattern.port !== undefined && pattern.port !== port)) return false
    return pattern.host === anyWebsite || host.endsWith(`.${pattern.host}`) || (!pattern.below && host === pattern.host)
  })
