// The broker: decides what the host may do, and is the only maker of approvals. Rules answer first, then the command line's policy,
// then the person. What cannot be audited is not allowed.
import { createHash } from 'node:crypto'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { type Explanation, explainCall } from '#app/consent/rules/explain-decision.ts'
import { type Condition, isToolRule, type Rule, type RuleDraft, type RuleTerms } from '#app/consent/rules/rule.ts'
import { serverSource } from '#app/consent/taint/private-flow.ts'
import { mcpAppConnections, mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type McpAppDomains, reachesOut } from '#app/mcp-apps/csp-domains.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { hostName } from '#app/text/host-name.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { AuditStore, RuleStore, SamplingStore } from '#main/store/store-api.ts'
import { type ApprovedMcpApp, mint } from './approved.ts'
import { createAuditWriter } from './audit-writer.ts'
import type { AnswerPolicy, ConsentBroker, McpAppQuestion, McpAppVerdict } from './broker-api.ts'
import { type BrokerContext, createLaunchValues, type LaunchKeyStore } from './broker-context.ts'
import {
  endApprovals,
  identityNow,
  madeFor,
  removeRule,
  restoreApprovals,
  restoreRule,
  runsOther,
  stillAllowed,
  takeAccount,
} from './persistent-rules.ts'
import { askConfigImport } from './request-kinds/ask-config-import.ts'
import { approveClicked, askForm, askUrl } from './request-kinds/ask-elicitation.ts'
import { askLaunch, keepPackage, keepUpdate, setSandbox } from './request-kinds/ask-launch.ts'
import { askRoots } from './request-kinds/ask-roots.ts'
import { askSampling, askSamplingResult } from './request-kinds/ask-sampling.ts'
import { askSignIn } from './request-kinds/ask-sign-in.ts'
import { askManualCall, askToolCall } from './request-kinds/ask-tool-call.ts'
import { createChangedTools } from './request-kinds/changed-tools.ts'
import { createQueue } from './request-queue.ts'
import { createPathResolver } from './resolve-path.ts'
import { createRuleInput } from './rule-input.ts'
import { createSamplingUsage } from './sampling-usage.ts'
import { createTaintSources, type TaintStore } from './taint-sources.ts'

/**
 * Decides whether an MCP App may be shown. One that declares no domains is shown without asking: its policy allows no request. Another
 * is shown once the person has seen its domains; their approval is bound to the server, the resource, and its fingerprint.
 */
function judgeMcpApp(context: BrokerContext, question: McpAppQuestion): McpAppVerdict {
  const { server, uri, html, domains, agreed } = question
  const fingerprint = viewFingerprint(html, domains)
  const mayReach = !reachesOut(domains) || context.rules.hasMcpApp(server, uri, fingerprint)
  if (!mayReach) {
    if (agreed !== fingerprint) return { fingerprint, approval: undefined }
    // Audited first: what cannot be audited is not allowed.
    context.audit.view(question, 'allowed', { fingerprint, connect: domains.connect, resource: domains.resource })
    context.rules.putMcpApp(server, uri, fingerprint)
  }
  return { fingerprint, approval: approveMcpApp(server, html, domains) }
}

const approveMcpApp = (server: string, html: string, domains: McpAppDomains): ApprovedMcpApp =>
  mint<ApprovedMcpApp>({ server, html, policy: mcpAppSecurityPolicy(domains), connections: mcpAppConnections(domains) })

const viewFingerprint = (html: string, { connect, resource, baseUri }: McpAppDomains): string =>
  createHash('sha256')
    .update(JSON.stringify([connect, resource, baseUri]))
    .update('\0')
    .update(html)
    .digest('hex')

/** Takes the answer of a joined command: to a question of its own, and for this once. */
function answerOwn({ queue }: BrokerContext, id: string, answer: ConsentAnswer, joined: string): boolean {
  const request = queue.open().find((one) => one.id === id)
  if (!request) return false
  const lasts = answer.kind !== 'cancel' && ((answer.scope ?? 'once') !== 'once' || answer.terms !== undefined || 'standing' in answer)
  if (request.joined !== joined || lasts)
    throw new HostError('contract.invalid', t`A command may answer only its own requests, for this once.`)
  return queue.answer(id, answer, 'command-line')
}

async function bindTerms(context: BrokerContext, terms: RuleTerms): Promise<RuleTerms> {
  if (!terms.conditions) return terms
  return { ...terms, conditions: await Promise.all(terms.conditions.map((condition) => bindCondition(context, condition))) }
}

async function bindCondition(context: BrokerContext, condition: Condition): Promise<Condition> {
  if (condition.kind === 'path-inside') {
    const found = await context.pathResolver.folder(condition.folder)
    if (found) return { ...condition, ...found }
    const message = t`“${condition.folder}” is not a folder that a rule can name: it takes the whole path, as it is on this disk.`
    throw new HostError('folder.not-found', message, { data: { path: condition.folder } })
  }
  if (condition.kind !== 'url-host') return condition
  const host = hostName(condition.host)
  if (host === undefined) throw new HostError('contract.invalid', t`“${condition.host}” is not the name of a host.`)
  return { ...condition, host }
}

