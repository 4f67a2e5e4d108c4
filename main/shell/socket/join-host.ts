// A command's connection to the host that runs on its profile, if one does.
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { connectionPath, type HostFrame, refusedHello } from '#app/contract/host-connection.ts'
import { fromErrorValue, HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { createListeners } from '#main/base/listeners.ts'
import type { Host } from '#main/host.ts'
import { isLockedElsewhere } from '#main/store/database/profile-lock.ts'
import { type JoinFile, readJoinFile, YIELD } from './join-file.ts'

/** A host that requests go to, in this process or another. */
export type ReachedHost = Pick<Host, 'request' | 'onEvent'>

export type JoinedHost = ReachedHost & {
  close(): void
  /** Told once the connection is gone. */
  onClose(listener: () => void): void
  /** Whether no page or window shows what waits for the person. */
  readonly headless: boolean
}

const WITHIN_MS = 5000
/** Longest answer: an exported chat with its attachments is one text. */
const LARGEST_ANSWER = 500_000_000

/** Undefined: no host runs on the profile, or none that can be joined. @throws {HostError} `profile.locked`: it is of another version */
export async function joinHost(dataDir: string, version: string): Promise<JoinedHost | undefined> {
  const file = readJoinFile(dataDir)
  const socket = file && (await openSocket(file))
  if (!file || !socket || socket === 'refused') return undefined
  if (file.version === version) return serveRequests(socket, file)
  socket.terminate()
  throw otherVersion(file.version, version, dataDir)
}

/** Milliseconds in which a headless host gives the profile over, and in which a host that begins has its address. */
const YIELDS_WITHIN_MS = 12_000
const LOOK_EVERY_MS = 100

/** Asks a headless host that agents had started to give the profile over, and waits until it has ended. Any other host stays. */
export async function takeOver(dataDir: string): Promise<void> {
  const until = performance.now() + YIELDS_WITHIN_MS
  // A host that begins has no address yet; one that ends has none any more, and still the profile.
  while ((await askToYield(dataDir)) !== 'stays' && isLockedElsewhere(dataDir) && performance.now() < until) await delay(LOOK_EVERY_MS)
}

async function askToYield(dataDir: string): Promise<'none' | 'stays' | 'ended'> {
  const file = readJoinFile(dataDir)
  const socket = file && (await openSocket(file))
  if (!socket || socket === 'refused') return 'none'
  const joined = serveRequests(socket, file)
  const gone = new Promise<void>((resolve) => joined.onClose(resolve))
  try {
    await (joined.request as (name: string, params: unknown) => Promise<unknown>)(YIELD, {})
    await Promise.race([gone, delay(YIELDS_WITHIN_MS)])
    return 'ended'
  } catch (error) {
    // Opening the profile says that a host stays.
    return error instanceof HostError && error.code === 'link.closed' ? 'ended' : 'stays'
  } finally {
    joined.close()
  }
}

/**
 * Joins as an agent, by the token of its entry. Undefined: no host runs on the profile.
 * @throws {HostError} `gate.refused`: the host knows no such token; `profile.locked`: it is of another version
 */
export async function joinAsAgent(dataDir: string, version: string, token: string): Promise<JoinedHost | undefined> {
  const file = readJoinFile(dataDir)
  const socket = file && (await openSocket({ ...file, token }))
  if (!file || !socket) return undefined
  if (socket === 'refused') throw new HostError('gate.refused', t`Assent does not know this agent’s token, or it has too many connections.`)
  if (file.version === version) return serveRequests(socket, file)
  socket.terminate()
  throw otherVersion(file.version, version, dataDir)
}

function otherVersion(running: string, version: string, dataDir: string): HostError {
  const message = t`Assent ${running} runs with this profile. This command has version ${version}.`
  return new HostError('profile.locked', message, { data: { path: dataDir } })
}

/** Resolves once the host has welcomed the token. Undefined: nobody answers, as after a crash, or the token is of an earlier run. */
function openSocket({ address, token }: JoinFile): Promise<WebSocket | 'refused' | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://localhost${connectionPath}`, {
      createConnection: () => connect(address),
      handshakeTimeout: WITHIN_MS,
      maxPayload: LARGEST_ANSWER,
      perMessageDeflate: false,
    })
    // The host may still load: it answers then, or closes the socket.
    socket.once('open', () => socket.send(JSON.stringify({ kind: 'hello', key: token })))
    socket.once('message', () => resolve(socket))
    socket.once('close', (code) => resolve(code === refusedHello.code ? 'refused' : undefined))
    socket.on('error', () => resolve(undefined))
  })
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: unknown): void
}

function serveRequests(socket: WebSocket, { headless = false }: Pick<JoinFile, 'headless'>): JoinedHost {
  const waiting = new Map<number, Waiting>()
  const listeners = createListeners<Parameters<Parameters<Host['onEvent']>[0]>>()
  let last = 0

  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as HostFrame
    if (frame.kind === 'event') listeners.tell(frame.event)
    if (frame.kind !== 'response' && frame.kind !== 'failure') return
    const one = waiting.get(frame.id)
    waiting.delete(frame.id)
    if (frame.kind === 'response') one?.resolve(frame.result)
    else one?.reject(fromErrorValue(frame.error))
  })
  socket.once('close', () => {
    for (const { reject } of waiting.values()) reject(goneError())
    waiting.clear()
  })

  return {
    headless,
    request: (name: string, params: unknown) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return reject(goneError())
        last += 1
        waiting.set(last, { resolve, reject })
        socket.send(JSON.stringify({ kind: 'request', id: last, name, params }))
      }),
    onEvent: listeners.add,
    close: () => socket.terminate(),
    onClose: (listener: () => void) => void socket.once('close', listener),
  } as JoinedHost
}

const goneError = (): HostError =>
  new HostError('link.closed', t`Assent, which this command had joined, has ended. The command did not finish.`)
