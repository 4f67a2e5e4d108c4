// Launches: starting a program or connecting to an address is asked once for each fingerprint. A change asks again and shows what was
// allowed before. Values of variables and headers are bound too, by digest (broker-context.ts).
import type { Decision } from '#app/chat/message.ts'
import { addDigest, compareDigests, type LaunchDigest, maskTarget } from '#app/consent/launch-digest.ts'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { compareVersions } from '#app/server/bundle/semver-range.ts'
import type { LaunchPackage } from '#app/server/fetched.ts'
import { newId } from '#main/base/ids.ts'
import type { StoredLaunch } from '#main/store/store-api.ts'
import { type ApprovedLaunch, mint } from '../approved.ts'
import { type DecidedBy, earlierFingerprint, launchFingerprint, unpinnedFingerprint } from '../audit-writer.ts'
import type { ConnectionTestApproval, LaunchQuestion, LaunchVerdict } from '../broker-api.ts'
import { type BrokerContext, refuse, requestBase } from '../broker-context.ts'
import { endFormerProgram, hasSameValues, identityOf, programOnce, renameProgram } from '../persistent-rules.ts'

/** Launch that each approval of a connection test was given for. */
const agreedTo = new WeakMap<ConnectionTestApproval, { readonly fingerprint: string; readonly digest: LaunchDigest }>()

/**
 * Relation of a launch to the approved one. `unseen`: the same, but its values were not shown then. `unpinned`: the same, but its version
 * could not be told then. `update`: another version of its package.
 */
type Standing = 'same' | 'unseen' | 'unpinned' | 'update' | 'other'

