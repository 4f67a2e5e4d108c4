// The private socket of a running host, by which a command of the same user joins it: a Unix socket in a folder that only the user can
// enter, or on Windows a pipe with a random name. The token of `join.json` is the hello's key. Neither reaches a server: no variable names
// them, and Node passes no descriptor on. The profile is locked, so what lies there of an earlier run is of no use to anybody.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { EventName } from '#app/contract/events.ts'
import { connectionPath } from '#app/contract/host-connection.ts'
import type { RequestName } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { gateTokenPrefix } from '#app/gate.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import { renameSoon } from '#main/base/atomic-write.ts'
import { newId } from '#main/base/ids.ts'
import type { Host } from '#main/host.ts'
import { isToken, joinFilePath, readJoinFile, YIELD } from './join-file.ts'
import { createSocketServer, refuseUpgrade, type SocketServerOptions } from './socket-server.ts'

interface CommandListenerOptions extends SocketServerOptions {
  /** Loads the host once. */
  readonly host: () => Promise<Pick<Host, 'request' | 'onEvent' | 'openAgent'>>
  readonly dataDir: string
  readonly version: string
  /** Gives the profile over to a host with a window; default: this host stays. */
  readonly onYield?: () => void
  /** Told of the number of connections once it listens, and when it changes. */
  readonly onConnections?: (count: number) => void
}

/** Bytes of a Unix socket's path: 104 on macOS, 108 on Linux, with the NUL. */
export const LONGEST_SOCKET_PATH = 103
const MOST_CONNECTIONS = 128
const temporaryPrefix = 'assent-join-'

/** Listens until `close`. Never rejects: a host that cannot listen works without, and says so in its log. */
export async function listenForCommands(options: CommandListenerOptions) {
  const { host, dataDir, version, log, clock, onYield, onConnections } = options
  const token = randomBytes(32).toString('base64url')
  let folder: string | undefined
  const { server, upgrade, close } = createSocketServer({ log, clock })
  server.maxConnections = MOST_CONNECTIONS
  let connections = 0
  const count = (by: 1 | -1): void => {
    connections += by
    onConnections?.(connections)
  }
  server.on('connection', (socket) => {
    count(1)
    socket.once('close', () => count(-1))
  })
  server.on('request', (_request, response) => response.writeHead(404, { Connection: 'close' }).end())
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug(`A command's connection failed: ${error.message}`))
    // Browsers, which send an Origin, have no business here.
    if (request.url !== connectionPath || request.headers.origin !== undefined) return refuseUpgrade(socket, 404)
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    let reached: Promise<Pick<Host, 'request' | 'onEvent'>> | undefined
    const opens = (key: string): boolean | Promise<boolean> => {
      if (!key.startsWith(gateTokenPrefix)) return isToken(token, key)
      return host().then(({ openAgent }) => {
        const end = (): void => void socket.destroy()
        const agent = openAgent(key, { signal: gone.signal, transport: 'stdio', end, proofFolder: folder })
        // Its events have a form of their own, which frames carry like any other.
        if (agent) reached = Promise.resolve(agent as unknown as Pick<Host, 'request' | 'onEvent'>)
        return agent !== undefined
      })
    }
    upgrade(request, socket, head, {
      host: () => (reached ??= host().then((loaded) => hostForCommand(loaded, gone.signal, onYield))),
      opens,
    })
  })

  try {
    removeLeftovers(dataDir)
    const address = await listenSomewhere(server, dataDir)
    if (process.platform !== 'win32') folder = dirname(address)
    writeJoinFile(joinFilePath(dataDir), `${JSON.stringify({ version, address, token, ...(onYield ? { headless: true } : {}) })}\n`)
  } catch (error) {
    log.warn(`Commands cannot join: ${error instanceof Error ? error.message : String(error)}`)
  }
  server.on('error', (error) => log.error('The socket for commands failed', error))
  onConnections?.(connections)
  let left = false
  /** Once: what lies in its place afterwards is of the host that has the profile next. */
  function leave(): void {
    if (left) return
    left = true
    rmSync(joinFilePath(dataDir), { force: true })
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  return {
    /** Lets nobody find this host any more, before the profile is free; who has joined stays until `close`. */
    leave,
    async close(): Promise<void> {
      leave()
      await close()
    },
  }
}

