// Tools that the person runs by hand: the same broker, audit rows, connection and check of the result as a model's call. Each run is a
// call of its own in no conversation; its progress goes out as `manualRun.changed`, and its end is kept in the profile.
import { isCallEnded, nextCallState, type ToolCallEvent } from '#app/chat/next-call-state.ts'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseExactJson } from '#app/schema-form/exact-json.ts'
import { isLocal } from '#app/server/definition.ts'
import { maskSecrets } from '#app/text/secret-names.ts'
import { logFailure } from '#main/base/host-log.ts'
import { newId } from '#main/base/ids.ts'
import { maskTexts } from '#main/base/redact-secrets.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import { type CallContext, createCallActivity } from '#main/servers/client/requests/running-calls.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Chat } from './chat.ts'
import type { ChatContext } from './chat-context.ts'
import { toToolResult } from './results/store-result.ts'
import { type AskedCall, type CallSteps, runApprovedCall } from './run-approved-call.ts'
import { callFailure } from './turn/turn-lifecycle.ts'

export interface ManualRunsOptions extends Pick<ChatContext, 'servers' | 'emit' | 'clock' | 'log'> {
  readonly store: Pick<Store, 'manualRuns' | 'blobs'> & { readonly servers: Pick<Store['servers'], 'putTask' | 'dropTask'> }
  readonly broker: Pick<ConsentBroker, 'manualCall'>
  readonly chat: Pick<Chat, 'joinCall'>
  /** Hides the secrets that this run of Assent has met. */
  readonly mask: (text: string) => string
}

const MOST_AT_ONCE = 20
const PROGRESS_MS = 100

interface ActiveRun {
  run: ManualRun
  readonly control: AbortController
  wait: (() => void) | undefined
  done: Promise<void>
}

export type ManualRuns = ReturnType<typeof createManualRuns>