function standingOf(remembered: StoredLaunch, { target, folderAsShown = true }: LaunchQuestion, fingerprint: string): Standing {
  if (remembered.fingerprint === fingerprint) return 'same'
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

/** Returns the launch with the version that it was approved with, else with the one that is found. */
async function withPackage(
  { rules, asksPerson }: BrokerContext,
  { server, target, findPackage, update }: LaunchQuestion,
): Promise<LaunchTarget> {
  if (!findPackage || target.transport !== 'stdio') return target
  const kept = rules.launch(server)
  const known = kept?.target.transport === 'stdio' ? kept.target.package : undefined
  if (known && !update && launchFingerprint({ ...target, package: known }) === kept?.fingerprint) return { ...target, package: known }
  // A yes of the command line is for one run, whatever version that takes. Inside a sandbox nothing is fetched, so it is installed before.
  if (!asksPerson && target.sandbox?.kind !== 'on') return target
  const found = await findPackage()
  return typeof found === 'string' ? { ...target, unpinned: found } : { ...target, package: found }
}

/** Notes something about the approved version of a package. */
export function keepPackage({ rules }: BrokerContext, server: string, version: string, facts: Partial<LaunchPackage>): void {
  const kept = rules.launch(server)
  if (kept?.target.transport !== 'stdio' || kept.target.package?.version !== version) return
  const { target } = kept
  rules.putLaunch(server, { ...kept, target: { ...target, package: { ...kept.target.package, ...facts } } })
}

/** Whether a version that was found is to be offered: no older one, whatever a registry calls its latest. */
function isOffered(
  { update }: LaunchQuestion,
  remembered: StoredLaunch | undefined,
  standing: Standing | undefined,
  target: LaunchTarget,
): boolean {
  const was = remembered?.target.transport === 'stdio' ? remembered.target.package : undefined
  const found = target.transport === 'stdio' ? target.package : undefined
  const isOlder = (compareVersions(found?.version ?? '', was?.version ?? '') ?? 0) < 0
  return standing === 'update' && !isOlder && (update === 'again' || was?.declined !== found?.version)
}

const whys = {
  same: 'launch-changed',
  other: 'launch-changed',
  unseen: 'launch-values',
  unpinned: 'package-known',
  update: 'package-update',
} as const satisfies Record<Standing, string>

export async function askLaunch(context: BrokerContext, asked: LaunchQuestion): Promise<LaunchVerdict> {
  if (asked.signal.aborted || (asked.update && !context.asksPerson)) return { kind: 'withdrawn' }
  const target = structuredClone(asked.findPackage ? await withPackage(context, asked) : asked.target)
  if (asked.signal.aborted) return { kind: 'withdrawn' }
  const question = { ...asked, target }
  const { server } = question
  const fingerprint = launchFingerprint(target)
  const digesting = context.launchValues.digest(question.values ?? {})
  const digest = digesting instanceof Promise ? await digesting : digesting
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const remembered = context.rules.launch(server)
  const standing = remembered && standingOf(remembered, question, fingerprint)
  if (question.update && !isOffered(question, remembered, standing, target)) return { kind: 'withdrawn' }
  const sameTarget = remembered !== undefined && standing === 'same'
  const bound = sameTarget ? remembered.digests : []
  const values = remembered?.digests ?? []
  const compared = compareDigests(values, digest)
  // Names that were added or removed are shown with the launch itself.
  const isKept = (name: string): boolean =>
    standing !== 'other' || (Object.hasOwn(question.values ?? {}, name) && values.some((one) => Object.hasOwn(one.values, name)))
  const changedValues = compared.kind === 'changed' ? compared.names.filter(isKept) : []
  const request: LaunchRequest = {
    ...requestBase(context, question, { kind: standing === undefined ? 'first-launch' : whys[standing] }),
    kind: 'launch',
    target: structuredClone(target),
    previous: standing === 'other' || standing === 'update' ? remembered?.target : undefined,
    ...(changedValues.length > 0 ? { changedValues } : {}),
    ...(compared.kind === 'unknown' ? { valuesUnknown: true } : {}),
    ...(question.connectionTest ? { connectionTest: true } : {}),
    fingerprint,
  }
  const allowed = (decision: Decision): LaunchVerdict => ({
    kind: 'allowed',
    decision,
    approval: mint<ApprovedLaunch>({ server, target, fingerprint }),
  })
  const runs = (program: string, identity: string): void => {
    context.programs.set(server, { program, identity, target })
    context.onProgram(server)
  }
  const bind = (name: string, digests: readonly LaunchDigest[], isSame = true): void => {
    const before = context.rules.launch(name)
    const identity = before && isSame ? identityOf(before) : newId()
    context.rules.putLaunch(name, { fingerprint, target: maskTarget(target), digests, identity })
    if (before && before.fingerprint !== fingerprint) renameProgram(context, name, before.fingerprint, fingerprint)
    context.onProgram(name)
  }
  /** Approves exactly this launch for good. */
  const keep = (name: string, by: DecidedBy): void => {
    const before = context.rules.launch(name)
    const sameBefore = before !== undefined && standingOf(before, question, fingerprint) !== 'other'
    const isSame = sameBefore && hasSameValues(before, digest)
    if (!isSame) endFormerProgram(context, name, { before, target, by })
    // Digests under other keys may be of former values. Without a key nothing new can be bound.
    bind(name, digest === undefined ? (sameBefore ? before.digests : []) : [digest], isSame)
  }
  if (sameTarget && (compared.kind === 'same' || compared.kind === 'unbound')) {
    const binds = (compared.kind === 'unbound' && digest !== undefined) || remembered?.fingerprint !== fingerprint
    if (binds && !question.connectionTest) bind(server, compared.kind === 'unbound' ? addDigest(bound, digest) : bound)
    if (!question.connectionTest) runs(fingerprint, identityOf(remembered))
    context.audit.decided(request, 'allowed', 'rule', { scope: 'always' })
    return allowed({ allowed: true, by: 'rule', scope: 'always' })
  }
  const agreed = question.connectionTest?.agreed.find((yes) => {
    const to = agreedTo.get(yes)
    return to?.fingerprint === fingerprint && compareDigests([to.digest], digest).kind === 'same'
  })
  if (agreed) {
    context.audit.decided(request, 'allowed', 'rule', { scope: 'once', agreed: 'to an earlier test run' })
    return { ...allowed({ allowed: true, by: 'rule', scope: 'once' }), yes: agreed }
  }
  return context.queue.ask<LaunchVerdict>({
    request,
    origin: question,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') {
        const { package: pinned } = remembered?.target.transport === 'stdio' ? remembered.target : {}
        const declined = target.transport === 'stdio' ? target.package?.version : undefined
        if (question.update && pinned && declined !== undefined) keepPackage(context, server, pinned.version, { declined })
        return refuse(context, request, answer, by)
      }
      // The person's approval is for good. One from the command line is for this run unless it says otherwise: the server may come
      // from another config file than the profile's server of that name.
      const forGood = !question.connectionTest && (by === 'person' || answer.scope === 'always')
      const scope = forGood ? 'always' : 'once'
      context.audit.decided(request, 'allowed', by, { scope })
      const verdict = allowed({ allowed: true, by, scope })
      if (forGood) keep(server, by)
      const isSame = forGood || !remembered || standing === 'other' || (compared.kind !== 'unknown' && hasSameValues(remembered, digest))
      const once = programOnce(fingerprint, isSame, digest)
      const kept = forGood ? context.rules.launch(server) : isSame && standing !== 'other' ? remembered : undefined
      if (!question.connectionTest) runs(once, kept ? identityOf(kept) : once)
      if (!question.connectionTest) return { outcome: 'allowed', value: verdict }
      const yes: ConnectionTestApproval = { keep: (name) => keep(name, by) }
      if (digest !== undefined) agreedTo.set(yes, { fingerprint, digest })
      return { outcome: 'allowed', value: { ...verdict, yes } }
    },
  })
}
