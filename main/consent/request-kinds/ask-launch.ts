// Launches: starting a program or connecting to an address is asked once for each fingerprint. A change asks again and shows what was
// allowed before. Values of variables and headers are bound too, by digest (broker-context.ts).
import type { Decision } from '#app/chat/message.ts'
import { addDigest, compareDigests, type LaunchDigest, maskTarget } from '#app/consent/launch-digest.ts'
import type { ConsentAnswer, ConsentScope, LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { compareVersions } from '#app/server/bundle/semver-range.ts'
import type { LaunchPackage } from '#app/server/fetched.ts'
import type { SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { newId } from '#main/base/ids.ts'
import type { BundleMove, StoredLaunch } from '#main/store/store-api.ts'
import { type ApprovedLaunch, mint } from '../approved.ts'
import { type DecidedBy, launchFingerprint } from '../audit-writer.ts'
import type { ConnectionTestApproval, LaunchQuestion, LaunchVerdict } from '../broker-api.ts'
import { type BrokerContext, groupOf, type RunningProgram, refuse, requestBase } from '../broker-context.ts'
import { endFormerProgram, hasSameValues, identityOf, programOnce, renameProgram } from '../persistent-rules.ts'
import type { AnsweredBy } from '../request-queue.ts'
import { asApproved, beforeUpdate, relateLaunch, type Standing } from './launch-standing.ts'

/** Launch that each approval of a connection test was given for: as it was asked, and with the sandbox that was chosen. */
const agreedTo = new WeakMap<
  ConnectionTestApproval,
  { readonly asked: string; readonly target: LaunchTarget; readonly digest: LaunchDigest }
>()

/** Returns the launch with the version that it was approved with, else with the one that is found. */
async function withPackage(
  { rules, asksPerson }: BrokerContext,
  { server, target, findPackage, update }: LaunchQuestion,
): Promise<LaunchTarget> {
  if (!findPackage || target.transport !== 'stdio') return target
  const kept = rules.launch(server)
  const known = kept?.target.transport === 'stdio' ? kept.target.package : undefined
  if (kept && known && !update && launchFingerprint(asApproved({ ...target, package: known }, kept)) === kept.fingerprint)
    return { ...target, package: known }
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

/** Notes that the person put another version of a bundle in place of the one that its server runs, or in place of one never approved. */
export function keepUpdate({ rules }: BrokerContext, server: string, { from, to }: BundleMove): void {
  const kept = rules.launch(server)
  if (kept) rules.putLaunch(server, { ...kept, update: { from: kept.update?.to === from ? kept.update.from : from, to } })
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
  sandbox: 'launch-sandbox',
  update: 'package-update',
  bundle: 'launch-changed',
} as const satisfies Record<Standing, string>

/** Values of a launch beside those that were approved. */
function compareValues(
  question: LaunchQuestion,
  remembered: StoredLaunch | undefined,
  standing: Standing | undefined,
  digest: LaunchDigest | undefined,
) {
  const values = remembered?.digests ?? []
  const compared = compareDigests(values, digest)
  // Names that were added or removed are shown with the launch itself.
  const isKept = (name: string): boolean =>
    standing !== 'other' || (Object.hasOwn(question.values ?? {}, name) && values.some((one) => Object.hasOwn(one.values, name)))
  return { compared, changed: compared.kind === 'changed' ? compared.names.filter(isKept) : [] }
}

/** The launch with the sandbox of the answer. @throws {HostError} `contract.invalid`, and what resolving it throws */
function withAnswer(target: LaunchTarget, { sandbox: how }: LaunchQuestion, settings: SandboxSettings | undefined): LaunchTarget {
  if (settings === undefined) return target
  if (how === undefined || target.transport !== 'stdio') throw new HostError('contract.invalid', t`This server needs no sandbox.`)
  return { ...target, sandbox: how.resolve(settings) }
}

/** A launch that is ready to be asked about: its request, and what its approval is bound to. */
interface PreparedLaunch {
  readonly context: BrokerContext
  readonly question: LaunchQuestion
  readonly request: LaunchRequest
  readonly standing: Standing | undefined
  readonly remembered: StoredLaunch | undefined
  readonly digest: LaunchDigest | undefined
  /** Digest to compare with the approved one: with the folder of a bundle in place of that of its update. */
  readonly likeBefore: LaunchDigest | undefined
  readonly compared: ReturnType<typeof compareDigests>
}

/** Undefined: the question was withdrawn meanwhile, or has nothing to offer. Synchronous where there is nothing to wait for. */
type Preparing = PreparedLaunch | undefined | Promise<PreparedLaunch | undefined>

export function prepareLaunch(context: BrokerContext, asked: LaunchQuestion): Preparing {
  if (asked.signal.aborted || (asked.update && !context.asksPerson)) return undefined
  const digest = context.launchValues.digest(asked.values ?? {})
  if (!asked.findPackage && !(digest instanceof Promise)) return prepareWith(context, asked, digest)
  const withValues = async (): Promise<PreparedLaunch | undefined> => {
    const target = asked.findPackage ? await withPackage(context, asked) : asked.target
    return prepareWith(context, { ...asked, target }, await digest)
  }
  return withValues()
}

function prepareWith(context: BrokerContext, asked: LaunchQuestion, digest: LaunchDigest | undefined): Preparing {
  if (asked.signal.aborted) return undefined
  const proposed = structuredClone(asked.target)
  const question = { ...asked, target: proposed }
  const { server, sandbox: how, values = {} } = question
  const remembered = context.rules.launch(server)
  const { standing, target } = remembered ? relateLaunch(remembered, question) : { standing: undefined, target: proposed }
  if (question.update && !isOffered(question, remembered, standing, target)) return undefined
  const suggested = target === proposed ? (how?.suggested ?? []) : []
  const compareWith = (likeBefore: LaunchDigest | undefined): PreparedLaunch => {
    const { compared, changed } = compareValues(question, remembered, standing, likeBefore)
    const request: LaunchRequest = {
      ...requestBase(context, question, { kind: standing === undefined ? 'first-launch' : whys[standing] }),
      kind: 'launch',
      target: structuredClone(target),
      previous: standing === 'other' || standing === 'update' || standing === 'bundle' ? remembered?.target : undefined,
      ...(changed.length > 0 ? { changedValues: changed } : {}),
      ...(compared.kind === 'unknown' ? { valuesUnknown: true } : {}),
      ...(suggested.length > 0 ? { suggested } : {}),
      ...(question.connectionTest ? { connectionTest: true } : {}),
      fingerprint: launchFingerprint(target),
    }
    return { context, question, request, standing, remembered, digest, likeBefore, compared }
  }
  // A value may hold the folder of the bundle.
  if (!remembered || standing !== 'bundle') return compareWith(digest)
  return Promise.resolve(context.launchValues.digest(beforeUpdate(remembered, values))).then(compareWith)
}

export async function askLaunch(context: BrokerContext, asked: LaunchQuestion): Promise<LaunchVerdict> {
  const preparing = prepareLaunch(context, asked)
  const prepared = preparing instanceof Promise ? await preparing : preparing
  if (!prepared) return { kind: 'withdrawn' }
  const { question, request, standing, remembered, digest, compared } = prepared
  const { server } = question
  const { target, fingerprint } = request
  if (remembered && standing === 'same' && (compared.kind === 'same' || compared.kind === 'unbound')) {
    const binds = (compared.kind === 'unbound' && digest !== undefined) || remembered.fingerprint !== fingerprint
    const digests = compared.kind === 'unbound' ? addDigest(remembered.digests, digest) : remembered.digests
    if (binds && !question.connectionTest) bindLaunch(context, server, { target, digests, isSame: true })
    if (!question.connectionTest) runs(context, server, { program: fingerprint, identity: identityOf(remembered), target })
    context.audit.decided(request, 'allowed', 'rule', { scope: 'always' })
    return allowLaunch(server, target, { allowed: true, by: 'rule', scope: 'always' })
  }
  const agreed = earlierTest(question, fingerprint, digest)
  if (agreed) {
    const chosen = { ...request, target: agreed.target, fingerprint: launchFingerprint(agreed.target) }
    context.audit.decided(chosen, 'allowed', 'rule', { scope: 'once', agreed: 'to an earlier test run' })
    return { ...allowLaunch(server, agreed.target, { allowed: true, by: 'rule', scope: 'once' }), yes: agreed.yes }
  }
  return context.queue.ask<LaunchVerdict>({
    request,
    origin: question,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') {
        if (question.update) declineUpdate(context, server, remembered, target)
        return refuse(context, request, answer, by)
      }
      const chosen = withAnswer(target, question, answer.sandbox)
      return { outcome: 'allowed', value: settleAllowed({ ...prepared, chosen }, answer, by) }
    },
  })
}

/**
 * Approves a prepared launch that the person was shown in the review of an import: audited now, kept once its server is saved. Two steps,
 * since the sandboxes of all are resolved before anything is on record.
 * @throws {HostError} see `LaunchQuestion.sandbox`
 */
export function approveReviewed(prepared: PreparedLaunch, sandbox: SandboxSettings | undefined) {
  const { question, request } = prepared
  const chosen = withAnswer(request.target, question, sandbox)
  const allowed: AllowedLaunch = { ...prepared, chosen }
  return {
    audit: (importId: string): void => auditAllowed(allowed, 'person', 'always', { review: importId }),
    keep: (): void => keepLaunch(allowed, question.server, 'person'),
  }
}

const allowLaunch = (server: string, target: LaunchTarget, decision: Decision): Extract<LaunchVerdict, { kind: 'allowed' }> => ({
  kind: 'allowed',
  decision,
  approval: mint<ApprovedLaunch>({ server, target, fingerprint: launchFingerprint(target) }),
})

function earlierTest(question: LaunchQuestion, fingerprint: string, digest: LaunchDigest | undefined) {
  for (const yes of question.connectionTest?.agreed ?? []) {
    const to = agreedTo.get(yes)
    if (to?.asked === fingerprint && compareDigests([to.digest], digest).kind === 'same') return { yes, target: to.target }
  }
  return undefined
}

function declineUpdate(context: BrokerContext, server: string, remembered: StoredLaunch | undefined, target: LaunchTarget): void {
  const { package: pinned } = remembered?.target.transport === 'stdio' ? remembered.target : {}
  const declined = target.transport === 'stdio' ? target.package?.version : undefined
  if (pinned && declined !== undefined) keepPackage(context, server, pinned.version, { declined })
}

interface AllowedLaunch extends PreparedLaunch {
  /** The launch as it was allowed, with the sandbox of the answer. */
  readonly chosen: LaunchTarget
}

function auditAllowed({ context, question, request, chosen }: AllowedLaunch, by: AnsweredBy, scope: ConsentScope, more: JsonObject = {}) {
  const sandbox = chosen.transport === 'stdio' && question.sandbox ? { sandbox: (chosen.sandbox ?? null) as Json } : {}
  const detail = { scope, ...sandbox, ...more }
  context.audit.decided({ ...request, target: chosen, fingerprint: launchFingerprint(chosen) }, 'allowed', by, detail)
}

function settleAllowed(allowed: AllowedLaunch, answer: Extract<ConsentAnswer, { kind: 'allow' }>, by: AnsweredBy): LaunchVerdict {
  const { context, question, request, standing, remembered, digest, likeBefore, chosen } = allowed
  const { server, connectionTest } = question
  const fingerprint = launchFingerprint(chosen)
  // The person's approval is for good. One from the command line is for this run unless it says otherwise: the server may come
  // from another config file than the profile's server of that name.
  const forGood = !connectionTest && (by === 'person' || answer.scope === 'always')
  const scope = forGood ? 'always' : 'once'
  const { audited, decided } = groupOf(answer)
  auditAllowed(allowed, by, scope, audited)
  const verdict = allowLaunch(server, chosen, { allowed: true, by, scope, ...decided })
  if (forGood) keepLaunch(allowed, server, by)
  if (!connectionTest) {
    const isSame =
      forGood ||
      !remembered ||
      standing === 'other' ||
      (compareDigests(remembered.digests, likeBefore).kind !== 'unknown' && hasSameValues(remembered, likeBefore))
    // What was approved without a sandbox is the same program in one, and rules go on.
    const program = !forGood && standing === 'sandbox' && remembered ? remembered.fingerprint : fingerprint
    const once = programOnce(program, isSame, digest)
    const kept = forGood ? context.rules.launch(server) : isSame && standing !== 'other' ? remembered : undefined
    runs(context, server, { program: once, identity: kept ? identityOf(kept) : once, target: chosen })
    return verdict
  }
  const yes: ConnectionTestApproval = { keep: (name) => keepLaunch(allowed, name, by) }
  if (digest !== undefined) agreedTo.set(yes, { asked: request.fingerprint, target: chosen, digest })
  return { ...verdict, yes }
}

function runs(context: BrokerContext, server: string, program: RunningProgram): void {
  context.programs.set(server, program)
  context.onProgram(server)
}

/** Approves exactly this launch for good. */
function keepLaunch({ context, question, digest, likeBefore, chosen }: AllowedLaunch, name: string, by: DecidedBy): void {
  const before = context.rules.launch(name)
  const sameBefore = before !== undefined && relateLaunch(before, question).standing !== 'other'
  const isSame = sameBefore && hasSameValues(before, likeBefore)
  if (!isSame) endFormerProgram(context, name, { before, target: chosen, by })
  // Digests under other keys may be of former values. Without a key nothing new can be bound.
  bindLaunch(context, name, { target: chosen, digests: digest === undefined ? (sameBefore ? before.digests : []) : [digest], isSame })
}

interface BoundLaunch extends Pick<StoredLaunch, 'target' | 'digests'> {
  /** Whether it is the program that was approved before. */
  readonly isSame: boolean
}

function bindLaunch(context: BrokerContext, name: string, { target, digests, isSame }: BoundLaunch): void {
  const before = context.rules.launch(name)
  const fingerprint = launchFingerprint(target)
  const identity = before && isSame ? identityOf(before) : newId()
  context.rules.putLaunch(name, { fingerprint, target: maskTarget(target), digests, identity })
  if (before && before.fingerprint !== fingerprint) renameProgram(context, name, before.fingerprint, fingerprint)
  context.onProgram(name)
}

/** Approves the approved launch with another sandbox. Its rules go on. @throws {HostError} see `ConsentBroker.setSandbox` */
export function setSandbox(context: BrokerContext, asked: LaunchQuestion, settings: SandboxSettings): void {
  const { server } = asked
  const remembered = context.rules.launch(server)
  const kept = remembered?.target.transport === 'stdio' ? remembered.target.package : undefined
  const target: LaunchTarget = asked.target.transport === 'stdio' && kept ? { ...asked.target, package: kept } : asked.target
  if (!remembered || launchFingerprint(asApproved(target, remembered)) !== remembered.fingerprint)
    throw new HostError('server.refused', t`“${server}” has no approved start.`, {
      data: { server },
    })
  const chosen = withAnswer(target, asked, settings)
  // Audited first: what cannot be audited is not allowed.
  context.audit.sandbox(server, chosen)
  bindLaunch(context, server, { target: chosen, digests: remembered.digests, isSame: true })
  const running = context.programs.get(server)
  if (running?.program === remembered.fingerprint) runs(context, server, { ...running, program: launchFingerprint(chosen), target: chosen })
}
