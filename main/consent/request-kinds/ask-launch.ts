// Launches: starting a program or connecting to an address is asked once for each fingerprint. A change asks again and shows what was
// allowed before. Values of variables and headers are bound too, by digest (broker-context.ts).
import type { Decision } from '#app/chat/message.ts'
import { addDigest, compareDigests, type LaunchDigest } from '#app/consent/launch-digest.ts'
import type { LaunchRequest } from '#app/consent/request.ts'
import type { StoredLaunch } from '#main/store/store-api.ts'
import { type ApprovedLaunch, mint } from '../approved.ts'
import { type DecidedBy, earlierFingerprint, launchFingerprint, maskTarget } from '../audit-writer.ts'
import type { ConnectionTestApproval, LaunchQuestion, LaunchVerdict } from '../broker-api.ts'
import { type BrokerContext, refuse, requestBase } from '../broker-context.ts'
import { hasSameValues, programOnce, renameProgram, voidApprovals } from '../persistent-rules.ts'

/** Launch that each approval of a connection test was given for. */
const agreedTo = new WeakMap<ConnectionTestApproval, { readonly fingerprint: string; readonly digest: LaunchDigest }>()

/** Relation of a launch to the approved one. `unseen`: the same, but its values were not shown then. */
type Standing = 'same' | 'unseen' | 'other'

function standingOf(remembered: StoredLaunch, { target, folderAsShown = true }: LaunchQuestion, fingerprint: string): Standing {
  if (remembered.fingerprint === fingerprint) return 'same'
  const was = remembered.target
  const isEarlier = was.transport === 'stdio' && target.transport === 'stdio' && !was.folder && !was.variables
  if (!isEarlier || !folderAsShown || earlierFingerprint(target) !== remembered.fingerprint) return 'other'
  return target.variables ? 'unseen' : 'same'
}

export async function askLaunch(context: BrokerContext, question: LaunchQuestion): Promise<LaunchVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { server } = question
  const target = structuredClone(question.target)
  const fingerprint = launchFingerprint(target)
  const digesting = context.launchValues.digest(question.values ?? {})
  const digest = digesting instanceof Promise ? await digesting : digesting
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const remembered = context.rules.launch(server)
  const standing = remembered && standingOf(remembered, question, fingerprint)
  const sameTarget = remembered !== undefined && standing === 'same'
  const bound = sameTarget ? remembered.digests : []
  const values = remembered?.digests ?? []
  const compared = compareDigests(values, digest)
  // Names that were added or removed are shown with the launch itself.
  const isKept = (name: string): boolean =>
    standing !== 'other' || (Object.hasOwn(question.values ?? {}, name) && values.some((one) => Object.hasOwn(one.values, name)))
  const changedValues = compared.kind === 'changed' ? compared.names.filter(isKept) : []
  const request: LaunchRequest = {
    ...requestBase(context, question, {
      kind: standing === undefined ? 'first-launch' : standing === 'unseen' ? 'launch-values' : 'launch-changed',
    }),
    kind: 'launch',
    target: structuredClone(target),
    previous: standing === 'other' ? remembered?.target : undefined,
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
  const bind = (name: string, digests: readonly LaunchDigest[]): void => {
    const before = context.rules.launch(name)
    context.rules.putLaunch(name, { fingerprint, target: maskTarget(target), digests })
    if (before && before.fingerprint !== fingerprint) renameProgram(context, name, before.fingerprint, fingerprint)
  }
  /** Approves exactly this launch for good. */
  const keep = (name: string, by: DecidedBy): void => {
    const before = context.rules.launch(name)
    const sameBefore = before !== undefined && standingOf(before, question, fingerprint) !== 'other'
    // Rules were made for the program that ran before, whatever this one calls its tools.
    if (before && !(sameBefore && hasSameValues(before, digest))) voidApprovals(context, name, by, 'launch-changed')
    // Digests under other keys may be of former values. Without a key nothing new can be bound.
    bind(name, digest === undefined ? (sameBefore ? before.digests : []) : [digest])
  }
  if (sameTarget && (compared.kind === 'same' || compared.kind === 'unbound')) {
    const binds = (compared.kind === 'unbound' && digest !== undefined) || remembered?.fingerprint !== fingerprint
    if (binds && !question.connectionTest) bind(server, compared.kind === 'unbound' ? addDigest(bound, digest) : bound)
    if (!question.connectionTest) context.programs.set(server, { program: fingerprint, target })
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
      if (answer.kind !== 'allow') return refuse(context, request, answer, by)
      // The person's approval is for good. One from the command line is for this run unless it says otherwise: the server may come
      // from another config file than the profile's server of that name.
      const forGood = !question.connectionTest && (by === 'person' || answer.scope === 'always')
      const scope = forGood ? 'always' : 'once'
      context.audit.decided(request, 'allowed', by, { scope })
      const verdict = allowed({ allowed: true, by, scope })
      if (forGood) keep(server, by)
      const isSame = forGood || !remembered || standing === 'other' || (compared.kind !== 'unknown' && hasSameValues(remembered, digest))
      if (!question.connectionTest) context.programs.set(server, { program: programOnce(fingerprint, isSame, digest), target })
      if (!question.connectionTest) return { outcome: 'allowed', value: verdict }
      const yes: ConnectionTestApproval = { keep: (name) => keep(name, by) }
      if (digest !== undefined) agreedTo.set(yes, { fingerprint, digest })
      return { outcome: 'allowed', value: { ...verdict, yes } }
    },
  })
}
