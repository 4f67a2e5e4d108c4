// One host with a server that will fail and another that is called all the while: how long its calls take, whether each is
// answered, and by how much the host grows.
import { setTimeout as wait } from 'node:timers/promises'
import { toErrorValue } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import type { LogLine, ServerState } from '#app/server/server-state.ts'
import { newId } from '#main/base/ids.ts'
import { openHost } from './open-host.ts'
import { serverProgram } from './shapes.ts'

export interface Stage {
  /** Resolves with the text of the answer. */
  call(tool: string, args?: JsonObject, timeoutMs?: number): Promise<string>
  /** Resolves with the code of the error, or `answered`. */
  fails(tool: string, args?: JsonObject, timeoutMs?: number): Promise<string>
  start(): Promise<void>
  state(): ServerState
  /** All of its states so far, in order. */
  readonly states: readonly ServerState[]
  pid(): number | undefined
  /** Lines of its log from there, oldest first. */
  lines(source: LogLine['source']): string[]
  /** How many they are. */
  logged(source: LogLine['source']): number
  /** Milliseconds until it is so; rejects when it never is. */
  until(check: () => boolean): Promise<number>
}

interface Measured {
  readonly peers: readonly number[]
  readonly unanswered: number
  readonly grown: number
}

/** So many calls of the other server at least, so that there is a p99 to speak of; a few in the quick half. */
const leastPeerCalls = 200
const neverMs = 120_000

/** The code of what was thrown. */
export const codeOf = (error: unknown): string => toErrorValue(error).code
const textOf = (result: JsonObject): string => (result as { content?: { text?: string }[] }).content?.[0]?.text ?? ''

/** The entry of a stdio server with these arguments. */
export const stdioEntry = (words: readonly string[]): JsonObject => ({ command: process.execPath, args: [serverProgram, ...words] })

/** `entry`: the server that fails, as it stands in the servers file. */
export async function onStage(entry: JsonObject, quick: boolean, act: (stage: Stage) => Promise<void>): Promise<Measured> {
  const { host, remove } = openHost({ servers: JSON.stringify({ mcpServers: { bad: entry, peer: stdioEntry([]) } }) })
  const { servers, broker } = host.context
  const { signal } = new AbortController()

  async function call(server: string, name: string, args: JsonObject, timeoutMs = neverMs): Promise<string> {
    const tool = servers.catalogue(server).tools.find((each) => each.name === name)
    if (!tool) throw new Error(`${server} offers no tool ${name}`)
    const verdict = await broker.toolCall({ server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal })
    if (verdict.kind !== 'allowed') throw new Error(`The call of ${name} was not allowed`)
    return textOf((await servers.call(verdict.approval, { ...verdict.approval, signal, timeoutMs })).result)
  }

  const states: ServerState[] = []
  host.onEvent(({ name, payload }) => {
    if (name === 'server.changed' && payload.server.name === 'bad' && payload.server.state !== states.at(-1))
      states.push(payload.server.state)
  })
  const linesOf = (source: LogLine['source']): LogLine[] => servers.log('bad').lines.filter((line) => line.source === source)
  const state = (): ServerState => servers.view('bad')?.state ?? { kind: 'disabled' }
  const stage: Stage = {
    call: (tool, args = {}, timeoutMs) => call('bad', tool, args, timeoutMs),
    fails: (tool, args = {}, timeoutMs) => call('bad', tool, args, timeoutMs).then(() => 'answered', codeOf),
    start: () => servers.start('bad'),
    state,
    states,
    pid() {
      const now = state()
      return now.kind === 'ready' ? now.pid : undefined
    },
    lines: (source) => linesOf(source).map(({ text }) => text),
    logged: (source) => linesOf(source).length,
    async until(check) {
      const from = performance.now()
      while (!check()) {
        if (performance.now() - from > neverMs) throw new Error('It never came to be so')
        await wait(2)
      }
      return performance.now() - from
    },
  }

  const peers: number[] = []
  let unanswered = 0
  let over = false
  let largest = 0
  async function callPeer(): Promise<void> {
    for (let n = 0; !over || n < (quick ? 20 : leastPeerCalls); n += 1) {
      const from = performance.now()
      const answer = await call('peer', 'echo', { word: n }).catch(() => undefined)
      peers.push(performance.now() - from)
      if (answer !== String(n)) unanswered += 1
      await wait(5)
    }
  }
  const watchMemory = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage.rss())
  }, 20)

  try {
    await servers.start('peer')
    await call('peer', 'echo', { word: 'warm' })
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    largest = before
    const calling = callPeer()
    try {
      await act(stage)
    } finally {
      over = true
      await calling
    }
    return { peers, unanswered, grown: largest - before }
  } finally {
    clearInterval(watchMemory)
    await remove()
  }
}
