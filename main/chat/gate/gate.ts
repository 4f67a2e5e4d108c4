// The gate: other agents use the servers of Assent through it (`assent mcp`), each under an entry that the person made.
import { z } from 'zod'
import { type CallMarks, type ContentRead, contentRead, joinReads, serverSource } from '#app/consent/taint/private-flow.ts'
import { toErrorValue } from '#app/errors.ts'
import type { GateHttp } from '#app/gate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { wait } from '#main/base/abort.ts'
import type { Store } from '#main/store/store-api.ts'
import { type AgentLink, createAgentLink } from './agent-link.ts'
import { type AgentConnection, createQuestionLimit, type GateContext, type GateOptions } from './agent-scope.ts'
import { createAgentTasks } from './agent-tasks.ts'
import { createGateClients } from './gate-clients.ts'
import { createProcessProof } from './peer-process.ts'

/** Open questions of an entry, and its new ones in a minute: more are not put to the person. */
const most = { open: 16, perMinute: 60 }
/** Connections of one entry. */
const MOST_CONNECTIONS = 32
/** Milliseconds in which calls that run may end before another host takes over. */
const ENDS_WITHIN_MS = 5000

export type Gate = ReturnType<typeof createGate>

export function createGate(options: GateOptions) {
  const clients = createGateClients(options)
  const reads = {
    note: (entry: string, server: string, marks?: CallMarks) => noteRead(options.store.settings, entry, server, marks, options.clock.now()),
  }
  const context: GateContext = { ...options, clients, questions: createQuestionLimit(options.clock, most), reads }
  const tasks = createAgentTasks(context)
  const links = new Set<AgentLink>()
  if (options.store.gateClients.list().length > 0) settleCalls(options.store.audit)
  const over = new AbortController()
  const { listen, http, closeHttp } = createHttpSwitch(options, clients.changed)
  return {
    clients,
    listen,
    http,
    entryOf: (token: string): string | undefined => clients.withToken(token)?.id,
    /** Opens a connection for the entry of a token. Undefined: it is of none, or that has too many. `proofFolder`: only this account enters it. */
    open(
      token: string,
      { signal, transport, end, proofFolder }: Omit<AgentConnection, 'client' | 'proof'> & { readonly proofFolder?: string | undefined },
    ): AgentLink | undefined {
      const client = clients.withToken(token)
      if (!client || signal.aborted || clients.count(client.id) >= MOST_CONNECTIONS) return undefined
      const proof = createProcessProof(proofFolder)
      const link = createAgentLink(context, { client, transport, signal: AbortSignal.any([signal, over.signal]), end, proof }, tasks)
      links.add(link)
      signal.addEventListener('abort', () => void links.delete(link), { once: true })
      return link
    },
    /** Whether a task of an agent runs, for which this host stays. */
    isBusy: (): boolean => tasks.isRunning(),
    /** Lets another host take over: what waits for the person is put to that one, and what runs has a while to end. */
    async yield(): Promise<void> {
      for (const link of links) link.yield()
      const until = options.clock.now() + ENDS_WITHIN_MS
      const isRunning = (): boolean => tasks.isRunning('sent') || [...links].some((link) => link.isRunning())
      while (isRunning() && options.clock.now() < until) await wait(options.clock, 50, new AbortController().signal)
    },
    async dispose(): Promise<void> {
      clients.dispose()
      over.abort()
      tasks.dispose()
      await closeHttp()
    },
  }
}

/** Starts a listener for agents at a port of 127.0.0.1. `onOther`: a program of another account came; null: which one is not known. */
type ListenForAgents = (port: number, onOther: (uid: number | null) => void) => Promise<{ readonly url: string; close(): Promise<void> }>

