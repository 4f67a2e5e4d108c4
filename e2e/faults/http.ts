// Remote servers that fail, over real sockets, spoken for by a server without any SDK that counts what reaches it. Each fault
// meets one call: it ends with one clear error or is resumed, it reached the server at most once, and the next is answered.

import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { older, type Reply } from '../servers/http/eras.ts'
import { type Answer, called, handshake, json, type RawHttp, rawHttp, type Seen, stream } from '../servers/http/raw-http.ts'
import { type Act, type Fault, faultGroups, type Outcome, since, unless } from './fault.ts'
import type { RunOptions } from './options.ts'
import { codeOf, type Stage } from './stage.ts'
import { cutStreams } from './streams.ts'

/** Time that a call or a start is given, in milliseconds. */
const limitMs = 1000

const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy()
const answered: Reply = ({ message }, response) => json(response, called(message, 'ok'))

/** The calls that reached the server with this word. */
const arrivals = ({ seen }: RawHttp, word: string): number =>
  seen.filter(
    ({ message }) => message.method === 'tools/call' && JSON.stringify(message.params?.['arguments']) === JSON.stringify({ word }),
  ).length

interface CallFault {
  readonly fault: string
  /** How the second call is answered. */
  readonly breaks: Reply
  /** As what it ends. */
  readonly ends: string
  readonly timeoutMs?: number
}

/** The first call and the third are answered. */
const inCall = ({ fault, breaks, ends, timeoutMs }: CallFault): Fault => ({
  fault,
  async open() {
    let calls = 0
    const raw = await rawHttp(
      older('2025-06-18', (seen, response) => {
        calls += 1
        const reply = calls === 2 ? breaks : answered
        reply(seen, response)
      }),
    )
    return { entry: { url: raw.url }, close: raw.close, run: (stage) => meets(stage, raw, ends, timeoutMs) }
  },
})

async function meets(stage: Stage, raw: RawHttp, ends: string, timeoutMs?: number): Promise<Outcome> {
  await stage.start()
  const first = await stage.fails('echo', { word: 'first' })
  const from = performance.now()
  const code = await stage.fails('echo', { word: 'second' }, timeoutMs)
  const detected = since(from) - (timeoutMs ?? 0)
  const next = await stage.fails('echo', { word: 'third' })
  const times = arrivals(raw, 'second')
  return {
    detected,
    lost: code === ends ? 0 : 1,
    wrong: [
      ...unless(first === 'answered', `the call before ended as ${first}`),
      ...unless(code === ends, `the call ended as ${code}`),
      ...unless(times === 1, `the call reached the server ${times} times`),
      ...unless(next === 'answered', `the call after ended as ${next}`),
    ],
  }
}

const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_seen, response) =>
    void response.writeHead(code, headers).end()

const inCalls: readonly CallFault[] = [
  { fault: '401 in the midst of a session', breaks: status(401), ends: 'server.sign-in-needed' },
  { fault: '429', breaks: status(429, { 'retry-after': '1' }), ends: 'server.http-status' },
  { fault: '500', breaks: status(500), ends: 'tool.outcome-unknown' },
  { fault: '503', breaks: status(503), ends: 'tool.outcome-unknown' },
  { fault: 'connection reset before an answer', breaks: (_seen, response) => reset(response), ends: 'tool.outcome-unknown' },
  {
    fault: 'connection reset in mid-body',
    breaks(_seen, response) {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"jsonrpc":"2.0",', () => reset(response))
    },
    ends: 'tool.outcome-unknown',
  },
  {
    fault: 'connection reset in mid-stream',
    breaks: (_seen, response) => void stream(response).write(': soon\n\n', () => reset(response)),
    ends: 'tool.outcome-unknown',
  },
  { fault: 'half-open, nothing comes (after its time)', breaks: () => undefined, ends: 'tool.timeout', timeoutMs: limitMs },
  {
    fault: 'half-open in mid-body (after its time)',
    breaks(_seen, response) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc":"2.0",')
    },
    ends: 'tool.timeout',
    timeoutMs: limitMs,
  },
  {
    fault: 'half-open in mid-stream (after its time)',
    breaks: (_seen, response) => void stream(response).write(': soon\n\n'),
    ends: 'tool.timeout',
    timeoutMs: limitMs,
  },
]

