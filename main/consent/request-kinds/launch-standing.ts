// Relation of a launch to the one that was approved: whether that approval still counts, and which sandbox goes with it.
import { isDeepStrictEqual } from 'node:util'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { LaunchSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { StoredLaunch } from '#main/store/store-api.ts'
import { earlierFingerprint, launchFingerprint, unpinnedFingerprint } from '../audit-writer.ts'
import type { LaunchQuestion, SandboxQuestion } from '../broker-api.ts'

/**
 * `unseen`: the same, but its values were not shown then. `unpinned`: the same, but its version could not be told then. `update`: another
 * version of its package. `bundle`: another version of its bundle, which the person installed. `sandbox`: the same, approved without a
 * sandbox, and now it can have one.
 */
export type Standing = 'same' | 'unseen' | 'unpinned' | 'update' | 'bundle' | 'sandbox' | 'other'

export interface LaunchRelation {
  readonly standing: Standing
  /** The launch with the sandbox that was approved, as long as that counts; else with the proposed one. */
  readonly target: LaunchTarget
}

type StdioTarget = Extract<LaunchTarget, { transport: 'stdio' }>

const withSandbox = ({ sandbox: _proposed, ...target }: StdioTarget, sandbox: LaunchSandbox | undefined): StdioTarget =>
  sandbox === undefined ? target : { ...target, sandbox }

export const asApproved = (target: LaunchTarget, { target: kept }: StoredLaunch): LaunchTarget =>
  target.transport === 'stdio' && kept.transport === 'stdio' ? withSandbox(target, kept.sandbox) : target

export function relateLaunch(remembered: StoredLaunch, question: LaunchQuestion): LaunchRelation {
  const { target } = question
  const before = programStanding(remembered, question, asApproved(target, remembered))
  const updated = before === 'other' ? afterUpdate(remembered, target) : undefined
  const standing = updated ? 'bundle' : before
  const approved = asApproved(target, updated ?? remembered)
  const kept = (updated ?? remembered).target
  if (standing === 'other' || target.transport !== 'stdio' || kept.transport !== 'stdio') return { standing, target }
  switch (sandboxStanding(kept.sandbox, target.sandbox, question.sandbox)) {
    case 'kept':
      return { standing, target: approved }
    case 'offered':
      return { standing: standing === 'same' ? 'sandbox' : standing, target }
    case 'changed':
      // Nothing is proposed with `--sandbox off` for an entry that says nothing: the card says so where it had a sandbox.
      return {
        standing: 'other',
        target: question.sandbox?.mode === 'without' ? withSandbox(target, { kind: 'off', by: 'option' }) : target,
      }
  }
}

/** Names of bundles’ folders need no escapes in JSON. */
const replaced = <T>(value: T, from: string, to: string): T => JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T

/** Texts with the folder of a bundle in place of that of its update. */
export const beforeUpdate = <T>({ update }: StoredLaunch, value: T): T => (update ? replaced(value, update.to, update.from) : value)

/** The approved launch in the folder of its update, where the launch differs in nothing else. */
function afterUpdate(remembered: StoredLaunch, target: LaunchTarget): StoredLaunch | undefined {
  const { update } = remembered
  if (!update) return undefined
  const moved = { ...remembered, target: replaced(remembered.target, update.from, update.to) }
  return launchFingerprint(beforeUpdate(remembered, asApproved(target, moved))) === remembered.fingerprint ? moved : undefined
}

/** Compares what runs, leaving the sandbox out: `target` has the approved one. */
function programStanding(remembered: StoredLaunch, { folderAsShown = true }: LaunchQuestion, target: LaunchTarget): Standing {
  if (remembered.fingerprint === launchFingerprint(target)) return 'same'
  const was = remembered.target
  if (was.transport !== 'stdio' || target.transport !== 'stdio') return 'other'
  const { package: pinned } = target
  if (pinned && was.package)
    return launchFingerprint({ ...target, package: { ...was.package, name: pinned.name } }) === remembered.fingerprint ? 'update' : 'other'
  if (was.package) return 'other'
  // An approval of before versions were told is for whatever ran: the first that is told is bound to it.
  if (pinned && unpinnedFingerprint(target) === remembered.fingerprint) return was.unpinned === undefined ? 'same' : 'unpinned'
  const isEarlier = !was.folder && !was.variables
  if (!isEarlier || !folderAsShown || earlierFingerprint(target) !== remembered.fingerprint) return 'other'
  return target.variables ? 'unseen' : 'same'
}

/** `kept`: the approved sandbox counts. `offered`: it was approved without one, and one is proposed. `changed`: it does not count any more. */
function sandboxStanding(
  kept: LaunchSandbox | undefined,
  proposed: LaunchSandbox | undefined,
  question: SandboxQuestion | undefined,
): 'kept' | 'offered' | 'changed' {
  const isOn = kept?.kind === 'on'
  if (question === undefined) return isDeepStrictEqual(kept, proposed) || (!isOn && proposed === undefined) ? 'kept' : 'changed'
  if (question.mode === 'without') return isOn ? 'changed' : 'kept'
  if (isChosen(kept, question)) return !isOn || isAsBefore(kept, question) ? 'kept' : 'changed'
  if (!isOn && proposed?.kind === 'on') return 'offered'
  // Without an engine nothing changes for whoever runs without a sandbox already.
  if (question.mode === 'default') return 'kept'
  return kept?.kind === 'missing' && proposed?.kind === 'missing' && !kept.byDefault ? 'kept' : 'changed'
}

/** Whether the approved sandbox is an answer to what the entry says now. */
function isChosen(kept: LaunchSandbox | undefined, { mode, asked }: SandboxQuestion): boolean {
  if (kept === undefined || kept.kind === 'missing') return false
  if (mode === 'required') return kept.kind === 'on'
  if (mode === 'default') return kept.kind === 'on' || kept.by === 'person'
  if (asked?.kind === 'off') return kept.kind === 'off' || kept.asked?.kind === 'off'
  if (kept.asked) return isDeepStrictEqual(kept.asked, asked)
  return kept.kind === 'on' && asked?.kind === 'on' && isDeepStrictEqual(grantsIn(kept), asked.grants)
}

const grantsIn = ({ kind: _kind, ownFolder: _own, asked: _asked, ...grants }: Extract<LaunchSandbox, { kind: 'on' }>) => grants

/** Whether the approved grants can still be given, and lead to where they led. */
function isAsBefore(kept: Extract<LaunchSandbox, { kind: 'on' }>, { hasEngine, resolve }: SandboxQuestion): boolean {
  if (!hasEngine) return false
  try {
    const now = resolve({ kind: 'on', grants: grantsIn(kept) })
    return now.kind === 'on' && now.ownFolder === kept.ownFolder && isDeepStrictEqual(grantsIn(now), grantsIn(kept))
  } catch {
    return false // A link leads elsewhere by now: the person is asked again.
  }
}
