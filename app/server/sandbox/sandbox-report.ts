// What a sandboxed server tried beyond its sandbox, and the hosts that it reached. A host is seen by the server's proxy. A refused file
// is not seen by anybody but the server: it is known from what the server says, checked against this start's mounts. Pure.
import { z } from 'zod'
import { coversHost, parseHostPattern } from './host-pattern.ts'
import type { SandboxGrants } from './sandbox-settings.ts'

/**
 * `not-granted`: nothing grants it. `denied`: the person keeps it blocked. `private-address`: its name leads into this computer or its
 * network. `not-found`: its name has no address. `unreachable`: nothing answered there. `malformed`: no host.
 */
const hostRefusal = z.enum(['not-granted', 'denied', 'private-address', 'not-found', 'unreachable', 'malformed'])
export type HostRefusal = z.infer<typeof hostRefusal>

/** Names one attempt in a request: which of the listed ones is meant. */
export const attemptTarget = z.object({
  kind: z.enum(['host', 'read', 'write']),
  /** Host in the form of `normalizeHost`, or an absolute path with links resolved. What is no host: its hidden characters named. */
  target: z.string().max(4096),
  /** Port of a host. */
  port: z.number().int().optional(),
})
export type AttemptTarget = z.infer<typeof attemptTarget>

/** Target that the sandbox refused in the course of a call, as the call shows it. */
export const blockedTarget = attemptTarget.extend({ refused: hostRefusal })
export type BlockedTarget = z.infer<typeof blockedTarget>

/** Attempts at one target with one outcome, counted together. */
export const sandboxAttempt = attemptTarget.extend({
  /** Absent: it was reached. Only hosts are seen to be reached. */
  refused: hostRefusal.optional(),
  count: z.number().int(),
  /** Milliseconds since the epoch. */
  firstAt: z.number(),
  lastAt: z.number(),
  /** Tool and id of the call in whose course the last one was, where exactly one ran; absent: not known. */
  tool: z.string().optional(),
  callId: z.string().optional(),
})
export type SandboxAttempt = z.infer<typeof sandboxAttempt>

/** `click`: one press allows it. `review`: only after the person read what it means. `never`: no answer here allows it. */
const attemptAllowance = z.enum(['click', 'review', 'never'])
export type AttemptAllowance = z.infer<typeof attemptAllowance>

/** An attempt as a page shows it. */
export const listedAttempt = sandboxAttempt.extend({ allowance: attemptAllowance })
export type ListedAttempt = z.infer<typeof listedAttempt>

/** `once`: until the server stops. `always`: kept with its approved launch. `keep`: stays blocked, and is not counted as new again. */
export const attemptAnswer = z.enum(['once', 'always', 'keep'])
export type AttemptAnswer = z.infer<typeof attemptAnswer>

/** `now`: it holds already. `next-start`: the server has to be started again. */
export const answerEffect = z.object({ holds: z.enum(['now', 'next-start']) })
export type AnswerEffect = z.infer<typeof answerEffect>

/** Days that attempts are kept. */
export const attemptDays = 7

/** Whether the sandbox refused it. An unknown name and a silent host are no refusals of it. */
export const isRefusedBySandbox = ({ refused }: Pick<SandboxAttempt, 'refused'>): boolean =>
  refused !== undefined && refused !== 'not-found' && refused !== 'unreachable'

/** Attempts that the sandbox refused and the person has not answered. */
export const unansweredAttempts = <T extends SandboxAttempt>(attempts: readonly T[]): T[] =>
  attempts.filter((one) => isRefusedBySandbox(one) && one.refused !== 'denied')

/** Pattern that grants one host and port, and nothing else where the port is none of the web's. */
export function hostPatternOf({ target, port = 443 }: Pick<AttemptTarget, 'target' | 'port'>): string {
  const host = target.includes(':') ? `[${target}]` : target
  return port === 80 || port === 443 ? host : `${host}:${port}`
}

/**
 * Host patterns that no reached host of these attempts is covered by, of a server that did reach others: one that was just approved, or was
 * not started, has used none of them yet. Whether a folder was used is not seen by Assent, so folders are not among them.
 */
export function unusedGrants({ hosts }: Pick<SandboxGrants, 'hosts'>, attempts: readonly SandboxAttempt[]): string[] {
  const reached = attempts.filter(({ kind, refused }) => kind === 'host' && refused === undefined)
  if (reached.length === 0) return []
  return hosts.filter(
    (pattern) => parseHostPattern(pattern) !== undefined && !reached.some(({ target, port = 443 }) => coversHost([pattern], target, port)),
  )
}

// Grants of a sandbox after the person answered what it refused. Pure.
const lists = {
  host: { allow: 'hosts', deny: 'denyHosts' },
  read: { allow: 'read', deny: 'denyRead' },
  write: { allow: 'write', deny: 'denyWrite' },
} as const satisfies Record<AttemptTarget['kind'], { allow: keyof SandboxGrants; deny: keyof SandboxGrants }>

/** Text of a grant, or of a denial, of the target. */
export const grantOf = (attempt: AttemptTarget): string => (attempt.kind === 'host' ? hostPatternOf(attempt) : attempt.target)

/** Adds the target to what is allowed, or to what is denied, and takes it off the other list. */
export function answeredGrants(grants: SandboxGrants, attempt: AttemptTarget, effect: 'allow' | 'deny'): SandboxGrants {
  const { allow, deny } = lists[attempt.kind]
  const [to, from] = effect === 'allow' ? [allow, deny] : [deny, allow]
  const value = grantOf(attempt)
  const without = (list: keyof SandboxGrants): string[] => grants[list].filter((one) => one !== value)
  return { ...grants, [to]: [...without(to), value], [from]: without(from) }
}
