// `assent mcp` in one process: an MCP server on stdin and stdout, until the agent ends it.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { JSONRPCMessage, ListRootsResult, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { HostError } from '#app/errors.ts'
import { type GateClientSummary, gateTokenVariable } from '#app/gate.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { Clock } from '#main/base/clock.ts'
import { readAppVersion } from '#main/shell/node/program-files.ts'
import { joinHost } from '#main/shell/socket/join-host.ts'
import { createGateConnection } from './gate-calls.ts'
import { asObject } from './gate-names.ts'
import { createGateServer, type GateServerOptions } from './gate-server.ts'
import { type ReachedAgentHost, reachAgentHost } from './reach-host.ts'

interface ServeAgentOptions {
  readonly dataDir: string
  /** Starts a host on the profile; called where none runs. */
  readonly startHost: () => void
  readonly note: (line: string) => void
  /** Aborting ends it. */
  readonly signal: AbortSignal
  /** Default: that of this process. */
  readonly stdin?: Readable
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly program?: string | undefined
  /** Whether Windows hides its first window, be it a console or not. */
  readonly windowsHide: boolean
}

/** Starts this program again, which outlives this process and shares nothing with it. */
export function startProgram(args: readonly string[], { env, program = process.execPath, windowsHide }: StartOptions): void {
  spawn(program, args, { detached: true, stdio: 'ignore', windowsHide, env: { ...process.env, ...env } }).unref()
}

/** Milliseconds after which a host that agents started ends when nobody is connected, also when whoever started it has left before. */
const ENDS_AFTER_MS = 5000

/** Calls `end` some seconds after the last connection is gone, and what it leaves behind has ended. */
export function createLastLeft(clock: Clock, end: () => void, isBusy: () => boolean) {
  let stays = false
  let stopWaiting = (): void => undefined
  function endLater(): void {
    stopWaiting = clock.after(ENDS_AFTER_MS, () => (isBusy() ? endLater() : end()))
  }
  return {
    onConnections(count: number): void {
      stopWaiting()
      if (count === 0 && !stays) endLater()
    },
    stop(): void {
      stays = true
      stopWaiting()
    },
  }
}

/** Reads which agents there are and which are connected, of the running host; without one none is. */
export async function readAgentStatus(dataDir: string): Promise<{ readonly running: boolean; readonly clients: GateClientSummary[] }> {
  const joined = await joinHost(dataDir, readAppVersion())
  const { clients } = joined ? await joined.request('gate.list', {}) : { clients: [] }
  joined?.close()
  return { running: joined !== undefined, clients }
}

/** Serves one agent. @throws {HostError} `gate.refused` without the token of an entry, `profile.locked` when no host can be reached */
export async function serveAgent({ dataDir, startHost, note, signal, stdin = process.stdin }: ServeAgentOptions): Promise<void> {
  const token = process.env[gateTokenVariable]
  if (!token) throw new HostError('gate.refused', t`${gateTokenVariable} is not set.`)
  // What is started from here must not have it.
  delete process.env[gateTokenVariable]
  const ended = Promise.withResolvers<void>()
  const end = (): void => ended.resolve()
  signal.addEventListener('abort', end, { once: true })
  const version = readAppVersion()
  const host = await reachAgentHost({ dataDir, version, token, startHost, note, onLost: end })
  const connection = createGateConnection(host)
  const onClient = createIntroducer(host.introduce)
  const handle = serveStdio(({ era }) => createGateServer({ connection, version, era, onClient }), {
    transport: watchListeners(new StdioServerTransport(stdin), (uri, on) => connection.subscribe(uri, on)),
    onerror: (error) => note(error.message),
  })
  stdin.once('close', end).once('end', end)
  await ended.promise
  await handle.close()
  connection.stop()
  host.close()
}

/** Tells the host what the agent says of itself and, in the older era, its folders, also when they change. */
export function createIntroducer(introduce: ReachedAgentHost['introduce']): GateServerOptions['onClient'] {
  return async ({ claimed, can: { elicitation, sampling, roots }, server, era, context }) => {
    // An agent of the newer era is asked for its folders within a call.
    const asks = { elicitation, sampling, roots: roots && era === 'modern' }
    await introduce({ ...(claimed === undefined ? {} : { claimed }), can: asks })
    if (era === 'modern' || !roots) return
    const tellRoots = async (answer: Promise<ListRootsResult>): Promise<void> => {
      const told = (await answer).roots
      await introduce({ roots: told.flatMap(({ uri }) => orElse(() => [fileURLToPath(uri)], [])).slice(0, 100) })
    }
    const tell = (answer: Promise<ListRootsResult>): void => void tellRoots(answer).catch(() => undefined) // It has none then.
    server.setNotificationHandler('notifications/roots/list_changed', () => tell(server.listRoots()))
    // Over HTTP only the stream of a request reaches the agent for sure.
    tell(context.mcpReq.send({ method: 'roots/list' }))
  }
}

/** Milliseconds for which the answer to a listener waits until its servers are subscribed to. */
const SUBSCRIBED_WITHIN_MS = 5000

/**
 * Subscribes while somebody listens. The SDK answers `subscriptions/listen` itself and keeps its addresses, so they are read on their way in: the
 * servers behind the gate have to be subscribed to as well. `set`: at the server behind the gate; what it refuses is told by nobody, as the protocol has no word for it.
 */
function watchListeners(inner: Transport, set: (uri: string, on: boolean) => Promise<void>): Transport {
  const listeners = new Map<string, readonly string[]>()
  const isWanted = (uri: string): boolean => [...listeners.values()].some((uris) => uris.includes(uri))

  async function see(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return
    const params = asObject(message.params)
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      const asked = asObject(params['notifications'])['resourceSubscriptions']
      const uris = Array.isArray(asked) ? asked.filter((uri) => typeof uri === 'string') : []
      const fresh = uris.filter((uri) => !isWanted(uri))
      listeners.set(JSON.stringify(message.id), uris)
      const late = new Promise<void>((resolve) => setTimeout(resolve, SUBSCRIBED_WITHIN_MS).unref())
      await Promise.race([late, Promise.allSettled(fresh.map((uri) => set(uri, true)))])
    }
    if (message.method !== 'notifications/cancelled') return
    const key = JSON.stringify(params['requestId'])
    const uris = listeners.get(key) ?? []
    listeners.delete(key)
    for (const uri of uris) if (!isWanted(uri)) set(uri, false).catch(() => undefined) // It is gone with its server.
  }

  const outer: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        // All others pass at once, in their order.
        if ('method' in message && message.method === 'subscriptions/listen')
          void see(message).then(() => outer.onmessage?.(message, extra))
        else {
          void see(message)
          outer.onmessage?.(message, extra)
        }
      }
      inner.onclose = () => outer.onclose?.()
      inner.onerror = (error) => outer.onerror?.(error)
      await inner.start()
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  return outer
}