export function createManualRuns(options: ManualRunsOptions) {
  const { store, servers, clock, log, mask } = options
  const active = new Map<string, ActiveRun>()
  let quitting = false

  return {
    /** Begins a run. @throws {HostError} `tool.unknown`, `tool.changed`, `tool.arguments-invalid` or `tool.too-many` */
    run(params: RequestInput<'tool.run'>): ManualRun {
      const { tool, definition, args } = checkRun(servers, params)
      if (active.size >= MOST_AT_ONCE)
        throw new HostError('tool.too-many', t`${MOST_AT_ONCE} tools that you ran are under way. This one was not begun.`)
      const { server, fingerprint } = params
      const run: ManualRun = {
        id: newId(),
        server,
        tool: tool.name,
        at: clock.now(),
        ...keptArguments(args, mask),
        fingerprint,
        state: { kind: 'queued' },
      }
      // Kept before it is begun: what cannot be kept is not run.
      store.manualRuns.put(run)
      const current: ActiveRun = { run, control: new AbortController(), wait: undefined, done: Promise.resolve() }
      active.set(run.id, current)
      const { trusted } = definition
      const asked = { tool, trusted, local: isLocal(definition), arguments: args }
      current.done = execute(options, current, asked, () => quitting)
        .catch((error: unknown) => log.error('How a run ended could not be kept', error))
        .finally(() => {
          current.control.abort() // Withdraws the requests that its server still has open.
          active.delete(run.id)
        })
      return current.run
    },
    cancel: (id: string): void => active.get(id)?.control.abort(),
    wait: (id: string): void => active.get(id)?.wait?.(),
    get: (id: string): ManualRun | undefined => active.get(id)?.run ?? store.manualRuns.get(id),
    list: (...filter: Parameters<Store['manualRuns']['list']>): ManualRun[] =>
      store.manualRuns.list(...filter).map((run) => active.get(run.id)?.run ?? run),
    forget: (tool: RequestInput<'tool.forgetRuns'>['of']): number => store.manualRuns.forget(tool, [...active.keys()]),
    recover(): void {
      for (const run of store.manualRuns.unfinished())
        store.manualRuns.put({ ...run, state: nextCallState(run.state, { kind: 'cut-off' }) })
    },
    /** Cancels the active runs; resolves once the end of each is kept. */
    async dispose(): Promise<void> {
      quitting = true
      const all = [...active.values()]
      for (const { control } of all) control.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

/** Returns the tool as it is now and the parsed arguments. @throws {HostError} `tool.*` where it is not what the person saw */
function checkRun(servers: Servers, { server, tool: name, fingerprint, arguments: text }: RequestInput<'tool.run'>) {
  const view = servers.view(server)
  const tool = view && servers.catalogue(server).tools.find((one) => one.name === name)
  const data = { server, tool: name }
  if (!view || !tool) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data })
  if (tool.fingerprint !== fingerprint)
    throw new HostError('tool.changed', t`“${server}” changed the tool ${name}. Nothing was run.`, { data })
  const parsed = parseExactJson(text)
  if (parsed.kind === 'broken' || !isJsonObject(parsed.value)) {
    const message = parsed.kind === 'broken' ? parsed.words : t`The arguments are not a JSON object.`
    throw new HostError('tool.arguments-invalid', message, { data: { tool: name } })
  }
  return { tool, definition: view.definition, args: parsed.value }
}

async function execute(
  { store, servers, broker, chat, emit, clock, log, mask }: ManualRunsOptions,
  active: ActiveRun,
  asked: AskedCall,
  quitting: () => boolean,
): Promise<void> {
  const { signal } = active.control
  const { server, tool, id: callId } = active.run
  function step(event: ToolCallEvent): void {
    const state = nextCallState(active.run.state, event)
    if (state === active.run.state) return
    active.run = { ...active.run, state }
    if (isCallEnded(state)) store.manualRuns.put(active.run)
    emit('manualRun.changed', { run: active.run })
  }
  function keepLate(result: JsonObject, bytes: number): void {
    logFailure(log, 'A late result could not be kept', () => {
      // A run that was purged meanwhile stays purged.
      if (store.manualRuns.get(callId)) step({ kind: 'late', result: toToolResult(result, bytes, store.blobs), at: clock.now() })
    })
  }
  let progressAt = 0
  const activity = createCallActivity(clock)
  const call: CallContext = {
    activity,
    callId,
    server,
    tool,
    signal,
    cancel: () => active.control.abort(),
    wait: () => active.wait?.(),
    note: (message) => step({ kind: 'progressed', progress: { progress: 0, message } }),
    onProgress(progress) {
      if (clock.now() - progressAt < PROGRESS_MS) return
      progressAt = clock.now()
      step({ kind: 'progressed', progress })
    },
    onOverdue(overdue) {
      active.wait = overdue && (() => overdue.wait())
      if (!signal.aborted) step({ kind: 'overdue', ...(overdue ? { overdue: { since: overdue.since, endsAt: overdue.endsAt } } : {}) })
    },
    onTask: (task) => store.servers.putTask(server, { ...task, callId, tool }),
    leavesTask: quitting,
    onLate: ({ result, bytes }) => keepLate(result, bytes),
    onBlocked: (blocked) => step({ kind: 'blocked', blocked }),
  }
  const steps: CallSteps = {
    ask: broker.manualCall,
    send: servers.call,
    onAllowed({ decision, approval }) {
      if (decision.edited) active.run = { ...active.run, ...keptArguments(JSON.parse(approval.argumentsText) as JsonObject, mask) }
      step({ kind: 'allowed', decision, at: clock.now() })
      return chat.joinCall(call)
    },
  }
  try {
    const end = await runApprovedCall(steps, call, { ...asked, onAsked: (requestId) => step({ kind: 'asked', requestId }) })
    if (end.kind === 'denied') step({ kind: 'denied', decision: end.decision })
    else step({ kind: 'finished', result: toToolResult(end.result, end.bytes, store.blobs), at: clock.now() - activity.askedMs() })
  } catch (thrown) {
    step(callFailure(thrown, server, { signal, quitting }, clock.now() - activity.askedMs()))
  } finally {
    if (!quitting()) store.servers.dropTask(server, callId)
  }
}

/** Returns the arguments as a run keeps them: without secrets. */
function keptArguments(args: JsonObject, mask: (text: string) => string): Pick<ManualRun, 'arguments' | 'masked'> {
  const masked = maskTexts<Json>(mask, maskSecrets(args))
  if (!isJsonObject(masked)) return { arguments: {}, masked: true }
  return { arguments: masked, ...(JSON.stringify(masked) === JSON.stringify(args) ? {} : { masked: true }) }
}