/** Forgets its session once, at the second call. */
function forgetful(): Answer {
  let sessions = 0
  let calls = 0
  return ({ verb, headers, message }, response) => {
    const { method } = message
    if (verb === 'DELETE') return end(response, 200)
    if (verb !== 'POST') return false
    if (method === 'server/discover') return end(response, 400)
    if (method === 'initialize') sessions += 1
    else if (headers['mcp-session-id'] !== `s${sessions}`) return end(response, 404)
    if (method === 'tools/call') calls += 1
    if (method === 'tools/call' && calls === 2) return end(response, 404)
    if (message.id === undefined) return end(response, 202)
    json(response, handshake(message, '2025-06-18') ?? called(message, 'ok'), { 'mcp-session-id': `s${sessions}` })
    return true
  }
}
const end = (response: ServerResponse, code: number): true => {
  response.writeHead(code).end()
  return true
}

const forgets: Fault = {
  fault: '404, the session is forgotten',
  async open() {
    const raw = await rawHttp(forgetful())
    const run = async (stage: Stage): Promise<Outcome> => {
      const outcome = await meets(stage, raw, 'server.connection-lost')
      const begun = raw.verbs().filter((verb) => verb === 'POST initialize').length
      return { ...outcome, wrong: [...outcome.wrong, ...unless(begun === 2, `${begun} sessions were begun`)] }
    }
    return { entry: { url: raw.url }, close: raw.close, run }
  },
}

/** Between two calls: all connections are gone, and the same address answers again. */
const restarts: Fault = {
  fault: 'all connections cut between two calls',
  async open() {
    const raw = await rawHttp(older('2025-06-18', answered))
    const run = async (stage: Stage): Promise<Outcome> => {
      await stage.start()
      await stage.fails('echo', { word: 'first' })
      await raw.cut()
      return meets(stage, raw, 'answered')
    }
    return { entry: { url: raw.url }, close: raw.close, run }
  },
}

/** What has not ended by then will not. */
const patienceMs = 10_000

/** A start that comes to nothing says why, once, and does so at once or after its time. */
const startFails = (fault: string, open: () => Promise<{ url: string; close(): Promise<void> }>, ends: string, timed = false): Fault => ({
  fault,
  async open(): Promise<Act> {
    const { url, close } = await open()
    return {
      entry: { url, ...(timed ? { startTimeout: limitMs } : {}) },
      close,
      async run(stage) {
        const from = performance.now()
        const code = await Promise.race([stage.start().then(() => 'ready', codeOf), wait(patienceMs, 'nothing', { ref: false })])
        const detected = since(from) - (timed ? limitMs : 0)
        const state = stage.state()
        const told = state.kind === 'failed' ? state.error.code : state.kind
        return {
          detected,
          wrong: [...unless(code === ends, `the start ended as ${code}`), ...unless(told === ends, `its state says ${told}`)],
        }
      },
    }
  },
})

/** Takes connections and never says a word. */
async function silent(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const nowhere = async (): Promise<{ url: string; close(): Promise<void> }> => ({
  url: 'http://nowhere.invalid/mcp',
  close: async () => undefined,
})
async function closed(): Promise<{ url: string; close(): Promise<void> }> {
  const { url, close } = await silent()
  await close()
  return { url, close: async () => undefined }
}
const refuses = (code: number) => (): Promise<RawHttp> => rawHttp((_seen: Seen, response) => end(response, code))

export const httpGroups = (options: RunOptions) =>
  faultGroups(
    'http',
    [
      ...cutStreams(options),
      forgets,
      restarts,
      ...inCalls.map(inCall),
      startFails('no such host', nowhere, 'server.unreachable'),
      startFails('nothing listens', closed, 'server.unreachable'),
      startFails('503 at the start', refuses(503), 'server.http-status'),
      startFails('401 at the start', refuses(401), 'server.sign-in-needed'),
      startFails('half-open at the start (after its time)', silent, 'server.start-timeout', true),
    ],
    options,
  )
