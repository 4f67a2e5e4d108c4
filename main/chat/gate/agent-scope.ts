// Identity of an agent, by its token and the operating system, and what it is offered by its entry as it is now. Servers that it is not
// offered are, to it, not there.
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { CallMarks } from '#app/consent/taint/private-flow.ts'
import { HostError } from '#app/errors.ts'
import { type GateClient, type GateConnection, offeredTo, type RequestAgent } from '#app/gate.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { toolInterface } from '#app/mcp-apps/tool-interface.ts'
import { defined, orElse } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { EventHub } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Chat } from '../chat.ts'
import type { ChatContext } from '../chat-context.ts'
import type { createGateClients } from './gate-clients.ts'
import type { ProcessProof } from './peer-process.ts'

export interface GateOptions extends Pick<ChatContext, 'servers' | 'broker' | 'emit' | 'clock'> {
  readonly store: Pick<Store, 'gateClients' | 'settings' | 'audit' | 'rules'>
  readonly chat: Pick<Chat, 'joinCall'>
  readonly onEvent: EventHub['onEvent']
}

export interface GateContext extends GateOptions {
  readonly clients: ReturnType<typeof createGateClients>
  readonly questions: ReturnType<typeof createQuestionLimit>
  readonly reads: { note(entry: string, server: string, marks: CallMarks | undefined): void }
}

export interface AgentConnection {
  readonly client: GateClient
  readonly transport: GateConnection['transport']
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal
  readonly proof: ProcessProof | undefined
  /** Closes the connection. */
  end(): void
}

const path = z.string().max(4096)

/** Claims of the agent and its side about themselves. `pid`: of the process that shows the file of the connection's proof. */
export const agentHello = z.object({
  pid: z.number().int().positive().optional(),
  program: path.optional(),
  folder: path.optional(),
  claimed: z.string().max(200).optional(),
  can: z.object({ elicitation: z.boolean().optional(), sampling: z.boolean().optional(), roots: z.boolean().optional() }).optional(),
  roots: z.array(path).max(100).optional(),
})
type Hello = z.output<typeof agentHello>
const rootsAnswer = z.object({ roots: z.array(z.object({ uri: path })).max(1000) })

export type AgentScope = ReturnType<typeof createAgentScope>

export function createAgentScope(context: GateContext, { client: entry, transport, signal, proof, end }: AgentConnection) {
  const { clients, servers, broker, clock } = context
  const id = newId()
  let agent: RequestAgent = { client: entry.id, name: entry.name, verified: false }
  let said: Hello | undefined
  const connected = clients.connect({ ...agent, id, since: clock.now(), transport }, end)
  // Questions about a server itself, such as its start, that its lists need.
  let leave = broker.claim({ agent }, { callId: id })

  /** @throws {HostError} `link.closed` once the entry is gone */
  function current(): GateClient {
    const now = clients.get(entry.id)
    if (!now || signal.aborted) throw new HostError('link.closed', t`It was deleted meanwhile.`)
    return now
  }
  function offered(): ServerSummary[] {
    const isOffered = offeredTo(current(), agent)
    return servers.views().filter(({ name, definition }) => definition.enabled && isOffered(name))
  }
  function become(next: RequestAgent): void {
    agent = next
    leave()
    leave = broker.claim({ agent }, { callId: id })
    connected.update(agent)
  }

  return {
    id,
    entry: entry.id,
    agent: (): RequestAgent => agent,
    said: (): Hello | undefined => said,
    current,
    offered,
    isOpen: (): boolean => !signal.aborted && clients.get(entry.id) !== undefined,
    /** The process is known by the first hello; later ones tell of the agent's folders and capabilities. */
    hello(hello: Hello): { readonly name: string; readonly verified: boolean } {
      const { pid, program, folder, claimed = agent.claimed } = hello
      const told = said || pid === undefined ? undefined : proof?.read(pid)
      proof?.remove()
      const { name } = current()
      const is = said ? agent : { ...agent, ...(told ?? { ...defined({ program, folder }), verified: false }) }
      become({ ...is, name, ...defined({ claimed }) })
      said = { ...said, ...hello }
      return { name, verified: agent.verified }
    },
    /** Takes the agent's answer about its folders (`ListRootsResult`). */
    tellRoots(answer: unknown): void {
      const { roots } = rootsAnswer.catch({ roots: [] }).parse(answer)
      const paths = roots.flatMap(({ uri }) => orElse(() => [fileURLToPath(uri)], []))
      said = { ...said, roots: paths.slice(0, 100) }
    },
    /** @throws {HostError} `server.unknown`, the same for a server that is not offered and for one that is not there */
    definitionOf(server: string): ServerDefinition {
      const isOffered = offeredTo(current(), agent)
      const definition = servers.view(server)?.definition
      if (definition?.enabled && isOffered(server)) return definition
      throw new HostError('server.unknown', t`There is no server named “${server}”.`, { data: { server } })
    },
    toolsOf: (server: string): ToolEntry[] =>
      servers.catalogue(server).tools.filter((tool) => tool.enabled && toolInterface(tool).forModel),
    close(): void {
      proof?.remove()
      leave()
      connected.close()
    },
  }
}