async function saveRule(
  context: BrokerContext,
  draft: RuleDraft,
  { id, tools }: { readonly id?: string | undefined; readonly tools: readonly ToolEntry[] },
): Promise<Rule> {
  const terms = await bindTerms(context, draft)
  const before = id === undefined ? undefined : context.rules.list().find((rule) => rule.id === id)
  if (id !== undefined && !before) throw new HostError('rule.unknown', t`This rule was removed.`)
  const rule: Rule = {
    ...draft,
    ...terms,
    id: before?.id ?? newId(),
    createdAt: before?.createdAt ?? context.clock.now(),
    ...(draft.effect === 'allow' && isToolRule(draft) ? boundTo(draft, tools, before) : {}),
    ...(draft.effect === 'allow' && draft.server !== undefined ? programOf(context, draft.server, before) : {}),
    ...aboutData(context, draft, before),
  }
  // Audited first: what cannot be audited is not allowed.
  context.audit.rule(rule, before ? 'changed' : 'added', 'person')
  context.rules.put(rule)
  context.emit('rules.changed', { rules: context.rules.list() })
  context.queue.reconsider()
  return rule
}

/** Program and account that an approval is bound to. An edited rule keeps both: an edit does not approve what the server has become. */
const programOf = (context: BrokerContext, server: string, before: Rule | undefined): Pick<Rule, 'program' | 'account'> => {
  if (before?.effect !== 'allow' || before.server !== server) return madeFor(context, { server, account: context.accounts.now.get(server) })
  return defined({ program: before.program, account: before.account })
}

/** Identities of the programs whose data an answer is about. An edited one keeps what it was given for. */
function aboutData(context: BrokerContext, { server, flow, public: isPublic }: RuleDraft, before: Rule | undefined): Partial<Rule> {
  const sameServer = before?.server === server
  if (isPublic && server !== undefined)
    return defined({ identity: sameServer && before?.public ? before.identity : identityNow(context, server) })
  if (flow?.kind !== 'server') return {}
  const sameSource = sameServer && before?.flow?.kind === 'server' && before.flow.server === flow.server
  return { flow: sameSource ? before.flow : serverSource(flow.server, identityNow(context, flow.server)) }
}

/** Definitions that an approval is bound to. An edited rule for the same tools keeps them, whatever the tools have become. */
function boundTo(draft: RuleDraft, tools: readonly ToolEntry[], before: Rule | undefined): Pick<Rule, 'fingerprint' | 'definitions'> {
  const same =
    before?.effect === 'allow' && before.server === draft.server && before.tool === draft.tool && before.readOnly === draft.readOnly
  if (same && before.fingerprint !== undefined) return { fingerprint: before.fingerprint }
  if (same && before.definitions !== undefined) return { definitions: before.definitions }
  if (draft.tool === undefined) return { definitions: Object.fromEntries(tools.map(({ name, fingerprint }) => [name, fingerprint])) }
  const tool = tools.find(({ name }) => name === draft.tool)
  if (!tool)
    throw new HostError('tool.unknown', t`“${draft.server}” has no tool “${draft.tool}”.`, {
      data: { server: draft.server ?? '', tool: draft.tool },
    })
  return { fingerprint: tool.fingerprint }
}

async function previewDecision(context: BrokerContext, call: Parameters<ConsentBroker['previewDecision']>[0]): Promise<Explanation> {
  const input = createRuleInput(context, call, call.arguments)
  await input.look()
  return explainCall(input.now(), context.rules.list())
}

const programsOf = (context: BrokerContext) =>
  ({
    identity: (server) => identityNow(context, server),
    runsOther: (server) => runsOther(context, server),
    endApprovals: (server, because) => endApprovals(context, server, 'person', because),
    restoreApprovals: (ended) => restoreApprovals(context, ended),
    signedInAs: (server, account, change) => takeAccount(context, server, account, change),
    accountLoading(server, loaded) {
      const { loading } = context.accounts
      const over = loaded
        .catch(() => undefined) // Its start says why.
        .finally(() => {
          if (loading.get(server) === over) loading.delete(server)
        })
      loading.set(server, over)
    },
  }) satisfies Partial<ConsentBroker>

const launchesOf = (
  context: BrokerContext,
): Pick<ConsentBroker, 'launch' | 'approvedSandbox' | 'setSandbox' | 'packageInstalled' | 'bundleUpdated'> => ({
  launch: (question) => askLaunch(context, question),
  approvedSandbox(server) {
    const target = context.rules.launch(server)?.target
    return target?.transport === 'stdio' ? (target.sandbox ?? null) : undefined
  },
  setSandbox: (question, settings) => setSandbox(context, question, settings),
  bundleUpdated: (server, update) => keepUpdate(context, server, update),
  packageInstalled: (server, version, code) => keepPackage(context, server, version, { code }),
})

