// What one server's sandbox refuses, from one start to the next. Attempts go to its journal, and to the call in whose course they were
// where exactly one runs. Answers of the person that hold once are handed to the running proxy or to the next start.
import { isInside } from '#app/consent/rules/path-text.ts'
import type { Json } from '#app/json.ts'
import { argumentPaths, type NamedPath, refusedPaths, saysRefused } from '#app/server/sandbox/refused-paths.ts'
import {
  type AnswerEffect,
  type AttemptAnswer,
  type AttemptTarget,
  type BlockedTarget,
  grantOf,
  isRefusedBySandbox,
} from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { revealHidden } from '#app/text/hidden-characters.ts'
import type { Clock } from '#main/base/clock.ts'
import type { ConfinedLaunch } from '../confined-launch.ts'
import type { HostAttempt } from '../proxy/host-proxy.ts'
import type { AttemptJournal } from './attempt-journal.ts'
import { blockedBySandbox } from './check-path.ts'
import { type CallWatch, createWatchedCalls, type WatchedCall } from './watched-calls.ts'

type OnceGrants = Pick<SandboxGrants, 'read' | 'write' | 'hosts'>

const none: OnceGrants = { read: [], write: [], hosts: [] }
const listOf = { host: 'hosts', read: 'read', write: 'write' } as const satisfies Record<AttemptTarget['kind'], keyof OnceGrants>

/** Tools that make files, by their names: that a new one could not be made is said as that it is not there. */
const creating =
  /(?:^|[^a-z])(?:write|create|save|append|export|download|copy|move|rename|make|mkdir|put|store|add|new|init|generate)(?![a-z])/i

/** Texts of a server that are looked through in a span of milliseconds. */
const most = { texts: 200, spanMs: 10_000 }

/** Text that is no host, as it may be shown: what is hidden in it is named. */
const shownText = (text: string): string =>
  revealHidden(text.slice(0, 100).toWellFormed())
    .map((segment) => (segment.kind === 'text' ? segment.text : `⟨${segment.name}⟩`))
    .join('')

const partOf = (call: CallWatch | undefined) => call && { tool: call.tool, callId: call.callId }

export type SandboxMonitor = ReturnType<typeof createSandboxMonitor>

interface MonitorOptions {
  readonly journal: AttemptJournal
  readonly clock: Pick<Clock, 'now'>
  /** Masks secrets in the name of a host. */
  readonly maskHost?: ((host: string) => string) | undefined
}