/** Readers see it whole or not at all. It is not flushed to the disk: after a loss of power it is of no use. */
function writeJoinFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
  renameSoon(temporary, path)
}

/** Removes what a host that was killed left behind. */
function removeLeftovers(dataDir: string): void {
  const left = readJoinFile(dataDir)?.address
  if (left !== undefined && basename(dirname(left)).startsWith(temporaryPrefix)) rmSync(dirname(left), { recursive: true, force: true })
  rmSync(joinFilePath(dataDir), { force: true })
  rmSync(join(dataDir, 'join'), { recursive: true, force: true })
}

/** Listens in the profile, or in a temporary folder where the profile's path is too long or its disk knows no sockets. */
async function listenSomewhere(server: Server, dataDir: string): Promise<string> {
  if (process.platform === 'win32') return listenAt(server, `\\\\.\\pipe\\assent-${randomBytes(16).toString('hex')}`)
  const inProfile = join(dataDir, 'join')
  const places = [() => ownFolder(inProfile), ...[tmpdir(), '/tmp'].map((parent) => () => mkdtempSync(join(parent, temporaryPrefix)))]
  let failure: unknown = new Error('no folder has a path that is short enough')
  for (const place of places) {
    const folder = orElse(place, undefined)
    if (folder === undefined) continue
    try {
      // The socket's name is new in each run: a server that ends removes whatever has its name.
      const path = join(folder, randomBytes(4).toString('hex'))
      if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) {
        await listenAt(server, path)
        chmodSync(path, 0o600)
        return path
      }
    } catch (error) {
      failure = error
    }
    rmSync(folder, { recursive: true, force: true })
  }
  throw failure
}

function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  return path
}

function listenAt(server: Server, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve(address)
    })
  })
}

// What a joined command may ask of the host, and hear. It changes no rule, setting or server, and of the questions it hears its own alone.
const requestsOfCommands: ReadonlySet<string> = new Set<RequestName>([
  'app.snapshot',
  'config.get',
  'consent.answer',
  'models.list',
  'models.refresh',
  'endpoint.save',
  'endpoint.remove',
  'chat.send',
  'chat.stop',
  'chat.wait',
  'conversation.get',
  'conversation.find',
  'tool.call',
  'server.start',
  'server.catalogue',
  'server.doctor',
  'server.readResource',
  'server.getPrompt',
  'export.ids',
  'export.read',
  'import.begin',
  'import.push',
  'import.end',
  'appImport.look',
  'appImport.take',
  'gate.list',
])

const eventsOfCommands: ReadonlySet<EventName> = new Set<EventName>([
  'message.changed',
  'message.delta',
  'toolCall.changed',
  'conversation.changed',
  'server.changed',
])

/** A host as one joined command sees it. `signal` aborts when the command is gone: what it began ends. */
function hostForCommand(
  host: Pick<Host, 'request' | 'onEvent'>,
  signal: AbortSignal,
  onYield: (() => void) | undefined,
): Pick<Host, 'request' | 'onEvent'> {
  const joined = newId()
  return {
    async request(name: string, params: unknown) {
      if (name === YIELD && onYield) return onYield()
      if (!requestsOfCommands.has(name))
        throw new HostError('contract.unknown-request', t`A command may not ask for “${name.slice(0, 100)}”.`)
      return host.request(name, params, { signal, joined })
    },
    onEvent(listener) {
      const own = new Set<string>()
      return host.onEvent((event) => {
        if (event.name === 'consent.opened') {
          if (event.payload.request.joined !== joined) return
          own.add(event.payload.request.id)
        } else if (event.name === 'consent.closed') {
          if (!own.delete(event.payload.id)) return
        } else if (!eventsOfCommands.has(event.name)) return
        listener(event)
      })
    },
  } as Pick<Host, 'request' | 'onEvent'>
}
