// Tools that the person runs themselves, through the whole host as a model's call goes: the broker, the record, the
// connection, the check of the result. Each run is a call of its own in no conversation; what its server asks in its course
// waits with the other requests, under the run's id. How it fares is told by `handRun.changed` and kept in the profile.

import { isCallEnded, nextCallState, type ToolCallEvent } from '#app/chat/next-call-state.ts'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseExactJson } from '#app/schema-form/exact-json.ts'
import { isLocal } from '#app/server/definition.ts'
import { maskSecrets } from '#app/text/secret-names.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { CallContext } from '#main/servers/client/requests/running-calls.ts'
import type { Servers } from '#main/servers/lifecycle/servers-api.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Chat } from './chat-api.ts'
import { toToolResult } from './results/store-result.ts'
import { type AskedCall, type CallSteps, runApprovedCall } from './run-approved-call.ts'
import { callEndKind, callError } from './turn/turn-lifecycle.ts'

interface RunParams {
  readonly server: string
  readonly tool: string
  /** Of the tool that the person saw. */
  readonly fingerprint: string
  /** The JSON of an object, as it is to be sent. */
  readonly arguments: string
}

export interface ManualRuns {
  /** Begins it. Throws `tool.unknown`, `tool.changed`, `tool.arguments-invalid` or `tool.too-many`. */
  run(params: RunParams): ManualRun
  cancel(id: string): void
  wait(id: string): void
  /** As it stands now. */
  get(id: string): ManualRun | undefined
  list: Store['manualRuns']['list']
  forget(of: { readonly server: string; readonly tool: string } | undefined): number
  /** At start: what a crash cut off is marked so. Nothing is run. */
  recover(): void
  /** Cancels what is under way; resolves once each has said how it ended. */
  dispose(): Promise<void>
}

export interface ManualRunsOptions {
  readonly store: Pick<Store, 'manualRuns' | 'blobs'>
  readonly servers: Servers
  readonly broker: Pick<ConsentBroker, 'manualCall'>
  readonly chat: Pick<Chat, 'joinCall'>
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  /** Hides the secrets that this run of Assent has met. */
  readonly mask: (text: string) => string
}

/** A person's own: more at a time than anybody reads. */
const MOST_AT_ONCE = 20
/** A page is told of progress no more often. */
const PROGRESS_MS = 100

interface UnderWay {
  run: ManualRun
  readonly control: AbortController
  wait: (() => void) | undefined
  done: Promise<void>
}

