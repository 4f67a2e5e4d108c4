// What the tests of servers share: the seams as fakes, and real programs behind them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { EventName, EventPayload } from '#app/contract/events.ts'
import type { JsonObject } from '#app/json.ts'
import type { Account } from '#app/server/auth-status.ts'
import type { HttpDefinition, ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import type { ServerState } from '#app/server/server-state.ts'
import { defaultSettings } from '#app/settings.ts'
import { type Clock, systemClock } from '#main/base/clock.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { silentLog } from '#main/base/host-log.ts'
// biome-ignore lint/style/noRestrictedImports: a fake broker must be able to approve, as the real one does.
import { type ApprovedCall, type ApprovedLaunch, type ApprovedUrl, mint, spend } from '#main/consent/approved.ts'
import type { BrokerVerdict, SignInQuestion } from '#main/consent/broker-api.ts'
import type { AuditEntry, AuditStore, ServerStore } from '#main/store/store-api.ts'
import type { Secrets } from '../auth/token-store.ts'
import type { CallOptions, CallOutcome } from '../client/requests/running-calls.ts'
import type { ServerRequestHandlers } from '../client/requests/server-request-handlers.ts'
import { memoryServerStore } from './connection-test/connection-test.ts'
import type { Servers } from './servers.ts'
import { createServers } from './servers.ts'
import type { ServersContext } from './servers-context.ts'

export { eventually, memoryServerStore }

const allowedDecision = { allowed: true, by: 'person', scope: 'once' } as const

/** `answer`: what the person says to every launch, `toSignIn` to every sign-in; `approve` makes the approval of one call. */
export function fakeBroker(answer: 'allow' | 'deny' | 'wait' = 'allow', toSignIn: 'allow' | 'deny' | 'wait' = 'allow') {
  const targets: LaunchTarget[] = []
  const signIns: SignInQuestion[] = []
  const accounts: (Account | undefined)[] = []
  const broker: { -readonly [K in keyof ServersContext['broker']]: ServersContext['broker'][K] } = {
    signedInAs: (_server, account) => void accounts.push(account),
    accountLoading: () => undefined,
    packageInstalled: () => undefined,
    approvedSandbox: () => undefined,
    setSandbox: () => undefined,
    stillAllowed: () => true,
    toolsListed: () => undefined,
    place: () => undefined,
    async signIn(question): Promise<BrokerVerdict<ApprovedUrl>> {
      signIns.push(question)
      if (toSignIn === 'allow') return { kind: 'allowed', approval: mint<ApprovedUrl>({ url: question.url }), decision: allowedDecision }
      if (toSignIn === 'deny') return { kind: 'denied', decision: { ...allowedDecision, allowed: false }, stop: false }
      return new Promise((resolve) => question.signal.addEventListener('abort', () => resolve({ kind: 'withdrawn' }), { once: true }))
    },
    async launch({ server, target, signal, onAsked }): Promise<BrokerVerdict<ApprovedLaunch>> {
      targets.push(target)
      if (answer === 'allow')
        return { kind: 'allowed', approval: mint<ApprovedLaunch>({ server, target, fingerprint: 'f' }), decision: allowedDecision }
      onAsked?.('request-1')
      if (answer === 'deny') return { kind: 'denied', decision: { ...allowedDecision, allowed: false }, stop: false }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'withdrawn' }), { once: true }))
    },
  }
  return { ...broker, targets, signIns, accounts }
}

export function approve(servers: Servers, server: string, tool: string, args: JsonObject = {}, fingerprint?: string): ApprovedCall {
  const found = servers.catalogue(server).tools.find((entry) => entry.name === tool)
  return mint<ApprovedCall>({
    conversationId: undefined,
    callId: `call-${tool}`,
    server,
    tool,
    argumentsText: JSON.stringify(args),
    fingerprint: fingerprint ?? found?.fingerprint ?? '',
    decision: allowedDecision,
  })
}

export function memoryAudit() {
  const entries: AuditEntry[] = []
  const rowOf = (entry: AuditEntry, at: number): AuditRow => {
    const empty = { server: null, tool: null, decision: null, by: null, conversationId: null, detail: {} }
    return { seq: at + 1, time: Date.now(), ...empty, ...entry, previous: '', hash: '' }
  }
  const audit: AuditStore = {
    append: (entry) => rowOf(entry, entries.push(entry) - 1),
    list: ({ limit, filter = {} }) =>
      entries
        .map(rowOf)
        .filter(
          ({ kind, server, decision }) =>
            (filter.kinds?.includes(kind) ?? true) &&
            (filter.decisions?.includes(decision ?? '') ?? true) &&
            (filter.server === undefined || filter.server === server),
        )
        .reverse()
        .slice(0, limit),
    count: () => 0,
    related: () => [],
    all: () => [],
    row: () => undefined,
    head: () => undefined,
    verify: () => undefined,
    // biome-ignore lint/correctness/useYield: there is nothing to check
    *check() {
      return undefined
    },
  }
  return { ...audit, entries }
}

export function memorySecrets() {
  const values = new Map<string, string>()
  const secrets: Secrets = {
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  }
  return { ...secrets, values }
}

