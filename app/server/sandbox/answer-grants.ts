// Grants of a sandbox after the person answered what it refused. Pure.
import { type AttemptTarget, hostPatternOf } from './sandbox-report.ts'
import type { SandboxGrants } from './sandbox-settings.ts'

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
