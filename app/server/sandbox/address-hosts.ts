// Hosts that an address in a text leads to, as patterns of the sandbox: web addresses, connection strings of databases, and what drivers
// write in their place. Pure.
import { parseHostPattern } from './host-pattern.ts'

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
