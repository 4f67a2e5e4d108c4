// Hosts that a sandboxed server may reach, as the person writes them: `api.example.com`, `*.example.com`, `127.0.0.1`, each with a
// port or without one (80 and 443). `*` alone is any website: every name on 80 and 443, and no address. Pure.

interface HostPattern {
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

// Hosts that an address in a text leads to, as patterns of the sandbox: web addresses, connection strings of databases, and what drivers
// write in their place. Pure.
// biome-ignore format: a list reads better in rows
/** Ports of addresses that name none; 0: those of the web. */
const ports: Readonly<Record<string, number>> = {
  http: 0, https: 0, ws: 0, wss: 0, 'git+https': 0, 'git+http': 0, libsql: 0,
  postgres: 5432, postgresql: 5432, mysql: 3306, mariadb: 3306, redis: 6379, rediss: 6379, mongodb: 27_017, 'mongodb+srv': 27_017,
  mssql: 1433, sqlserver: 1433, clickhouse: 9000, clickhouses: 9440, cassandra: 9042, cockroachdb: 26_257, memcached: 11_211,
  bolt: 7687, 'bolt+s': 7687, 'bolt+ssc': 7687, neo4j: 7687, 'neo4j+s': 7687, 'neo4j+ssc': 7687,
  amqp: 5672, amqps: 5671, nats: 4222, kafka: 9092, mqtt: 1883, mqtts: 8883,
  ldap: 389, ldaps: 636, smtp: 587, smtps: 465, imap: 143, imaps: 993, ssh: 22, 'git+ssh': 22, sftp: 22, ftp: 21,
}

/** The pattern of a host and a port; undefined: it is none. */
export function patternOf(host: string, port: number | undefined): string | undefined {
  const bare = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const pattern = port === undefined || port === 0 || port === 80 || port === 443 ? bare : `${bare}:${port}`
  return /^[\w.[\]:-]+$/.test(host) && parseHostPattern(pattern) ? pattern : undefined
}

/** Lists patterns for the host or hosts of an address; none where it has none, or where a value still has to be filled in. */
export function hostsOfAddress(text: string): readonly string[] {
  const [, written = '', authority = ''] = /^(?:jdbc:)?([a-z][a-z\d+.-]*):\/\/([^/?#\s]*)/i.exec(text.trim()) ?? []
  const scheme = written.toLowerCase()
  // `mysql+pymysql`: a driver of SQLAlchemy's.
  const port = ports[scheme] ?? ports[scheme.replace(/\+.*/, '')]
  if (port === undefined) return keywordHosts(text)
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return hosts.split(',').flatMap((each) => {
    const [, bracketed, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(each) ?? []
    const host = bracketed ?? plain
    // The name of a record that lists servers beside it: they share what follows its first part.
    const [, parent] = scheme === 'mongodb+srv' ? (/^[^.]+\.(.+\..+)$/.exec(host) ?? []) : []
    const pattern = parent === undefined ? patternOf(host, digits === undefined ? port : Number(digits)) : `*.${parent}:${port}`
    return pattern === undefined || !parseHostPattern(pattern) ? [] : [pattern]
  })
}

/** Connection strings of ADO.NET and libpq: `Server=tcp:a.example,1433;…`, `host=a.example port=5432 …`. */
function keywordHosts(text: string): readonly string[] {
  const [, ado, adoPort] = /(?:^|;)\s*(?:server|data source)\s*=\s*(?:tcp:)?([\w.-]+)(?:,(\d{1,5}))?/i.exec(text) ?? []
  if (ado !== undefined && /;/.test(text)) return found(patternOf(ado, Number(adoPort ?? 1433)))
  const [, libpq] = /(?:^|\s)host=([\w.-]+)(?:\s|$)/.exec(text) ?? []
  const [, port] = /(?:^|\s)port=(\d{1,5})(?:\s|$)/.exec(text) ?? []
  return libpq === undefined || !/\b(?:dbname|user|port)=/.test(text) ? [] : found(patternOf(libpq, Number(port ?? 5432)))
}

const found = (pattern: string | undefined): readonly string[] => (pattern === undefined ? [] : [pattern])
