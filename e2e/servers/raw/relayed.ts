// A stdio server written from the specification, without any SDK, whose mind is elsewhere: whoever holds it says how it
// answers, and reads back what both sides saw. `rawStdio` speaks through the process of
// `relay.ts`, `rawMemory` in memory; each may be started more than once.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { JsonObject } from '#app/json.ts'
import type { Exit } from '#app/server/server-state.ts'
import type { ServerProcess } from '#main/servers/process/server-process.ts'
import { defaultLimits } from '#main/servers/process/stdio-limits.ts'
import { createOutputs, type LaunchOptions } from '#main/servers/transport/stdio/stdio-process.ts'
import { createStdioTransport } from '#main/servers/transport/stdio/stdio-transport.ts'
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

interface RawServer {
  /** In the order they were started. */
  readonly wires: readonly Wire[]
  /** The one that was started last. */
  readonly wire: Wire
  close(): Promise<void>
}

export interface RawStdio extends RawServer {
  /** Where its processes find it: the argument of `relay.ts`. */
  readonly path: string
}

export interface RawMemory extends RawServer {
  /** Takes the place of `launchStdio`. */
  readonly launchCommand: (options: LaunchOptions) => ServerProcess
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
    path,
    wires,
    get wire() {
      return lastOf(wires)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same over the host's own transport, but without a process: where it is not about one, a start costs a hundredth. */
export function rawMemory(answer: Answer): RawMemory {
  const wires: Wire[] = []
  return {
    wires,
    get wire() {
      return lastOf(wires)
    },
    launchCommand: (options) => launchInMemory(options, answer, wires),
    close: async () => undefined,
  }
}

function lastOf(wires: readonly Wire[]): Wire {
  const wire = wires.at(-1)
  if (!wire) throw new Error('It was not started')
  return wire
}

function launchInMemory({ clock, tap, ...options }: LaunchOptions, answer: Answer, wires: Wire[]): ServerProcess {
  const limits = { ...defaultLimits, ...options.limits }
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const outputs = createOutputs(limits, clock)
  const exit = Promise.withResolvers<Exit>()
  const read = Promise.withResolvers<void>()
  const end = async (code: number): Promise<Exit> => {
    stdout.end()
    await read.promise
    outputs.stdout.flush()
    exit.resolve({ code, signal: null })
    return exit.promise
  }
  const seen: Message[] = []
  const wire = makeWire(seen, (order) => {
    if ('write' in order) stdout.write(Buffer.from(order.write, 'base64'))
    else if ('exit' in order) void end(order.exit)
    else throw new Error(`${order.do} needs a process: rawStdio`)
  })
  wires.push(wire)
  createInterface({ input: stdin })
    .on('line', (line) => {
      const message = JSON.parse(line) as Message
      seen.push(message)
      answer(message, wire)
    })
    .on('close', () => void end(0))
  const transport = createStdioTransport({
    stdout,
    stdin,
    limits,
    tap,
    ready: Promise.resolve(),
    onOutput: (line) => outputs.stdout.add(line),
    onEnd: read.resolve,
    onClose: () => end(0),
  })
  return {
    transport,
    pid: undefined,
    onOutput: outputs.listen,
    stray: () => transport.stray,
    exited: exit.promise,
    stop() {
      transport.endInput()
      transport.cut()
      return exit.promise
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