interface BrokerOptions {
  readonly rules: RuleStore
  readonly sampling: SamplingStore
  readonly audit: Pick<AuditStore, 'append'>
  readonly emit: Emit
  readonly clock: Clock
  readonly policy?: AnswerPolicy
  /** Store of the key that digests approved values; default: a key of this run. */
  readonly secrets?: LaunchKeyStore
  readonly onOpened?: (request: ConsentRequest) => void
  /** Consent mode of a conversation; default: `rules`. */
  readonly modeOf?: (conversationId: string) => ConsentMode
  /** Assent's data folder: no rule approves a call that may reach into it; default: none. */
  readonly dataDir?: string
  /** Folder of the key that signs permissions: as `dataDir`. */
  readonly keyFolder?: () => string | undefined
  /** Stored results of calls, as taint sources; default: none. */
  readonly said?: TaintStore
  /** Reads of the agents of an entry (`assent mcp`), as taint sources; default: none. */
  readonly agentReads?: BrokerContext['agentReads']
  /** Called when a server got another program, or an approval of it. */
  readonly onProgram?: (server: string) => void
}

export function createBroker(options: BrokerOptions): ConsentBroker {
  const { rules, clock } = options
  const emit: Emit = (name, payload) => {
    options.emit(name, payload)
    if (name === 'rules.changed') changedTools?.rulesChanged()
  }
  const audit = createAuditWriter(options.audit)
  const queue = createQueue({
    emit,
    clock,
    policy: options.policy,
    onOpened: options.onOpened,
    onAsking: (request) => audit.asked(request),
    onWithdrawn: (request, { because }) => audit.decided(request, 'withdrawn', null, because ? { because } : {}),
  })
  const context: BrokerContext = {
    rules,
    audit,
    queue,
    emit,
    clock,
    launchValues: createLaunchValues(options.secrets),
    taintSourcesOf: options.said ? createTaintSources(options.said) : () => ({ sources: [], unseen: false, reads: [] }),
    agentReads: options.agentReads ?? (() => []),
    programs: new Map(),
    accounts: { now: new Map(), loading: new Map() },
    onProgram: options.onProgram ?? (() => undefined),
    dataDir: options.dataDir,
    keyFolder: options.keyFolder ?? (() => undefined),
    asksPerson: options.policy === undefined,
    removed: new Map(),
    claims: new Map(),
    lookups: new Map(),
    pathResolver: createPathResolver(clock),
    samplingUsage: createSamplingUsage(options.sampling, clock),
    modeOf: (conversationId) => (conversationId === undefined ? 'rules' : (options.modeOf?.(conversationId) ?? 'rules')),
  }
  const changedTools = options.policy ? undefined : createChangedTools(context)
  return {
    toolCall: (question) => askToolCall(context, question),
    stillAllowed: (call) => stillAllowed(context, call),
    manualCall: (question) => askManualCall(context, question),
    ...launchesOf(context),
    configImport: (question) => askConfigImport(context, question),
    elicitForm: (question) => askForm(context, question),
    elicitUrl: (question) => askUrl(context, question),
    signIn: (question) => askSignIn(context, question),
    sampling: (question) => askSampling(context, question),
    samplingResult: (question) => askSamplingResult(context, question),
    samplingDay: (server) => context.samplingUsage.day(server),
    roots: (question) => askRoots(context, question),
    forgetSharedFolders(server) {
      if (rules.forgetSharedFolders(server)) audit.toldForgotten(server, 'person', 'asked-for')
    },
    toolsListed: (server, tools) => changedTools?.listed(server, tools),
    clickedUrl: (url) => approveClicked(context, url),
    mcpApp: (question) => judgeMcpApp(context, question),
    artifact: (html) => approveMcpApp('', html, { connect: [], resource: [], baseUri: [] }),
    forgetMcpApp(server, uri) {
      if (rules.forgetMcpApp(server, uri)) audit.view({ server, uri }, 'removed', {})
    },
    answer: (id, answer, joined) => (joined === undefined ? queue.answer(id, answer, 'person') : answerOwn(context, id, answer, joined)),
    claim(by, work) {
      const id = 'callId' in work ? work.callId : work.conversationId
      context.claims.set(id, by)
      return () => {
        if (context.claims.get(id) === by) context.claims.delete(id)
      }
    },
    open: () => queue.open(),
    place: (id, cause) => queue.place(id, cause),
    rules: () => rules.list(),
    ...programsOf(context),
    removeRule: (id) => removeRule(context, id),
    bindTerms: (terms) => bindTerms(context, terms),
    saveRule: (draft, known) => saveRule(context, draft, known),
    previewDecision: (call) => previewDecision(context, call),
    restoreRule: (id) => restoreRule(context, id),
    dispose: () => queue.dispose(),
  }
}
