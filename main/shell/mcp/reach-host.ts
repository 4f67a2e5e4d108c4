// The host behind `assent mcp`: the one that runs on the profile, else a headless one that is started here and that further agents, commands
// and the app share. When it gives the profile over to the app, or dies, the agent's side reaches the next one.
import { closeSync, openSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { AgentEvent } from '#main/chat/gate/agent-link.ts'
import type { AgentOutcome } from '#main/chat/gate/agent-outcome.ts'
import { type JoinedHost, joinAsAgent } from '#main/shell/socket/join-host.ts'
import type { AgentHost } from './gate-calls.ts'

export interface ReachOptions {
  readonly dataDir: string
  readonly version: string
  readonly token: string
  readonly startHost: () => void
  readonly note: (line: string) => void
  /** Told when no host can be reached any more. */
  readonly onLost: () => void
}

/**
 * Milliseconds: until a host that was started can be joined, between two tries, and until another start is tried. Agents wait as long for
 * their first answer, and a busy machine may take half of that.
 */
const REACHED_WITHIN_MS = 30_000
const TRY_EVERY_MS = 100
const START_AGAIN_MS = 5000

/** @throws {HostError} `gate.refused` when the token is of no entry, `profile.locked` for a host of another version */
async function reach({ dataDir, version, token, startHost }: ReachOptions, isOpen: () => boolean, startAfter: number): Promise<JoinedHost> {
  const until = Date.now() + REACHED_WITHIN_MS
  let startAt = Date.now() + startAfter
  while (isOpen() && Date.now() < until) {
    const joined = await joinAsAgent(dataDir, version, token)
    if (joined) return joined
    if (Date.now() >= startAt) {
      startHost()
      startAt = Date.now() + START_AGAIN_MS
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
  }
  throw new HostError('profile.locked', t`Assent could not be started for this profile.`, { data: { path: dataDir } })
}

/** Outcome of a call that was under way when its host died. */
function inDoubt({ tool: given, uri, name }: JsonObject, error: HostError): AgentOutcome {
  const tool = String(given ?? uri ?? name)
  return { kind: 'failed', code: 'tool.outcome-unknown', message: t`It is not known whether ${tool} ran: ${error.message}` }
}

interface Waiting {
  readonly name: string
  readonly params: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

export type ReachedAgentHost = AgentHost & {
  /** Tells the host who is here, now and after each change of the host. */
  introduce(hello: Record<string, unknown>): Promise<void>
  close(): void
}

/**
 * Reaches a host and stays with it. A request that a host had put to the person when it gave the profile over is put to the next one; of
 * any other that was under way nobody knows the outcome, and it fails with that.
 */
export async function reachAgentHost(options: ReachOptions): Promise<ReachedAgentHost> {
  let closed = false
  const isOpen = (): boolean => !closed
  const listeners = new Set<(event: AgentEvent) => void>()
  /** Requests under way, by the id that their call has. */
  const calls = new Map<string, Waiting>()
  /** Subscriptions, which the next host is asked for too. */
  const subscribed = new Map<string, unknown>()
  let notRun: readonly string[] = []
  let yielded = false
  let headless = false
  let hello: Record<string, unknown> = {}
  let current = connect()
  current.catch(() => undefined)

  async function connect(startAfter = 0): Promise<JoinedHost> {
    const joined = await reach(options, isOpen, startAfter)
    joined.onEvent((event) => {
      // What an agent hears has a form of its own.
      const told = event as unknown as AgentEvent
      for (const listener of listeners) listener(told)
      if (told.name !== 'agent.yield') return
      notRun = (told.payload['notRun'] ?? []) as string[]
      // Requests wait for the next host from now on: it opens the profile first.
      current = new Promise<void>((resolve) => joined.onClose(resolve)).then(() => connect(START_AGAIN_MS))
      current.then(onNext, onLost)
      yielded = true
    })
    headless = joined.headless
    await greet(joined, hello)
    joined.onClose(() => {
      if (closed || yielded) return
      current = connect()
      current.then(onNext, onLost)
    })
    yielded = false
    return joined
  }
  const onLost = (error: unknown): void => {
    options.note(error instanceof Error ? error.message : String(error))
    options.onLost()
  }
  function onNext(): void {
    const again = notRun
    notRun = []
    for (const id of again) {
      const one = calls.get(id)
      if (one) send(id, one)
    }
    for (const params of subscribed.values())
      current.then((joined) => joined.request('agent.subscribe' as never, params as never)).catch(() => undefined)
    for (const listener of listeners) listener({ name: 'agent.changed', payload: {} })
  }

  function send(id: string, one: Waiting): void {
    current
      .then((joined) => joined.request(one.name as never, one.params as never))
      .then(one.resolve, (error: unknown) => {
        if (!(error instanceof HostError && error.code === 'link.closed')) return one.reject(error)
        // The next host is asked once it is there.
        if (!notRun.includes(id)) one.resolve(inDoubt(one.params as JsonObject, error))
      })
  }

  await current
  return {
    isHeadless: () => headless,
    async request(name, params) {
      const id =
        typeof params === 'object' && params !== null && 'id' in params && name !== 'agent.reply' && name !== 'agent.cancel'
          ? String(params.id)
          : undefined
      if (name === 'agent.subscribe') {
        const { server, uri, on } = params as JsonObject
        const key = JSON.stringify([server, uri])
        if (on) subscribed.set(key, params)
        else subscribed.delete(key)
      }
      if (id === undefined) return (await current).request(name as never, params as never)
      return new Promise((resolve, reject) => {
        const one = { name, params, resolve, reject }
        calls.set(id, one)
        send(id, one)
      }).finally(() => calls.delete(id))
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async introduce(more) {
      hello = { ...hello, ...more }
      await greet(await current, hello)
    },
    close() {
      closed = true
      current.then((joined) => joined.close()).catch(() => undefined)
    },
  }
}

/** Opens the file that the host names, so that the system tells the host of this process, and says what else there is to say. */
async function greet(joined: JoinedHost, hello: Record<string, unknown>): Promise<void> {
  const { path } = (await joined.request('agent.proof' as never, {} as never)) as { readonly path?: string }
  let file: number | undefined
  try {
    if (path !== undefined) file = openSync(path, 'r')
  } catch {
    // It was shown before.
  }
  try {
    await joined.request('agent.hello' as never, { ...hello, pid: process.pid, folder: process.cwd() } as never)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
