// An internet for attacks, within this process: names of example.test lead where an attack says, and may lead elsewhere the
// next time. Public addresses are connected to a server of the attack; what is connected to in place of them is written
// down, and comes to nothing. The host resolves and connects as ever: all of this lies below it.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect, isIP, type NetConnectOpts, Socket, type TcpNetConnectOpts } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { exampleTest } from '../servers/http/self-signed.ts'

/** Of this address are all that an attack's servers really have. */
export const publicAddress = '93.184.216.34'

export interface Internet {
  /** Names of this attack alone: `name('issuer')` is `issuer-7.example.test`. */
  name(word: string): string
  /** A server on this computer, behind TLS, under a name that leads to the public address. */
  serve(name: string, port: number): void
  /** From now on; the last of several answers stays. */
  leads(name: string, ...answers: readonly (readonly string[])[]): void
  /** `name address` of all that was connected to, in order; public ones are left out. */
  readonly reached: readonly string[]
  close(): Promise<void>
}

type Answers = (readonly string[])[]
const zone = new Map<string, Answers>()
const watchers = new Map<string, (address: string) => void>()
const fronts = new Map<string, number>()

const nextAnswer = (answers: Answers): readonly string[] => (answers.length > 1 ? answers.shift() : answers[0]) ?? []
const found = (addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void
type Look = (name: string, options: LookupOptions, done: Done) => void

let laid = false
/** For good: what is no name of ours resolves and connects as it did. */
function lay(): void {
  if (laid) return
  laid = true
  setDefaultCACertificates([...getCACertificates('default'), exampleTest.cert])
  const look = dns.lookup as unknown as Look
  const lookAll = dns.promises.lookup
  const ours: Look = (name, given, last) => {
    const [options, done] = typeof given === 'function' ? [{}, given as unknown as Done] : [given, last]
    const answers = zone.get(name)
    if (!answers) return look(name, options, done)
    const addresses = found(nextAnswer(answers))
    const [first] = addresses
    setImmediate(() => {
      if (!first) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), '')
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
  dns.lookup = ours as unknown as typeof dns.lookup
  dns.promises.lookup = (async (name: string, options: LookupOptions) => {
    const answers = zone.get(name)
    return answers ? found(nextAnswer(answers)) : lookAll(name, options)
  }) as unknown as typeof dns.promises.lookup
  syncBuiltinESMExports()

  const plain = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const given = (Array.isArray(args[0]) ? args[0][0] : args[0]) as NetConnectOpts | undefined
    if (given && 'port' in given) redirect(given, ours)
    return plain.apply(this, args)
  } as unknown as typeof Socket.prototype.connect
}

/** Ports of real servers of this computer, which another attack reaches by any of its addresses. */
export const realPorts = new Set<number>()

/** Nothing listens there. */
const nowhere = 1

function redirect(to: TcpNetConnectOpts, look: Look): void {
  const { host = 'localhost', port } = to
  if (realPorts.has(Number(port))) return
  const watch = watchers.get(host)
  if (watch) {
    const resolve = (to.lookup ?? look) as Look
    to.lookup = ((name: string, options: LookupOptions, done: Done) =>
      resolve(name, options, (error, address, family) => {
        if (error) return done(error, address, family)
        const all = typeof address === 'string' ? found([address]) : address
        const inner = all.filter((one) => one.address !== publicAddress)
        for (const one of inner) watch(one.address)
        if (inner.length > 0) return done(Object.assign(new Error('nobody is there'), { code: 'ECONNREFUSED' }), '')
        const here = found(['127.0.0.1'])
        if (options.all) done(null, here)
        else done(null, '127.0.0.1', 4)
      })) as unknown as NonNullable<TcpNetConnectOpts['lookup']>
    // The port is read before the name is resolved.
    to.port = fronts.get(host) ?? nowhere
  } else if (Number(port) === 443 || Number(port) === 80 || (isIP(host) !== 0 && !/^(127\.|::1$)/.test(host))) {
    // In digits, or a name of this computer: nothing was resolved that could be watched.
    for (const each of watchers.values()) each(host)
    Object.assign(to, { host: '127.0.0.1', port: nowhere })
  }
}

let made = 0

export async function createInternet(): Promise<Internet> {
  lay()
  made += 1
  const attack = made
  const reached: string[] = []
  const names = new Set<string>()
  const front = createServer(exampleTest, (socket) => {
    const port = ports.get(socket.servername || '')
    if (port === undefined) return void socket.destroy()
    const behind = connect(port, '127.0.0.1')
    const end = (): void => {
      socket.destroy()
      behind.destroy()
    }
    for (const one of [socket, behind]) one.on('error', end)
    socket.pipe(behind).pipe(socket)
  })
  const ports = new Map<string, number>()
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port: frontPort } = front.address() as AddressInfo
  return {
    name(word) {
      const name = `${word}-${attack}.example.test`
      if (!names.has(name)) {
        names.add(name)
        zone.set(name, [[publicAddress]])
        fronts.set(name, frontPort)
        watchers.set(name, (address) => reached.push(`${word} ${address}`))
      }
      return name
    },
    serve: (name, port) => void ports.set(name, port),
    leads: (name, ...answers) => void zone.set(name, [...answers]),
    reached,
    async close() {
      for (const name of names) for (const each of [zone, fronts, watchers]) each.delete(name)
      await new Promise((resolve) => front.close(resolve))
    },
  }
}
