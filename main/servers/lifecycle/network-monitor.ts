// Network and sleep of this computer, for servers that run elsewhere. Listeners are called one after another with random gaps, so
// that coming back is no storm. Nothing is watched while nobody listens.
import { networkInterfaces } from 'node:os'
import type { ErrorValue } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Remote } from '#app/server/next-server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { isLoopback } from '../transport/http/dispatchers.ts'

/** Looked at so often while somebody waits for the network. */
const lookMs = 2000
/** So often clock and network are looked at while a connection is open; that much later than expected means that we slept. */
const tickMs = 10_000
const sleptMs = 20_000
/** Milliseconds between the turns of two servers. */
const gapMs = { least: 100, more: 400 } as const

export type Interfaces = ReturnType<typeof networkInterfaces>

/** Addresses that lead out of this computer; '' is none. */
export const addressesOf = (interfaces: Interfaces): string =>
  Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address)
    .sort()
    .join(' ')

/** Why a connection that was open may be dead by now without a word. */
export type LivenessDoubt = 'woke' | 'network'

export type NetworkMonitor = ReturnType<typeof createNetworkMonitor>

/** `random`: returns a number from 0 up to 1. */
export function createNetworkMonitor(options: {
  readonly clock: Clock
  readonly interfaces?: () => Interfaces
  readonly random?: () => number
}) {
  const { clock, interfaces = networkInterfaces, random = Math.random } = options
  const waiting = new Map<() => void, string>()
  const doubters = new Set<(doubt: LivenessDoubt) => void>()
  let cancelLook: (() => void) | undefined
  let cancelTick: (() => void) | undefined
  let nextTurn = 0
  const addresses = (): string => addressesOf(interfaces())

  const inTurn = (callback: () => void): (() => void) => {
    const gap = gapMs.least + Math.round(gapMs.more * random())
    nextTurn = Math.max(clock.now(), nextTurn) + gap
    return clock.after(nextTurn - clock.now(), callback)
  }

  function look(): void {
    cancelLook = undefined
    const now = addresses()
    for (const [callback, before] of waiting) {
      if (now === '' || now === before) continue
      waiting.delete(callback)
      callback()
    }
    if (waiting.size > 0) cancelLook = clock.after(lookMs, look)
  }

  function tick(before: string): void {
    const expected = clock.now() + tickMs
    cancelTick = clock.after(tickMs, () => {
      const now = addresses()
      const slept = clock.now() - expected >= sleptMs
      // Without a network nobody can be asked; once there is one again, they are.
      if (slept || (now !== '' && now !== before)) for (const callback of [...doubters]) callback(slept ? 'woke' : 'network')
      tick(now)
    })
  }

  return {
    random,
    inTurn,
    isOffline: () => addresses() === '',
    /** Calls back once the addresses of this computer are others than now, and there are any. Returns its undo. */
    whenNetworkChanges(callback: () => void): () => void {
      const wrapped = (): void => callback()
      waiting.set(wrapped, addresses())
      cancelLook ??= clock.after(lookMs, look)
      return () => {
        waiting.delete(wrapped)
        if (waiting.size > 0) return
        cancelLook?.()
        cancelLook = undefined
      }
    },
    /** Calls back each time that the computer has woken, or has other addresses than before. Returns its undo. */
    onDoubt(callback: (doubt: LivenessDoubt) => void): () => void {
      const wrapped = (doubt: LivenessDoubt): void => callback(doubt)
      doubters.add(wrapped)
      if (doubters.size === 1) tick(addresses())
      return () => {
        doubters.delete(wrapped)
        if (doubters.size === 0) cancelTick?.()
      }
    },
  }
}

const waysMissing: ReadonlySet<unknown> = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/** Classifies a failure of a remote server; undefined: the server is a program of this computer. */
export function remoteOf(
  definition: ServerDefinition,
  { code, data }: ErrorValue,
  care: Pick<NetworkMonitor, 'random' | 'isOffline'>,
): Remote | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  const random = care.random()
  const isHere = !URL.canParse(definition.url) || isLoopback(new URL(definition.url).hostname)
  if (code !== 'server.unreachable' || isHere) return { network: 'up', random }
  if (care.isOffline()) return { network: 'down', random }
  return { network: waysMissing.has(data?.['reason']) ? 'unsure' : 'up', random }
}
