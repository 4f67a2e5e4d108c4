// Tables as Linux writes them: rows of this shape are in proc_pid_net(5), in the tests of Java's oshi and of Node tools that list ports, and
// were seen on Linux 6.18 (the rows of closed sockets, state 06, have neither uid nor inode). Addresses and numbers are ours.
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { accountInLsof, createPeerGuard, type PeerAccount, uidInTable } from './peer-account.ts'

const ends = { peer: '127.0.0.1:50000', ours: '127.0.0.1:7777' } as const // C350, 1E61
const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode      '
const row = (from: string, to: string, { state = '01', uid = 1000, inode = 71_234 } = {}): string =>
  `   3: ${from} ${to} ${state} 00000000:00000000 02:000A9A2B 00000000 ${String(uid).padStart(5)}        0 ${inode} 2 000000008d1c7f4a 20 4 30 10 -1    `
const table = (...rows: readonly string[]): string =>
  [head, row('0100007F:1E61', '00000000:0000', { state: '0A', uid: 33 }), ...rows, ''].join('\n')
const mapped = (end: string): string => `0000000000000000FFFF0000${end}`

describe('the table of Linux', () => {
  it.each<[string, string, number | undefined]>([
    ['the peer’s own socket', table(row('0100007F:C350', '0100007F:1E61')), 1000],
    ['ours before the peer’s', table(row('0100007F:1E61', '0100007F:C350', { uid: 1 }), row('0100007F:C350', '0100007F:1E61')), 1000],
    ['the peer’s as IPv6 that stands for IPv4', table(row(mapped('0100007F:C350'), mapped('0100007F:1E61'), { uid: 1001 })), 1001],
    ['a peer that has closed its half', table(row('0100007F:C350', '0100007F:1E61', { state: '05' })), 1000],
    ['root', table(row('0100007F:C350', '0100007F:1E61', { uid: 0 })), 0],
    ['a uid of ten digits', table(row('0100007F:C350', '0100007F:1E61', { uid: 4_294_967_294 })), 4_294_967_294],
    ['a socket that is closed: its row says 0', table(row('0100007F:C350', '0100007F:1E61', { state: '06', uid: 0, inode: 0 })), undefined],
    [
      'a closed one of the same ends beside the open one',
      table(row('0100007F:C350', '0100007F:1E61', { state: '06', uid: 0, inode: 0 }), row('0100007F:C350', '0100007F:1E61')),
      1000,
    ],
    [
      'two of two accounts',
      table(row('0100007F:C350', '0100007F:1E61'), row(mapped('0100007F:C350'), mapped('0100007F:1E61'), { uid: 1 })),
      undefined,
    ],
    ['another port of the peer', table(row('0100007F:C351', '0100007F:1E61')), undefined],
    ['the peer’s port towards another listener', table(row('0100007F:C350', '0100007F:1E62')), undefined],
    ['the same ports on another address', table(row('0200007F:C350', '0100007F:1E61')), undefined],
    [
      'the same ports on IPv6 itself',
      table(row('00000000000000000000000001000000:C350', '00000000000000000000000001000000:1E61')),
      undefined,
    ],
    ['a longer address that ends alike', table(row('FF0100007F:C350', '0100007F:1E61')), undefined],
    ['a row cut short', table('   3: 0100007F:C350 0100007F:1E61 01 00000000:00000000'), undefined],
    ['nothing', '', undefined],
  ])('%s', (_what, text, uid) => {
    expect(uidInTable(text, ends, 'LE')).toBe(uid)
  })

  it('is read of IPv6 itself', () => {
    const six = { peer: '[::1]:50000', ours: '[::1]:7777' } as const
    const one = '00000000000000000000000001000000'
    expect(uidInTable(table(row(`${one}:C350`, `${one}:1E61`)), six, 'LE')).toBe(1000)
    expect(uidInTable(table(row('01000000:C350', '01000000:1E61')), six, 'LE')).toBe(undefined)
  })

  it('is read in the order of bytes of a big-endian machine', () => {
    const rows = table(row('7F000001:C350', '7F000001:1E61'))
    expect([uidInTable(rows, ends, 'BE'), uidInTable(rows, ends, 'LE')]).toEqual([1000, undefined])
    const sixes = table(row('00000000000000000000FFFF7F000001:C350', '00000000000000000000FFFF7F000001:1E61'))
    expect(uidInTable(sixes, ends, 'BE')).toBe(1000)
  })
})

// Fields as lsof(8) writes them ("OUTPUT FOR OTHER PROGRAMS"): p, u, f, n.
describe('what lsof says', () => {
  const ours = 'p410\nu501\nf19\nn127.0.0.1:7777->127.0.0.1:50000\n'
  it.each<[string, string, PeerAccount]>([
    ['our own browser', `${ours}p977\nu501\nf31\nn127.0.0.1:50000->127.0.0.1:7777\n`, { kind: 'own' }],
    ['another’s, which root is shown', `${ours}p977\nu502\nf31\nn127.0.0.1:50000->127.0.0.1:7777\n`, { kind: 'other', uid: 502 }],
    ['another’s, which is not shown', ours, { kind: 'other', uid: null }],
    ['another connection of that port', `${ours}p977\nu501\nf31\nn127.0.0.1:50000->127.0.0.1:9999\n`, { kind: 'other', uid: null }],
    ['nothing: it failed, or both ends are closed', '', { kind: 'unknown' }],
  ])('%s', (_what, fields, account) => {
    expect(accountInLsof(fields, ends, 501)).toEqual(account)
  })
})

describe('the guard', () => {
  const guarded = (...accounts: readonly PeerAccount[]) => {
    const told: (number | null | 'unknown')[] = []
    const looked: Socket[] = []
    const lookUp = async (socket: Socket): Promise<PeerAccount> => accounts[looked.push(socket) - 1] ?? { kind: 'own' }
    const guard = createPeerGuard({ onOther: (uid) => told.push(uid), onUnknown: () => told.push('unknown'), lookUp })
    return { guard, told, looked }
  }

  it('lets in this account and what is unknown, and nobody of another; each is told once', async () => {
    const [other, unknown] = [{ kind: 'other', uid: 7 }, { kind: 'unknown' }] as const
    const { guard, told } = guarded({ kind: 'own' }, other, unknown, other, { kind: 'other', uid: null }, unknown)
    const verdicts: boolean[] = []
    for (let at = 0; at < 6; at += 1) verdicts.push(await guard(new Socket()))
    expect([verdicts, told]).toEqual([
      [true, false, true, false, false, true],
      [7, 'unknown', null],
    ])
  })

  it('looks a connection up once, and asks again for another', async () => {
    const { guard, looked } = guarded({ kind: 'other', uid: 7 })
    const [first, second] = [new Socket(), new Socket()]
    expect(await Promise.all([guard(first), guard(first), guard(second)])).toEqual([false, false, true])
    expect(looked).toEqual([first, second])
  })

  it('refuses also where that cannot be written down', async () => {
    const guard = createPeerGuard({
      onOther: () => {
        throw new Error('disk full')
      },
      onUnknown: () => undefined,
      lookUp: async () => ({ kind: 'other', uid: 7 }),
    })
    expect(await guard(new Socket())).toBe(false)
  })
})
