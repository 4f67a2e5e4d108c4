// The private socket that commands join by: who comes in, what they may ask and hear, and what they cannot hold up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HostEvent } from '#app/contract/events.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import type { Host } from '#main/host.ts'
import type { Caller } from '#main/requests/request-handlers.ts'
import { lockProfile } from '#main/store/database/profile-lock.ts'
import { joinFilePath, readJoinFile } from './join-file.ts'
import { type JoinedHost, joinHost, takeOver } from './join-host.ts'
import { LONGEST_SOCKET_PATH, listenForCommands } from './listen-for-commands.ts'
import { MOST_UNAUTHENTICATED } from './socket-server.ts'

let root: string
let dataDir: string
let asked: { readonly name: string; readonly caller: Caller | undefined }[]
let emit: (event: Partial<HostEvent>) => void
const opened: { close(): unknown }[] = []

const host = {
  request: async (name: string, _params: unknown, caller?: Caller) => {
    asked.push({ name, caller })
    return { name }
  },
  onEvent(listener: (event: HostEvent) => void) {
    emit = (event) => listener({ revision: 1, ...event } as HostEvent)
    return () => undefined
  },
  openAgent: () => undefined,
} as Pick<Host, 'request' | 'onEvent' | 'openAgent'>

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-test-join-'))
  dataDir = join(root, 'profile')
  mkdirSync(dataDir)
  asked = []
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  rmSync(root, { recursive: true, force: true })
})

async function listen(folder = dataDir) {
  const listening = await listenForCommands({
    host: async () => host,
    dataDir: folder,
    version: '1.0.0',
    log: silentLog,
    clock: systemClock,
  })
  opened.push(listening)
  return listening
}
async function joined(folder = dataDir): Promise<JoinedHost> {
  const reached = await joinHost(folder, '1.0.0')
  if (!reached) throw new Error('not joined')
  opened.push(reached)
  return reached
}
const file = () => readJoinFile(dataDir) ?? { address: '', token: '', version: '' }

async function raw(): Promise<Socket> {
  const socket = connect(file().address)
  socket.on('error', () => undefined)
  opened.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}
async function upgraded(headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket('ws://localhost/link', { createConnection: () => connect(file().address), headers })
  socket.on('error', () => undefined)
  opened.push({ close: () => socket.terminate() })
  await once(socket, 'open')
  return socket
}