export function createManualRuns({ store, servers, broker, chat, emit, clock, log, mask }: ManualRunsOptions): ManualRuns {
  const underWay = new Map<string, UnderWay>()
  let quitting = false

  function step(of: UnderWay, event: ToolCallEvent): void {
    const state = nextCallState(of.run.state, event)
    if (state === of.run.state) return
    of.run = { ...of.run, state }
    if (isCallEnded(state)) store.manualRuns.put(of.run)
    emit('handRun.changed', { run: of.run })
  }

  function keepLate(of: UnderWay, result: JsonObject, bytes: number): void {
    try {
      // It was purged meanwhile: it stays gone.
      if (store.manualRuns.get(of.run.id)) step(of, { kind: 'late', result: toToolResult(result, bytes, store.blobs), at: clock.now() })
    } catch (error) {
      log.error('A late result could not be kept', error)
    }
  }

  async function carryOut(of: UnderWay, asked: AskedCall): Promise<void> {
    const { signal } = of.control
    const { server, tool } = of.run
    let told = 0
    const call: CallContext = {
      callId: of.run.id,
      server,
      tool,
      signal,
      cancel: () => of.control.abort(),
      wait: () => of.wait?.(),
      note: (message) => step(of, { kind: 'progressed', progress: { progress: 0, message } }),
      onProgress(progress) {
        if (clock.now() - told < PROGRESS_MS) return
        told = clock.now()
        step(of, { kind: 'progressed', progress })
      },
      onOverdue(overdue) {
        of.wait = overdue && (() => overdue.wait())
        if (!signal.aborted)
          step(of, { kind: 'overdue', ...(overdue ? { overdue: { since: overdue.since, endsAt: overdue.endsAt } } : {}) })
      },
      onLate: ({ result, bytes }) => keepLate(of, result, bytes),
    }
    const steps: CallSteps = {
      ask: broker.manualCall,
      send: servers.call,
      onAllowed({ decision, approval }) {
        if (decision.edited) of.run = { ...of.run, ...kept(JSON.parse(approval.argumentsText) as JsonObject) }
        step(of, { kind: 'allowed', decision, at: clock.now() })
        return chat.joinCall(call)
      },
    }
    try {
      const end = await runApprovedCall(steps, call, { ...asked, onAsked: (requestId) => step(of, { kind: 'asked', requestId }) })
      if (end.kind === 'denied') return step(of, { kind: 'denied', decision: end.decision })
      step(of, { kind: 'finished', result: toToolResult(end.result, end.bytes, store.blobs), at: clock.now() })
    } catch (error) {
      const value = callError(error, server)
      const end = callEndKind(value, signal, quitting)
      step(of, end === 'failed' ? { kind: 'failed', error: value, at: clock.now() } : { kind: end })
    }
  }

  /** What a run keeps of its arguments. */
  function kept(args: JsonObject): Pick<ManualRun, 'arguments' | 'masked'> {
    const masked = maskWords(maskSecrets(args), mask)
    if (!isJsonObject(masked)) return { arguments: {}, masked: true }
    return { arguments: masked, ...(JSON.stringify(masked) === JSON.stringify(args) ? {} : { masked: true }) }
  }

  return {
    run({ server, tool: name, fingerprint, arguments: text }) {
      const view = servers.view(server)
      const tool = view && servers.catalogue(server).tools.find((one) => one.name === name)
      if (!view || !tool) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data: { server, tool: name } })
      if (tool.fingerprint !== fingerprint)
        throw new HostError('tool.changed', t`“${server}” has changed what ${name} is. Nothing was run.`, { data: { server, tool: name } })
      const read = parseExactJson(text)
      if (read.kind === 'broken' || !isJsonObject(read.value))
        throw new HostError(
          'tool.arguments-invalid',
          read.kind === 'broken' ? read.words : t`The arguments are not the JSON of an object.`,
          { data: { tool: name } },
        )
      if (underWay.size >= MOST_AT_ONCE)
        throw new HostError('tool.too-many', t`${MOST_AT_ONCE} tools that you ran are under way. This one was not begun.`)
      const run: ManualRun = {
        id: newId(),
        server,
        tool: name,
        at: clock.now(),
        ...kept(read.value),
        fingerprint,
        state: { kind: 'queued' },
      }
      // Kept before it is begun: what cannot be kept is not run.
      store.manualRuns.put(run)
      const of: UnderWay = { run, control: new AbortController(), wait: undefined, done: Promise.resolve() }
      underWay.set(run.id, of)
      of.done = carryOut(of, { tool, trusted: view.definition.trusted, local: isLocal(view.definition), arguments: read.value })
        .catch((error: unknown) => log.error('How a run ended could not be kept', error))
        .finally(() => {
          of.control.abort() // Withdraws what its server still asks.
          underWay.delete(run.id)
        })
      return of.run
    },
    cancel: (id) => underWay.get(id)?.control.abort(),
    wait: (id) => underWay.get(id)?.wait?.(),
    get: (id) => underWay.get(id)?.run ?? store.manualRuns.get(id),
    list: (of) => store.manualRuns.list(of).map((run) => underWay.get(run.id)?.run ?? run),
    forget: (of) => store.manualRuns.forget(of, [...underWay.keys()]),
    recover() {
      for (const run of store.manualRuns.unfinished())
        store.manualRuns.put({ ...run, state: nextCallState(run.state, { kind: 'cut-off' }) })
    },
    async dispose() {
      quitting = true
      const all = [...underWay.values()]
      for (const { control } of all) control.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

function maskWords(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item: Json) => maskWords(item, mask))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskWords(item, mask)]))
}
