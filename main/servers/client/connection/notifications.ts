// Word of a server that nobody asked for: lines for its log, and that something it offers has changed. It is taken off the
// wire before the SDK, which holds every message against each schema that it has: that costs ten times as much as all the
// rest, and a flood is made of these. What is left to the SDK is what it waits for itself; the rest is nobody's.
import type { JSONRPCNotification } from '@modelcontextprotocol/client'
import type { Json, JsonObject } from '#app/json.ts'
import { type LogLevel, logLevel } from '#app/server/server-state.ts'
import { deepest, isDeeperThan } from '#main/base/json-size.ts'

/** MCP, "Logging". */
export interface LogWord {
  readonly level: LogLevel
  readonly logger?: string | undefined
  readonly data: Json | undefined
}

/** What is made of the parameters of each; undefined: they are not as they must be. */
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

export interface NotificationHub {
  /** In place of whoever listened before. Lines for the log that came before anybody did are told now. */
  listen<N extends NotificationName>(notice: N, listener: (told: Told<N>) => void): void
  /** Whether it is no business of the SDK's. */
  hear(notification: JSONRPCNotification): boolean
}

const ofTheSdk: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/subscriptions/acknowledged',
])

/** A server may log before it is ready (MCP, "Lifecycle"). */
const mostEarly = 100

export function createNotificationHub(): NotificationHub {
  const listeners = new Map<string, (told: never) => void>()
  const early: JSONRPCNotification[] = []

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
    listen(notice, listener) {
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
