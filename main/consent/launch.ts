// Starting a program or connecting to an address: asked once for each fingerprint of what would be started. A change
// asks again and shows what was allowed before.
import type { Decision } from '#app/chat/message.ts'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { type ApprovedLaunch, mint } from './approved.ts'
import { launchFingerprint, maskTarget } from './digest.ts'
import { type Kit, requestBase } from './kit.ts'
import { voidApprovals } from './standing.ts'
import type { Origin, Verdict } from './types.ts'

type LaunchVerdict = Verdict<ApprovedLaunch>

export async function askLaunch(kit: Kit, question: Origin & { readonly target: LaunchTarget }): Promise<LaunchVerdict> {
  if (question.signal.aborted) return { kind: 'withdrawn' }
  const { server } = question
  const target = structuredClone(question.target)
  const fingerprint = launchFingerprint(target)
  const remembered = kit.rules.launch(server)
  const request: LaunchRequest = {
    ...requestBase(kit, question, { kind: remembered ? 'launch-changed' : 'first-launch' }),
    kind: 'launch',
    target: structuredClone(target),
    previous: remembered?.target,
    fingerprint,
  }
  const allowed = (decision: Decision): LaunchVerdict => ({
    kind: 'allowed',
    decision,
    approval: mint<ApprovedLaunch>({ server, target, fingerprint }),
  })
  if (remembered?.fingerprint === fingerprint) {
    kit.record.decided(request, 'allowed', 'rule', { scope: 'always' })
    return allowed({ allowed: true, by: 'rule', scope: 'always' })
  }
  return kit.queue.ask<LaunchVerdict>({
    request,
    signal: question.signal,
    onAsked: question.onAsked,
    withdrawn: { kind: 'withdrawn' },
    settle(answer, by) {
      if (answer.kind !== 'allow') {
        const word = answer.kind === 'deny' && answer.word ? { word: answer.word } : {}
        kit.record.decided(request, 'denied', by, word)
        return {
          outcome: 'denied',
          value: {
            kind: 'denied',
            decision: { allowed: false, by, scope: 'once', ...word },
            stop: answer.kind === 'deny' && !!answer.stop,
          },
        }
      }
      // The person's yes is for good. One from the command line speaks of this run, unless it says otherwise: the server
      // may come from another config file than the profile's own of the same name.
      const forGood = by === 'person' || answer.scope === 'always'
      const scope = forGood ? 'always' : 'once'
      kit.record.decided(request, 'allowed', by, { scope })
      if (forGood) {
        // What was allowed for good was allowed to what ran before, whatever this one calls its tools.
        if (remembered) voidApprovals(kit, server, by)
        kit.rules.putLaunch(server, { fingerprint, target: maskTarget(target) })
      }
      return { outcome: 'allowed', value: allowed({ allowed: true, by, scope }) }
    },
  })
}