/** Counts the open questions of each entry, and the new ones of the last minute. */
export function createQuestionLimit({ now }: { now(): number }, most: { readonly open: number; readonly perMinute: number }) {
  const entries = new Map<string, { open: number; times: number[] }>()
  return {
    /** Undefined: there are too many. Returns what is called when the question is over. */
    add(entry: string): (() => void) | undefined {
      const one = entries.get(entry) ?? { open: 0, times: [] }
      entries.set(entry, one)
      one.times = one.times.filter((time) => time > now() - 60_000)
      if (one.open >= most.open || one.times.length >= most.perMinute) return undefined
      one.open += 1
      one.times.push(now())
      let over = false
      return () => {
        if (!over) one.open -= 1
        over = true
      }
    },
  }
}

interface ForwardedQuestion {
  /** Request of the agent in whose course it is asked. */
  readonly call: string
  readonly params: JsonObject
  readonly key?: string | undefined
}

/** Questions that the agent itself answers: forms, and answers of its model. */
export function createForwards(tell: (name: 'agent.asked' | 'agent.withdrawn', payload: JsonObject) => void) {
  const open = new Map<string, { resolve(result: JsonObject): void; reject(error: unknown): void }>()
  /** Questions of this turn of the event loop, told together: those of one round come so. */
  const asked = new Map<string, JsonObject[]>()
  function tellAsked({ call, ...question }: JsonObject & { readonly call: string }): void {
    const together = asked.get(call)
    if (together) return void together.push(question)
    const questions = [question]
    asked.set(call, questions)
    setImmediate(() => {
      asked.delete(call)
      const left = questions.filter(({ id }) => open.has(String(id)))
      if (left.length > 0) tell('agent.asked', { call, questions: left })
    })
  }
  return {
    ask(kind: 'elicitation' | 'sampling' | 'roots', { call, params, key }: ForwardedQuestion, signal: AbortSignal): Promise<JsonObject> {
      const id = newId()
      return new Promise<JsonObject>((resolve, reject) => {
        const onAbort = (): void => {
          tell('agent.withdrawn', { id })
          reject(new HostError('cancelled', t`Stopped.`))
        }
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        open.set(id, { resolve, reject })
        tellAsked({ call, ...defined({ id, kind, params, key }) })
      }).finally(() => open.delete(id))
    },
    reply(id: string, result: unknown, error: string | undefined): void {
      const one = open.get(id)
      if (error === undefined && typeof result === 'object' && result !== null) one?.resolve(result as JsonObject)
      else one?.reject(new HostError('consent.withdrawn', error ?? t`Stopped.`))
    },
    close(): void {
      for (const { reject } of open.values()) reject(new HostError('link.closed', t`Stopped.`))
    },
  }
}

/** Tells once that what `look` returns has changed, a moment after `soon` was called. */
export function createChangeWatch(clock: GateContext['clock'], look: () => unknown, tell: () => void) {
  let last = JSON.stringify(look())
  let stop: (() => void) | undefined
  return {
    soon(): void {
      stop ??= clock.after(changesAfterMs, () => {
        stop = undefined
        const now = JSON.stringify(look())
        if (now === last) return
        last = now
        tell()
      })
    },
    stop: (): void => stop?.(),
  }
}
const changesAfterMs = 100
