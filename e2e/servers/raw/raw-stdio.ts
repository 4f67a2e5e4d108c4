// A stdio server written from the specification, without any SDK: each test says how it answers, and reads back what both
// sides saw. The test speaks through the process of `relay.ts`, which may be started more than once.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { ServersOptions } from '#main/servers/servers.ts'
import { approve, closeServers, makeServers, raw, type TestServers } from '#main/servers/test-support.ts'
import type { CallOptions } from '#main/servers/types.ts'
import { handshake, type Message as Request, result } from '../http/raw-http.ts'
import type { Order } from './relay.ts'

export interface Message extends Request {
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** One process of it. */
export interface Wire {
  /** What the host wrote, a message a line. */
  readonly seen: readonly Message[]
  /** `server/discover`, `result 7`, … in the order they came. */
  said(): string[]
  /** Bytes in one piece, as they are. */
  write(bytes: string | Buffer): void
  /** Messages, a line each, in one piece. */
  send(...messages: readonly object[]): void
  exit(code: number): void
  closeStdout(): void
  /** Reads no more of what the host writes, until `resume`. */
  pause(): void
  resume(): void
}

export interface RawStdio {
  readonly definition: StdioDefinition
  /** In the order they were started. */
  readonly wires: readonly Wire[]
  /** The one that was started last. */
  readonly wire: Wire
  close(): Promise<void>
}

export type Answer = (message: Message, wire: Wire) => void

export async function rawStdio(answer: Answer): Promise<RawStdio> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-raw-'))
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/[\\:]/g, '-')}` : join(folder, 'socket')
  const wires: Wire[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    // It may be gone before it has read all its orders.
    socket.on('error', () => undefined)
    const seen: Message[] = []
    const wire = makeWire(seen, (order) => void socket.write(`${JSON.stringify(order)}\n`))
    wires.push(wire)
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as Message
      seen.push(message)
      answer(message, wire)
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    definition: raw('relay', path),
    wires,
    get wire() {
      const wire = wires.at(-1)
      if (!wire) throw new Error('It was not started')
      return wire
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const makeWire = (seen: Message[], give: (order: Order) => void): Wire => ({
  seen,
  said: () => seen.map(({ id, method, error }) => method ?? `${error ? 'error' : 'result'} ${id}`),
  write: (bytes) => give({ write: Buffer.from(bytes).toString('base64') }),
  send: (...messages) => give({ write: Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join('')).toString('base64') }),
  exit: (code) => give({ exit: code }),
  closeStdout: () => give({ do: 'close-stdout' }),
  pause: () => give({ do: 'pause' }),
  resume: () => give({ do: 'resume' }),
})

/** A server of an older revision; `own` comes first, and returns whether it has dealt with the message. */
export const older =
  (version: string, own: (message: Message, wire: Wire) => boolean): Answer =>
  (message, wire) => {
    if (own(message, wire)) return
    const answer = handshake(message, version)
    if (answer) wire.send(answer)
    else if (message.method === 'ping') wire.send(result(message, {}))
  }

export const { signal } = new AbortController()
const open: RawStdio[] = []

/** For the top of each file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    expect(await closeServers()).toEqual([])
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
}

export async function serve(answer: Answer): Promise<RawStdio> {
  const made = await rawStdio(answer)
  open.push(made)
  return made
}

export const host = (made: RawStdio, more: Partial<ServersOptions> = {}): TestServers => makeServers({ raw: made.definition }, more)

/** A host whose server is ready. */
export async function started(answer: Answer, more: Partial<ServersOptions> = {}): Promise<{ made: RawStdio; servers: TestServers }> {
  const made = await serve(answer)
  const servers = host(made, more)
  await servers.start('raw')
  return { made, servers }
}

export async function call(
  servers: TestServers,
  tool: string,
  args: JsonObject = {},
  options: Partial<CallOptions> = {},
): Promise<string | undefined> {
  const { result } = await servers.call(approve(servers, 'raw', tool, args), { signal, ...options })
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text
}

export const fails = (code: string, data: object = {}): unknown => expect.objectContaining({ code, data: expect.objectContaining(data) })
export const tokenOf = (message: Message): unknown => (message.params?.['_meta'] as JsonObject | undefined)?.['progressToken']
