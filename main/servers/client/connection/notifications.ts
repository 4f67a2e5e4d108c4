// Notifications of a server, taken before the SDK, which checks every message against each of its schemas: that costs ten times as much
// as all the rest, and floods consist of these. The SDK gets those that it waits for itself; others are dropped.
import type { JSONRPCNotification } from '@modelcontextprotocol/client'
import type { JsonObject } from '#app/json.ts'
import { type LogLevel, logLevel } from '#app/server/server-state.ts'
import { deepest, isDeeperThan } from '#main/base/json-size.ts'
import type { LogWord } from '../requests/running-calls.ts'

/** Readers of the parameters; undefined: they are malformed. */
const readers = {
  'notifications/message': readLogWord,
  'notifications/resources/updated': ({ uri }: JsonObject): string | undefined => (typeof uri === 'string' ? uri : undefined),
  'notifications/tools/list_changed': () => true,
  'notifications/resources/list_changed': () => true,
  'notifications/prompts/list_changed': () => true,
}
type Readers = typeof readers
export type NotificationName = keyof Readers
type Told<N extends NotificationName> = NonNullable<ReturnType<Readers[N]>>

export type NotificationHub = ReturnType<typeof createNotificationHub>

const ofTheSdk: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/subscriptions/acknowledged',
])

/** A server may log before it is ready (MCP, "Lifecycle"). */
const mostEarly = 100

export function createNotificationHub() {
  const listeners = new Map<string, (told: never) => void>()
  const early: JSONRPCNotification[] = []

  /** Whether a notification is no business of the SDK's. */
  function hear(notification: JSONRPCNotification): boolean {
    const { method, params = {} } = notification
    const listener = listeners.get(method)
    if (listener === undefined) {
      if (method === 'notifications/message' && early.length < mostEarly) early.push(notification)
      return !ofTheSdk.has(method)
    }
    const told = readers[method as NotificationName](params as JsonObject)
    if (told !== undefined) listener(told as never)
    return true
  }

  return {
    listen<N extends NotificationName>(notice: N, listener: (told: Told<N>) => void): void {
      listeners.set(notice, listener)
      for (const notification of early.splice(0)) hear(notification)
    },
    hear,
  }
}

const levels: ReadonlySet<unknown> = new Set(logLevel.options)

function readLogWord({ level, logger, data }: JsonObject): LogWord | undefined {
  if (!levels.has(level) || (logger !== undefined && typeof logger !== 'string') || isDeeperThan(data, deepest)) return undefined
  return { level: level as LogLevel, logger, data }
}