describe('who comes in', () => {
  it('is whoever reads the token, which only the owner of the profile does', async () => {
    await listen()
    expect(await (await joined()).request('models.list', {})).toEqual({ name: 'models.list' })
    if (process.platform === 'win32') return
    const { address } = file()
    expect([joinFilePath(dataDir), address, dirname(address)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o700])
  })

  it.each(['', 'a'.repeat(43), 'wrong', 'a'.repeat(500)])('is nobody with the token “%s”, who learns and reaches nothing', async (key) => {
    await listen()
    const socket = await upgraded()
    const frames: unknown[] = []
    socket.on('message', (data) => frames.push(data))
    socket.send(JSON.stringify({ kind: 'hello', key }))
    socket.send(JSON.stringify({ kind: 'request', id: 1, name: 'models.list', params: {} }))
    await once(socket, 'close')
    expect([frames, asked]).toEqual([[], []])
  })

  it('is nobody who asks before the hello, comes from a browser, or wants another place', async () => {
    await listen()
    const socket = await upgraded()
    socket.send(JSON.stringify({ kind: 'request', id: 1, name: 'models.list', params: {} }))
    await once(socket, 'close')
    await expect(upgraded({ Origin: 'http://localhost' })).rejects.toThrow('404')
    const plain = await raw()
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(String((await once(plain, 'data'))[0])).toContain('404')
    expect(asked).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('a file or a folder that others could read or write is not used', async () => {
    await listen()
    const { address } = file()
    for (const [path, mode] of [
      [joinFilePath(dataDir), 0o644],
      [dirname(address), 0o755],
    ] as const) {
      const before = statSync(path).mode
      chmodSync(path, mode)
      expect(await joinHost(dataDir, '1.0.0')).toBe(undefined)
      chmodSync(path, before)
    }
    expect(await joined()).toBeDefined()
  })

  it('a command of another version is told so', async () => {
    await listen()
    await expect(joinHost(dataDir, '2.0.0')).rejects.toMatchObject({ code: 'profile.locked', message: expect.stringContaining('1.0.0') })
  })
})

describe('what it may do', () => {
  it.each(['rule.save', 'settings.set', 'server.save', 'server.setSecret', 'config.save', 'key.set', 'app.openUrl', 'nothing', 'toString'])(
    'is not “%s”',
    async (name) => {
      await listen()
      const reached: { request(name: string, params: unknown): Promise<unknown> } = await joined()
      await expect(reached.request(name, {})).rejects.toMatchObject({ code: 'contract.unknown-request' })
      expect(asked).toEqual([])
    },
  )

  it('is done under an id of its connection, and ends with that', async () => {
    await listen()
    const [one, other] = [await joined(), await joined()]
    await Promise.all([one.request('models.list', {}), other.request('models.list', {})])
    const [first, second] = asked.map(({ caller }) => caller)
    expect([first?.joined?.length, first?.joined === second?.joined]).toEqual([22, false])
    one.close()
    await expect.poll(() => first?.signal.aborted).toBe(true)
    expect(second?.signal.aborted).toBe(false)
  })

  it('is to hear its own questions, and no others', async () => {
    await listen()
    const reached = await joined()
    const heard: string[] = []
    reached.onEvent((event) => heard.push(`${event.name} ${'id' in event.payload ? event.payload.id : ''}`))
    await reached.request('models.list', {})
    const own = asked[0]?.caller?.joined
    const question = (id: string, joined?: string) =>
      emit({ name: 'consent.opened', payload: { request: { id, joined } } } as Partial<HostEvent>)
    question('window')
    question('another', 'other')
    question('own', own)
    for (const id of ['window', 'another', 'own'])
      emit({ name: 'consent.closed', payload: { id, outcome: 'denied' } } as Partial<HostEvent>)
    emit({ name: 'settings.changed', payload: {} } as Partial<HostEvent>)
    await reached.request('models.list', {})
    expect(heard).toEqual(['consent.opened ', 'consent.closed own'])
  })
})

describe('what it cannot hold up', () => {
  it('others: beyond a number of connections without a hello the oldest goes', async () => {
    await listen()
    const sockets = await Promise.all(Array.from({ length: MOST_UNAUTHENTICATED + 20 }, raw))
    expect(await joined()).toBeDefined()
    await expect.poll(() => sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length).toBeGreaterThanOrEqual(20)
  })

  it('the host: half a frame, a huge one and bytes that are none end their connection alone', async () => {
    await listen()
    const bystander = await joined()
    const ended: string[] = []
    const garbage = (await raw()).resume().once('close', () => ended.push('garbage'))
    garbage.write(Buffer.alloc(100_000, 7))
    for (const [name, frame] of [
      ['huge', 'A'.repeat(17_000_000)],
      ['broken', '{"kind":'],
    ] as const) {
      const socket = await upgraded()
      socket.once('close', () => ended.push(name))
      socket.send(JSON.stringify({ kind: 'hello', key: file().token }))
      await once(socket, 'message')
      socket.send(frame)
    }
    await expect.poll(() => new Set(ended)).toEqual(new Set(['broken', 'garbage', 'huge']))
    expect(await bystander.request('models.list', {})).toBeDefined()
  })

  it('its end: connections that are open, half a frame and waiting requests go at once', async () => {
    const listening = await listen()
    const reached = await joined()
    const half = await upgraded()
    ;(half as unknown as { _socket: Socket })._socket.write(Buffer.from([0x81, 0xfe, 0x10]))
    await raw()
    const never = { ...host, request: () => new Promise<never>(() => undefined) }
    Object.assign(host, { request: never.request })
    const waiting = reached.request('models.list', {}).catch((error: unknown) => error)
    const started = performance.now()
    await listening.close()
    expect(await waiting).toMatchObject({ code: 'link.closed' })
    expect(performance.now() - started).toBeLessThan(2000)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('its end: the host that has the profile next stays reachable', async () => {
    const first = await listen()
    first.leave()
    await listen()
    await first.close()
    expect(await joined()).toBeDefined()
  })
})

describe.skipIf(process.platform === 'win32')('where it listens', () => {
  it('is a temporary folder where the path of the profile is too long, and nothing stays of it', async () => {
    dataDir = join(root, 'x'.repeat(LONGEST_SOCKET_PATH), 'profile')
    mkdirSync(dataDir, { recursive: true })
    const listening = await listen()
    const { address } = file()
    expect([
      address.startsWith(dataDir),
      Buffer.byteLength(address) <= LONGEST_SOCKET_PATH,
      statSync(dirname(address)).mode & 0o777,
    ]).toEqual([false, true, 0o700])
    expect(await joined()).toBeDefined()
    await listening.close()
    expect([existsSync(dirname(address)), readdirSync(dataDir)]).toEqual([false, []])
  })

  it('is waited for where a host that begins or ends has the profile without an address', async () => {
    const lock = new URL('../../store/database/profile-lock.ts', import.meta.url).href
    const holds = `import { lockProfile } from '${lock}'
      const free = lockProfile(process.argv[1])
      process.stdout.write('held')
      process.stdin.once('data', () => setTimeout(free, 500))`
    const other = spawn(process.execPath, ['--input-type=module', '-e', holds, dataDir])
    opened.push({ close: () => other.kill() })
    await once(other.stdout, 'data')
    expect(() => lockProfile(dataDir)).toThrow('already running')
    other.stdin.write('end')
    await takeOver(dataDir)
    lockProfile(dataDir)()
  })

  it('is not what a killed host left: nobody answers there, and the next host takes the place', async () => {
    const left = mkdtempSync(join(tmpdir(), 'assent-join-'))
    const stale = createServer().listen(join(left, 'host.sock'))
    await once(stale, 'listening')
    const text = JSON.stringify({ version: '1.0.0', address: join(left, 'host.sock'), token: 'x'.repeat(43) })
    writeFileSync(joinFilePath(dataDir), text, { mode: 0o600 })
    stale.close()
    writeFileSync(join(left, 'host.sock'), '')
    expect(await joinHost(dataDir, '1.0.0')).toBe(undefined)
    await listen()
    expect([existsSync(left), readFileSync(joinFilePath(dataDir), 'utf8') === text]).toEqual([false, false])
    expect(await joined()).toBeDefined()
  })
})
