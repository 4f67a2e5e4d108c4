// The broker: the one place where the host learns what the person allows, and the only maker of approvals. Rules answer
// first, then the command line's policy, then the person. What cannot be put on record is not allowed.
import type { ConsentMode } from '#app/consent/mode.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { AuditStore, RuleStore, SamplingStore } from '#main/store/types.ts'
import { askByHand } from './by-hand.ts'
import { createChangedTools } from './changed-tools.ts'
import { askConfigImport } from './config-import.ts'
import { bindTerms, saveRule, suppose } from './edit-rules.ts'
import { approveClicked, askForm, askUrl } from './elicitation.ts'
import type { Kit } from './kit.ts'
import { askLaunch } from './launch.ts'
import { createLaunchValues, type LaunchKeyStore } from './launch-values.ts'
import { createPlaces } from './places.ts'
import { createQueue } from './queue.ts'
import { createRecord } from './record.ts'
import { askRoots } from './roots.ts'
import { createSaid, type SaidStore } from './said.ts'
import { askSampling, askSamplingResult } from './sampling.ts'
import { createSamplingUse } from './sampling-use.ts'
import { askSignIn } from './sign-in.ts'
import { endApprovals, removeRule, restoreApprovals, restoreRule } from './standing.ts'
import { askToolCall } from './tool-call.ts'
import type { AnswerPolicy, ConsentBroker } from './types.ts'
import { forgetView, judgeView } from './views.ts'

export function createBroker(options: {
  readonly rules: RuleStore
  readonly sampling: SamplingStore
  readonly audit: Pick<AuditStore, 'append'>
  readonly emit: Emit
  readonly clock: Clock
  readonly policy?: AnswerPolicy
  /** Where the key lies that approved values are digested with; default: a key of this run. */
  readonly secrets?: LaunchKeyStore
  readonly onOpened?: (request: ConsentRequest) => void
  /** How a conversation asks; default: as the rules say. */
  readonly modeOf?: (conversationId: string) => ConsentMode
  /** Assent's own: no rule answers for what may lead into it; default: none. */
  readonly dataDir?: string
  /** Where the results of calls lie; default: nothing was said by any server. */
  readonly said?: SaidStore
}): ConsentBroker {
  const { rules, clock } = options
  const emit: Emit = (name, payload) => {
    options.emit(name, payload)
    if (name === 'rules.changed') changedTools?.rulesChanged()
  }
  const record = createRecord(options.audit)
  const queue = createQueue({
    emit,
    clock,
    policy: options.policy,
    onOpened: options.onOpened,
    onAsking: (request) => record.asked(request),
    onWithdrawn: (request, { because }) => record.decided(request, 'withdrawn', null, because ? { because } : {}),
  })
  const kit: Kit = {
    rules,
    record,
    queue,
    emit,
    clock,
    launchValues: createLaunchValues(options.secrets),
    saidIn: options.said ? createSaid(options.said) : () => ({ sources: [], unseen: false }),
    programs: new Map(),
    dataDir: options.dataDir,
    removed: new Map(),
    places: createPlaces(clock),
    samplingUse: createSamplingUse(options.sampling, clock),
    modeOf: (conversationId) => (conversationId === undefined ? 'rules' : (options.modeOf?.(conversationId) ?? 'rules')),
  }
  const changedTools = options.policy ? undefined : createChangedTools(kit)
  return {
    toolCall: (question) => askToolCall(kit, question),
    callByHand: (question) => askByHand(kit, question),
    launch: (question) => askLaunch(kit, question),
    configImport: (question) => askConfigImport(kit, question),
    elicitForm: (question) => askForm(kit, question),
    elicitUrl: (question) => askUrl(kit, question),
    signIn: (question) => askSignIn(kit, question),
    sampling: (question) => askSampling(kit, question),
    samplingResult: (question) => askSamplingResult(kit, question),
    samplingDay: (server) => kit.samplingUse.day(server),
    roots: (question) => askRoots(kit, question),
    forgetTold(server) {
      if (rules.forgetTold(server)) record.toldForgotten(server, 'person', 'asked-for')
    },
    toolsListed: (server, tools) => changedTools?.listed(server, tools),
    clickedUrl: (url) => approveClicked(kit, url),
    view: (question) => judgeView(kit, question),
    forgetView: (server, uri) => forgetView(kit, server, uri),
    answer: (id, answer) => queue.answer(id, answer),
    open: () => queue.open(),
    place: (id, cause) => queue.place(id, cause),
    rules: () => rules.list(),
    endApprovals: (server, because) => endApprovals(kit, server, 'person', because),
    restoreApprovals: (ended) => restoreApprovals(kit, ended),
    removeRule: (id) => removeRule(kit, id),
    bindTerms: (terms) => bindTerms(kit, terms),
    saveRule: (draft, known) => saveRule(kit, draft, known),
    suppose: (call) => suppose(kit, call),
    restoreRule: (id) => restoreRule(kit, id),
    dispose: () => queue.dispose(),
  }
}