export function createSandboxMonitor({ journal, clock, maskHost = String }: MonitorOptions) {
  const once = createOnceGrants()
  const calls = createWatchedCalls()
  const budget = createBudget(clock)
  let running: Pick<ConfinedLaunch, 'proxy'> | undefined
  /** File system of the last start, also once it has ended: its last words come later. */
  let view: ConfinedLaunch['view'] | undefined

  function note(attempt: BlockedTarget, call: CallWatch | undefined): void {
    const { refused } = journal.add({ ...attempt, ...partOf(call) })
    if (refused !== undefined && isRefusedBySandbox({ refused })) call?.refused({ ...attempt, refused })
  }

  /** `onlyKnown`: passes over what was not refused before. */
  function look(paths: readonly NamedPath[], call: CallWatch | undefined, onlyKnown = false): void {
    if (!view) return
    const shown = view
    const creates = call !== undefined && creating.test(call.tool.replace(/([a-z])([A-Z])/g, '$1_$2'))
    const targets = new Map(
      paths.flatMap((path) => blockedBySandbox(path, shown, creates) ?? []).map((one) => [`${one.kind} ${one.target}`, one]),
    )
    const before = onlyKnown ? journal.list().filter(({ kind, refused }) => kind !== 'host' && refused !== undefined) : []
    for (const found of targets.values()) {
      const known = before.find(({ kind, target }) => kind === found.kind && isInside(found.target, target))
      if (onlyKnown && !known) continue
      const target: AttemptTarget = known ? { kind: known.kind, target: known.target } : found
      const denied = target.kind === 'read' ? shown.denyRead : shown.denyWrite
      note({ ...target, refused: denied.some((place) => isInside(target.target, place)) ? 'denied' : 'not-granted' }, call)
    }
  }

  return {
    journal,
    failedCall: calls.failed,
    onAttempt({ host: tried, port, refused }: HostAttempt): void {
      const call = calls.only()
      const host = maskHost(tried)
      if (refused === undefined) {
        journal.add({ kind: 'host', target: host, port, ...partOf(call) })
        call?.reached({ host, port })
      } else note({ kind: 'host', target: refused === 'malformed' ? shownText(host) : host, port, refused }, call)
    },
    beginStart(): void {
      view = undefined
      calls.forgetFailed()
      once.beginStart()
    },
    withOnce: once.added,
    /** Watches a start. Returns what ends that. */
    began(confined: Pick<ConfinedLaunch, 'proxy' | 'view'>): () => void {
      running = confined
      view = confined.view
      return () => {
        if (running === confined) running = undefined
      }
    },
    /** Looks for refused files in what the server wrote beside its protocol. */
    wrote(line: string): void {
      if (view && saysRefused(line) && budget.spend()) look(refusedPaths(line), calls.only())
    },
    /** Watches a call; undefined: the server runs in no sandbox. */
    watchCall(call: WatchedCall) {
      if (!running) return undefined
      const open = running.proxy.watchOpen()
      const watch = calls.watch(call, () => open().map((one) => ({ ...one, host: maskHost(one.host) })))
      return {
        facts: watch.facts,
        end: watch.end,
        /** Looks for refused files in the error that the call ended with. */
        failed(text: string, args: Json): void {
          if (!budget.spend()) return
          if (saysRefused(text)) look([...refusedPaths(text), ...argumentPaths(args, text)], watch)
          // A server that was kept from a folder at its start calls it one that it was not given.
          else look(argumentPaths(args, 'ENOENT'), watch, true)
        },
      }
    },
    /** Lets an answer hold for what runs, or for its next start. */
    answer(attempt: AttemptTarget, answer: AttemptAnswer): AnswerEffect['holds'] {
      journal.answered(attempt, answer === 'keep' ? 'denied' : undefined)
      if (answer === 'keep') {
        once.remove(attempt)
        // What is connected stays so.
        if (attempt.kind === 'host') running?.proxy.deny(grantOf(attempt))
        return 'now'
      }
      if (attempt.kind === 'host' && running) {
        running.proxy.allow(grantOf(attempt))
        return 'now'
      }
      if (answer === 'once') once.add(attempt)
      return 'next-start'
    },
  }
}

function createBudget(clock: Pick<Clock, 'now'>) {
  let since = clock.now()
  let left = most.texts
  return {
    spend(): boolean {
      const now = clock.now()
      if (now - since >= most.spanMs) {
        since = now
        left = most.texts
      }
      left -= 1
      return left >= 0
    },
  }
}

/** Grants of the answer “once”, for the next start alone. */
function createOnceGrants() {
  let waiting = none
  let taken = none
  const change = ({ kind }: AttemptTarget, to: (list: readonly string[]) => string[]): void => {
    const list = listOf[kind]
    waiting = { ...waiting, [list]: to(waiting[list]) }
  }
  return {
    add: (attempt: AttemptTarget): void => change(attempt, (list) => [...new Set([...list, grantOf(attempt)])]),
    remove: (attempt: AttemptTarget): void => change(attempt, (list) => list.filter((one) => one !== grantOf(attempt))),
    /** A start begins: what was allowed once until then holds for it, and for none after it. */
    beginStart(): void {
      taken = waiting
      waiting = none
    },
    /** The approved grants, with what the person allowed for this start alone. */
    added(grants: SandboxGrants): SandboxGrants {
      const { read, write, hosts } = taken
      const left = (denied: readonly string[], allowed: readonly string[]): string[] => denied.filter((one) => !allowed.includes(one))
      return {
        read: [...new Set([...grants.read, ...read])],
        write: [...new Set([...grants.write, ...write])],
        hosts: [...new Set([...grants.hosts, ...hosts])],
        denyRead: left(grants.denyRead, [...read, ...write]),
        denyWrite: left(grants.denyWrite, write),
        denyHosts: left(grants.denyHosts, hosts),
      }
    },
  }
}
