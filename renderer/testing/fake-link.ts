// A host that a test scripts: it answers requests from a table, remembers what was asked and tells events.
// It implements the seam's interface, so a change of the contract breaks it at compile time.
import { defaultSamplingBudget } from '#app/consent/rules/sampling-budget.ts'
import type { EventName, EventPayload, HostEvent } from '#app/contract/events.ts'
import type { ConnectionStatus, HostConnection } from '#app/contract/host-connection.ts'
import type { RequestName, RequestParams, RequestResult } from '#app/contract/requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { readSnippet } from '#app/server/import/read-snippet.ts'
import { makeReport, makeSnapshot } from './builders.ts'

export type FakeAnswers = { [N in RequestName]?: (params: RequestParams<N>) => RequestResult<N> | Promise<RequestResult<N>> }
interface RecordedRequest {
  readonly name: RequestName
  readonly params: unknown
}

export interface FakeConnection extends HostConnection {
  readonly asked: readonly RecordedRequest[]
  /** The parameters of every request of that name so far. */
  paramsOf<N extends RequestName>(name: N): RequestParams<N>[]
  /** Changes what further requests are answered with. */
  answer(answers: FakeAnswers): void
  /** Tells an event at the next revision, or at the one given. */
  tell<N extends EventName>(name: N, payload: EventPayload<N>, revision?: number): void
  setStatus(status: ConnectionStatus): void
  readonly listeners: number
}

const noUse = { requests: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0, unpriced: 0 }
const noCalls = { calls: 0, failed: 0, p50: null, p95: null }

export function createFakeConnection(
  options: { snapshot?: Partial<Snapshot>; answers?: FakeAnswers; status?: ConnectionStatus } = {},
): FakeConnection {
  const eventListeners = new Set<(event: HostEvent) => void>()
  const statusListeners = new Set<(status: ConnectionStatus) => void>()
  const asked: RecordedRequest[] = []
  const snapshot = makeSnapshot(options.snapshot)
  let revision = snapshot.revision
  let status = options.status ?? 'open'
  let answers: FakeAnswers = {
    'app.snapshot': () => snapshot,
    'app.desktop': () => ({ tray: true, keys: 'off', failures: [], folder: '/home/m/.config/assent/crashes' }),
    'server.activity': () => ({ counts: { starts: 0, restarts: 0, failures: 0 }, run: noCalls, day: noCalls }),
    'server.sampling': () => ({ used: 0, budget: defaultSamplingBudget }),
    'server.processes': () => ({ kind: 'none' }),
    'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
    'server.log': () => ({ lines: [], dropped: 0 }),
    'server.doctor': ({ name }) => makeReport({ server: name }),
    'usage.report': () => ({ total: noUse, days: [], models: [], conversations: [] }),
    'usage.ofChat': () => noUse,
    'audit.list': () => ({ rows: [], found: 0 }),
    'rule.uses': () => ({ uses: {} }),
    'library.listing': () => ({ templates: [], prompts: [], resources: 0 }),
    'library.resources': () => ({ resources: [], revision: 1 }),
    'folder.list': () => ({ folders: [], told: [] }),
    'conversation.section': () => ({ conversations: [], more: false }),
    'conversation.find': () => ({ conversations: [], more: false, found: 0 }),
    'conversation.deleted': () => ({ deleted: [], more: false }),
    'conversation.change': () => ({ changed: 1, undo: 'u1' }),
    'gate.list': () => ({ clients: [], http: {} }),
    'appLink.list': () => ({ apps: [] }),
    'config.parse': ({ text }) => readSnippet(text),
    'appImport.look': () => ({ hosts: [] }),
    'backup.diskUse': () => ({ database: 0, attachments: 0, unsent: 0, free: 0, backups: 0, logs: 0, bundles: 0, rest: 0 }),
    'backup.list': () => ({ backups: [], staged: false }),
    'folder.complete': () => ({ folders: [], more: false }),
    ...options.answers,
  }

  return {
    asked,
    get listeners() {
      return eventListeners.size + statusListeners.size
    },
    async request<N extends RequestName>(name: N, params: RequestParams<N>): Promise<RequestResult<N>> {
      asked.push({ name, params })
      if (status !== 'open') throw new HostError('link.closed', 'The connection to Assent is lost.')
      const answer = answers[name] as ((params: RequestParams<N>) => RequestResult<N>) | undefined
      // Requests without a scripted answer are those whose result is empty.
      return answer ? await answer(params) : ({} as RequestResult<N>)
    },
    paramsOf: <N extends RequestName>(name: N) => asked.filter((one) => one.name === name).map((one) => one.params as RequestParams<N>),
    answer(more) {
      answers = { ...answers, ...more }
    },
    tell<N extends EventName>(name: N, payload: EventPayload<N>, at?: number) {
      revision = at ?? revision + 1
      // `HostEvent` is the union over all names; TypeScript does not follow a generic name into it.
      const event = { name, revision, payload } as unknown as HostEvent
      for (const listener of eventListeners) listener(event)
    },
    setStatus(next) {
      status = next
      for (const listener of statusListeners) listener(next)
    },
    onEvent(listener) {
      eventListeners.add(listener)
      return () => eventListeners.delete(listener)
    },
    onStatus(listener) {
      statusListeners.add(listener)
      listener(status)
      return () => statusListeners.delete(listener)
    },
  }
}