/** Has the shell listen for agents while the settings say so. */
function createHttpSwitch({ store, onEvent }: GateOptions, changed: () => void) {
  let listenAt: ListenForAgents | undefined
  let port: number | undefined
  let state: GateHttp = {}
  let close = async (): Promise<void> => undefined
  let last = Promise.resolve()
  const onOther = (account: number | null): void => {
    const detail = { name: 'Assent', reason: 'another-account', account }
    store.audit.append({ kind: 'sign-in', decision: 'refused', detail })
  }
  async function follow(): Promise<void> {
    const { gateHttp: isOn, gatePort } = store.settings.get()
    const wanted = isOn && listenAt ? gatePort : undefined
    if (wanted === port) return
    await close()
    close = async () => undefined
    state = {}
    port = wanted
    if (listenAt && wanted !== undefined)
      try {
        const listener = await listenAt(wanted, onOther)
        close = listener.close
        state = { url: listener.url }
      } catch (error) {
        state = { problem: toErrorValue(error).message }
      }
    changed()
  }
  const soon = (): Promise<void> => (last = last.then(follow))
  const stop = onEvent(({ name }) => {
    if (name === 'settings.changed') void soon()
  })
  return {
    /** Called once by a shell that can listen. */
    listen(start: ListenForAgents): Promise<void> {
      listenAt = start
      return soon()
    },
    http: (): GateHttp => state,
    closeHttp(): Promise<void> {
      stop()
      listenAt = undefined
      return last.then(() => close())
    },
  }
}

/** Newest rows in which calls without an end are looked for. */
const MOST_ROWS = 500

/** Puts on record that nobody knows the outcome of agents' calls that the end of a host cut off. A call of a chat says so in its message. */
function settleCalls(audit: Pick<Store['audit'], 'list' | 'append'>): void {
  const rows = audit.list({ limit: MOST_ROWS, filter: { kinds: ['call', 'result'] } })
  const ended = new Set(rows.flatMap(({ kind, detail }) => (kind === 'result' ? [detail['callId']] : [])))
  for (const { kind, server, tool, conversationId, detail } of rows.toReversed()) {
    const { callId = null, agent = null, agentId } = detail
    if (kind !== 'call' || agentId === undefined || ended.has(callId)) continue
    audit.append({ kind: 'result', server, tool, conversationId, decision: 'unknown', detail: { callId, agent, agentId } })
  }
}

/** Fact with what the agents of each entry have read, by source. An agent may carry it from one connection to the next. */
const READS = 'gate/reads'
const keptForMs = 24 * 60 * 60_000
const keptReads = z.record(z.string(), z.array(contentRead.extend({ at: z.number() })))

const readsIn = (settings: Pick<Store['settings'], 'fact'>, now: number) => {
  const kept = keptReads.safeParse(settings.fact(READS)).data ?? {}
  return (entry: string) => (kept[entry] ?? []).filter(({ at }) => at > now - keptForMs)
}

/** Reads of the agents of an entry in the last day, by source. */
export const agentReads = (settings: Pick<Store['settings'], 'fact'>, entry: string, now: number): ContentRead[] =>
  joinReads(readsIn(settings, now)(entry).map(({ at: _, ...read }) => read))

function noteRead(
  settings: Pick<Store['settings'], 'fact' | 'setFact'>,
  entry: string,
  server: string,
  marks: CallMarks | undefined,
  now: number,
): void {
  const { identity, ...what } = marks ?? { private: true as const, untrusted: true as const }
  if (!what.private && !what.untrusted) return
  // Parsed, so that its keys stand in the order of those that were kept.
  const read: ContentRead = contentRead.parse({ from: serverSource(server, identity), ...what })
  const before = readsIn(settings, now)(entry)
  const same = before.find(({ at: _, ...one }) => JSON.stringify(one) === JSON.stringify(read))
  // Written once a minute at most: each write waits for the disk.
  if (same && same.at > now - 60_000) return
  const all = keptReads.safeParse(settings.fact(READS)).data ?? {}
  const next = [...before.filter((one) => one !== same), { ...defined({ ...read }), at: now }]
  settings.setFact(READS, { ...all, [entry]: next } as unknown as JsonObject)
}
