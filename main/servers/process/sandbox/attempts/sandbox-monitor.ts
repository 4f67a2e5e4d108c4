// What one server's sandbox refuses, from one start to the next: attempts go to its journal, and answers of the person that hold once
// are handed to the running proxy or to the next start.

import { defined } from '#app/or-else.ts'
import { type AnswerEffect, type AttemptAnswer, type AttemptTarget, hostPatternOf } from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { revealHidden } from '#app/text/hidden-characters.ts'
import type { HostAttempt } from '../proxy/host-proxy.ts'
import type { ConfinedLaunch } from '../sandbox.ts'
import type { AttemptJournal } from './attempt-journal.ts'

type OnceGrants = Pick<SandboxGrants, 'read' | 'write' | 'hosts'>

const none: OnceGrants = { read: [], write: [], hosts: [] }
const listOf = { host: 'hosts', read: 'read', write: 'write' } as const satisfies Record<AttemptTarget['kind'], keyof OnceGrants>

/** Text of a grant of the target. */
const grantText = (attempt: AttemptTarget): string => (attempt.kind === 'host' ? hostPatternOf(attempt) : attempt.target)

/** Text that is no host, as it may be shown: what is hidden in it is named. */
const shownText = (text: string): string =>
  revealHidden(text.slice(0, 100).toWellFormed())
    .map((segment) => (segment.kind === 'text' ? segment.text : `⟨${segment.name}⟩`))
    .join('')

export type SandboxMonitor = ReturnType<typeof createSandboxMonitor>

export function createSandboxMonitor({ journal }: { readonly journal: AttemptJournal }) {
  let running: Pick<ConfinedLaunch, 'proxy'> | undefined
  let once = none
  /** Grants of the start that runs. */
  let taken = none

  return {
    journal,
    onAttempt({ host, port, refused }: HostAttempt): void {
      const target = refused === 'malformed' ? shownText(host) : host
      journal.add({ kind: 'host', target, port, ...defined({ refused }) })
    },
    /** A start begins: what was allowed once until then holds for it, and for none after it. */
    beginStart(): void {
      taken = once
      once = none
    },
    /** The approved grants, with what the person allowed for this start alone. */
    withOnce(grants: SandboxGrants): SandboxGrants {
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
    /** Watches a start. Returns what ends that. */
    began(confined: Pick<ConfinedLaunch, 'proxy'>): () => void {
      running = confined
      return () => {
        if (running === confined) running = undefined
      }
    },
    /** Lets an answer hold for what runs, or for its next start. */
    answer(attempt: AttemptTarget, answer: AttemptAnswer): AnswerEffect['holds'] {
      const holds = answer === 'keep' ? block(attempt) : allow(attempt)
      journal.answered(attempt, answer === 'keep' ? 'denied' : undefined)
      return holds
    },
  }

  function allow(attempt: AttemptTarget): AnswerEffect['holds'] {
    if (attempt.kind === 'host' && running) {
      running.proxy.allow(grantText(attempt))
      return 'now'
    }
    const list = listOf[attempt.kind]
    once = { ...once, [list]: [...new Set([...once[list], grantText(attempt)])] }
    return 'next-start'
  }

  /** Blocks a target from now on. An open connection stays. */
  function block(attempt: AttemptTarget): AnswerEffect['holds'] {
    if (attempt.kind === 'host') running?.proxy.deny(grantText(attempt))
    const list = listOf[attempt.kind]
    once = { ...once, [list]: once[list].filter((one) => one !== grantText(attempt)) }
    return 'now'
  }
}