/** A browser in which somebody is signed in already: it goes where it is sent. */
async function willingBrowser(approval: ApprovedUrl): Promise<'host'> {
  fetch(spend(approval).url).catch(() => undefined) // Who listens for it says whether it came.
  return 'host'
}

export const noHandlers: ServerRequestHandlers = {
  sampling: () => Promise.reject(new Error('not part of this test')),
  elicitation: () => Promise.resolve({ action: 'cancel' }),
  roots: () => Promise.resolve({ roots: [] }),
}

/** Waits a tenth of what it is told to; the time itself is the real one. */
export const quickClock: Clock = { now: systemClock.now, after: (ms, callback) => systemClock.after(ms / 10, callback) }

/** A clock that watches the timers of `ms` milliseconds: whether time stands still is seen without waiting for it. */
export function watchTimers(ms: number) {
  let begun = 0
  let stopped = 0
  const clock: Clock = {
    now: systemClock.now,
    after(wanted, callback) {
      const cancel = systemClock.after(wanted, callback)
      if (wanted !== ms) return cancel
      begun += 1
      return () => {
        stopped += 1
        cancel()
      }
    },
  }
  const standsStill = () => eventually(() => expect(begun > 0 && begun === stopped).toBe(true))
  return { clock, standsStill }
}

const common = { enabled: true, start: 'needed', trusted: false } as const

/** A program of `e2e/servers/raw`. */
export const raw = (name: string, ...args: string[]): StdioDefinition => node(join('e2e/servers/raw', `${name}.ts`), ...args)

/** A file of this repository, run by the Node that runs the tests. */
export const node = (file: string, ...args: string[]): StdioDefinition => ({
  ...common,
  transport: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, '../../..', file), ...args],
  env: {},
})

export const http = (url: string, headers: Record<string, string> = {}): HttpDefinition => ({
  ...common,
  transport: 'streamable-http',
  url,
  headers,
})

export interface TestServers extends Omit<Servers, 'call'> {
  /** Calls as the chat does; the call's identity is the approval's. */
  call(approval: ApprovedCall, options: CallOptions): Promise<CallOutcome>
  readonly broker: ReturnType<typeof fakeBroker>
  readonly audit: ReturnType<typeof memoryAudit>
  readonly store: ServerStore
  readonly folder: string
  /** The kinds of state that a server went through, without repetition. */
  kinds(name: string): ServerState['kind'][]
  /** Lines that pages were told of. */
  logged(name: string): string[]
  /** Every process that any server of this test was ever seen to run as. */
  pids(): number[]
  state(name: string): ServerState
}

const open: TestServers[] = []

export function makeServers(definitions: Readonly<Record<string, ServerDefinition>>, more: Partial<ServersContext> = {}): TestServers {
  const folder = mkdtempSync(join(tmpdir(), 'assent-servers-'))
  const broker = (more.broker as ReturnType<typeof fakeBroker> | undefined) ?? fakeBroker()
  const audit = (more.audit as ReturnType<typeof memoryAudit> | undefined) ?? memoryAudit()
  const store = more.store ?? memoryServerStore()
  const kinds = new Map<string, ServerState['kind'][]>()
  const pids = new Set<number>()
  const logged: { readonly name: string; readonly text: string }[] = []
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>): void => {
    if (name === 'server.logged') {
      const batch = payload as EventPayload<'server.logged'>
      logged.push(...batch.lines.map((line) => ({ name: batch.name, text: line.text })))
    }
    if (name !== 'server.changed') return
    const { server } = payload as EventPayload<'server.changed'>
    const seen = kinds.get(server.name) ?? []
    kinds.set(server.name, seen)
    if (seen.at(-1) !== server.state.kind) seen.push(server.state.kind)
    if (server.state.kind === 'ready' && server.state.pid !== undefined) pids.add(server.state.pid)
  }
  const servers = createServers({
    emit,
    clock: systemClock,
    log: silentLog,
    handlers: noHandlers,
    settings: () => defaultSettings,
    secrets: memorySecrets(),
    openUrl: willingBrowser,
    dataDir: folder,
    sandbox: 'off',
    version: '0.0.0',
    launchBuiltin: () => {
      throw new Error('not part of this test')
    },
    ...more,
    store,
    broker,
    audit,
  })
  servers.configure(new Map(Object.entries(definitions)))
  const made: TestServers = {
    ...servers,
    call: (approval, options) => servers.call(approval, { ...approval, ...options }),
    broker,
    audit,
    store,
    folder,
    kinds: (name) => kinds.get(name) ?? [],
    logged: (name) => logged.flatMap((line) => (line.name === name ? [line.text] : [])),
    pids: () => [...pids],
    state(name) {
      const view = servers.view(name)
      if (!view) throw new Error(`There is no server ${name}`)
      return view.state
    },
  }
  open.push(made)
  return made
}

/** For `afterEach`: ends everything, and returns the processes that are left behind. */
export async function closeServers(): Promise<number[]> {
  const all = open.splice(0)
  await Promise.all(all.map((servers) => servers.dispose()))
  for (const { folder } of all) rmSync(folder, { recursive: true, force: true })
  return all.flatMap(({ pids }) => pids()).filter(isProcessAlive)
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}
