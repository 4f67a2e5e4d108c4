// Whose program is at the other end of a loopback connection. Every account of the machine can connect to 127.0.0.1, so a listener refuses
// those of other accounts where the system tells: Linux in /proc/net/tcp and tcp6 (as PuTTY reads them), macOS by lsof. Elsewhere, in a
// container whose other end is outside, and for a socket that is closed already, it is unknown. So it is for root: it can read everything
// anyway, and what forwards ports runs as root (the localhost relay of WSL 2, kubectl). The listener's own secret decides then.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { isIPv4, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { orElse } from '#app/or-else.ts'

/** `127.0.0.1:80` or `[::1]:80`. */
type End = string
interface Ends {
  readonly peer: End
  readonly ours: End
}
/** `uid`: null where the system tells no more than that it is another account. */
export type PeerAccount = { readonly kind: 'own' | 'unknown' } | { readonly kind: 'other'; readonly uid: number | null }

/** One row: own end, other end, state, queues, timers, uid, timeout, inode (proc_pid_net(5), `net/tcp`). */
const tableRow = /^\s*\d+: ([0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} [0-9A-F:]+ [0-9A-F:]+ [0-9A-F]+ +(\d+) +\d+ (\d+) /
const mapped = { LE: `${'0'.repeat(16)}FFFF0000`, BE: `${'0'.repeat(20)}FFFF` } as const

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0').toUpperCase()

/** Writes an end as the tables do: 32-bit numbers in the machine's order, of IPv4 and of IPv4-mapped IPv6, or of `::1`. */
function inTable(end: End, order: 'LE' | 'BE'): readonly string[] {
  const [, address = '', port] = /^(.*):(\d+)$/.exec(end) ?? []
  const bytes = (address === '[::1]' ? [0, 0, 0, 1] : address.split('.').map(Number)).map((byte) => hex(byte, 2))
  const word = (order === 'LE' ? bytes.reverse() : bytes).join('')
  const forms = address === '[::1]' ? [`${'0'.repeat(24)}${word}`] : [word, `${mapped[order]}${word}`]
  return forms.map((one) => `${one}:${hex(Number(port), 4)}`)
}

/**
 * Returns the uid of the peer's socket in the text of /proc/net/tcp and tcp6. Undefined: it is not there, or closed: such a row has uid and
 * inode 0, whoever it belonged to.
 */
export function uidInTable(table: string, { peer, ours }: Ends, order: 'LE' | 'BE' = endianness()): number | undefined {
  const [own, other] = [inTable(peer, order), inTable(ours, order)]
  const found = new Set<number>()
  for (const line of table.split('\n')) {
    const [, from = '', to = '', uid, inode] = tableRow.exec(line) ?? []
    if (inode !== undefined && inode !== '0' && own.includes(from) && other.includes(to)) found.add(Number(uid))
  }
  return found.size === 1 ? [...found][0] : undefined
}

/**
 * Reads what lsof says of a port in its field format. It lists the sockets of this account alone, unless it runs as root. So where our end
 * is listed and the peer's is not, the peer's is another account's; where neither is, nothing is known.
 */
export function accountInLsof(fields: string, { peer, ours }: Ends, own: number): PeerAccount {
  const names = new Map<string, number>()
  let uid = Number.NaN
  for (const line of fields.split('\n')) {
    if (line.startsWith('u')) uid = Number(line.slice(1))
    if (line.startsWith('n')) names.set(line.slice(1), uid)
  }
  const found = names.get(`${peer}->${ours}`)
  if (found !== undefined) return accountOf(found, own)
  return names.has(`${ours}->${peer}`) ? { kind: 'other', uid: null } : { kind: 'unknown' }
}

const accountOf = (uid: number | undefined, own: number): PeerAccount =>
  uid === own ? { kind: 'own' } : uid === undefined || uid === 0 ? { kind: 'unknown' } : { kind: 'other', uid }

/** Reads a table of Linux. One reading serves all connections that were made before it began. */
function tableReader(path: string): () => Promise<string> {
  let reading: Promise<string> | undefined
  let next: Promise<string> | undefined
  return () => {
    next ??= Promise.resolve(reading).then(() => {
      next = undefined
      reading = readFile(path, 'latin1').catch(() => '')
      return reading
    })
    return next
  }
}
const [tcp, tcp6] = [tableReader('/proc/net/tcp'), tableReader('/proc/net/tcp6')]

/** Uid of the peer's socket. The system walks all its sockets for a table, milliseconds each: the second is read where the first lacks it. */
async function uidOnLinux(ends: Ends): Promise<number | undefined> {
  return uidInTable(await tcp(), ends) ?? uidInTable(await tcp6(), ends)
}

const lsof = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const args = ['-nP', '-a', `-iTCP:${port}`, '-sTCP:ESTABLISHED', '-Fun']
    execFile('/usr/sbin/lsof', args, { timeout: 3000 }, (_error, stdout) => resolve(stdout))
  })

function endOf(address = '', port = 0): End | undefined {
  const plain = address.replace(/^::ffff:/i, '')
  return isIPv4(plain) ? `${plain}:${port}` : plain === '::1' ? `[::1]:${port}` : undefined
}

/** Looks up whose the peer of an accepted connection is. Never rejects. */
async function lookUp({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<PeerAccount> {
  const [peer, ours] = [endOf(remoteAddress, remotePort), endOf(localAddress, localPort)]
  const own = process.getuid?.()
  if (own === undefined || peer === undefined || ours === undefined) return { kind: 'unknown' }
  const ends: Ends = { peer, ours }
  if (process.platform === 'darwin') return accountInLsof(await lsof(remotePort ?? 0), ends, own)
  return process.platform === 'linux' ? accountOf(await uidOnLinux(ends), own) : { kind: 'unknown' }
}

export interface PeerGuardOptions {
  /** Called for the first connection of each other account. */
  readonly onOther: (uid: number | null) => void
  /** Called for the first connection whose account is unknown. */
  readonly onUnknown: () => void
  readonly lookUp?: (socket: Socket) => Promise<PeerAccount>
}
export type PeerGuard = (socket: Socket) => Promise<boolean>

/** Returns whether a connection may be served: it is looked up once, however many requests it brings. */
export function createPeerGuard({ onOther, onUnknown, ...options }: PeerGuardOptions): PeerGuard {
  const verdicts = new WeakMap<Socket, Promise<boolean>>()
  const told = new Set<number | null | 'unknown'>()
  async function judge(socket: Socket): Promise<boolean> {
    const account = await (options.lookUp ?? lookUp)(socket)
    const key = account.kind === 'other' ? account.uid : 'unknown'
    if (account.kind !== 'own' && !told.has(key)) {
      told.add(key)
      // The refusal holds, whether it could be written down or not.
      orElse(() => (account.kind === 'other' ? onOther(account.uid) : onUnknown()), undefined)
    }
    return account.kind !== 'other'
  }
  return (socket) => {
    const verdict = verdicts.get(socket) ?? judge(socket)
    verdicts.set(socket, verdict)
    return verdict
  }
}
