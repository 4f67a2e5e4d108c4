// The broker: the one place where the host learns what the person allows, and the only maker of approvals. Rules answer first,
// then the command line's policy, then the person. What cannot be put on record is not allowed. Rules that the person writes
// down themselves, and the question what they would do. Servers that the person takes over from another program: one question
// for all of them, with the exact commands. A yes writes them and starts nothing; the launch of each is asked for by itself.

import { createHash } from 'node:crypto'
import type { ConfigImportRequest, ConsentRequest } from '#app/consent/request.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { type Explanation, explainCall } from '#app/consent/rules/explain-decision.ts'
import type { Condition, Rule, RuleDraft, RuleTerms } from '#app/consent/rules/rule.ts'
import { mcpAppConnections, mcpAppSecurityPolicy } from '#app/contract/csp.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type McpAppDomains, reachesOut } from '#app/mcp-apps/csp-domains.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { hostName } from '#app/text/host-name.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { AuditStore, RuleStore, SamplingStore } from '#main/store/store-api.ts'
import { type ApprovedMcpApp, mint } from './approved.ts'
import { createAuditWriter } from './audit-writer.ts'
import type { AnswerPolicy, ConfigImportQuestion, ConsentBroker, McpAppQuestion, McpAppVerdict, PreviewedCall } from './broker-api.ts'
import { type BrokerContext, createLaunchValues, type LaunchKeyStore, refuse, requestBase } from './broker-context.ts'
import { endApprovals, madeFor, removeRule, restoreApprovals, restoreRule, stillAllowed } from './persistent-rules.ts'
import { approveClicked, askForm, askUrl } from './request-kinds/ask-elicitation.ts'
import { askLaunch } from './request-kinds/ask-launch.ts'
import { askManualCall } from './request-kinds/ask-manual-call.ts'
import { askRoots } from './request-kinds/ask-roots.ts'
import { askSampling, askSamplingResult } from './request-kinds/ask-sampling.ts'
import { askSignIn } from './request-kinds/ask-sign-in.ts'
import { askToolCall } from './request-kinds/ask-tool-call.ts'
import { createChangedTools } from './request-kinds/changed-tools.ts'
import { createQueue } from './request-queue.ts'
import { createPathResolver } from './resolve-path.ts'
import { createRuleInput } from './rule-input.ts'
import { createSamplingUsage } from './sampling-usage.ts'
import { createTaintSources, type TaintStore } from './taint-sources.ts'

type Outcome = 'allowed' | 'denied' | 'withdrawn'

function askConfigImport(context: BrokerContext, { from, servers, signal }: ConfigImportQuestion): Promise<Outcome> {
  const request: ConfigImportRequest = {
    ...requestBase(context, { server: from, signal }, { kind: 'person-asks' }),
    kind: 'config-import',
    servers: [...servers],
  }
  return context.queue.ask<Outcome>({
    request,
    signal,
    withdrawn: 'withdrawn',
    settle(answer, by) {
      if (answer.kind !== 'allow') return { outcome: refuse(context, request, answer, by).outcome, value: 'denied' }
      context.audit.decided(request, 'allowed', by, { scope: 'once' })
      return { outcome: 'allowed', value: 'allowed' }
    },
  })
}

// Whether the view of a tool (MCP Apps) may be drawn. One that declares no place to load from or connect to is drawn unasked:
// its policy lets it make no request, and all it ever knows is what its own server said or was told. One that reaches out
// is drawn once the person has been shown where; their yes is bound to the server, the resource, and what it was then.

function judgeMcpApp(context: BrokerContext, question: McpAppQuestion): McpAppVerdict {
  const { server, uri, html, domains, agreed } = question
  const fingerprint = viewFingerprint(html, domains)
  const mayReach = !reachesOut(domains) || context.rules.hasMcpApp(server, uri, fingerprint)
  if (!mayReach) {
    if (agreed !== fingerprint) return { fingerprint, approval: undefined }
    // On record first: when it cannot be recorded, nothing is allowed.
    context.audit.view(question, 'allowed', { fingerprint, connect: domains.connect, resource: domains.resource })
    context.rules.putMcpApp(server, uri, fingerprint)
  }
  const policy = { policy: mcpAppSecurityPolicy(domains), connections: mcpAppConnections(domains) }
  return { fingerprint, approval: mint<ApprovedMcpApp>({ server, html, ...policy }) }
}

function forgetMcpApp(context: BrokerContext, server: string, uri: string): void {
  if (context.rules.forgetMcpApp(server, uri)) context.audit.view({ server, uri }, 'removed', {})
}

const viewFingerprint = (html: string, { connect, resource, baseUri }: McpAppDomains): string =>
  createHash('sha256')
    .update(JSON.stringify([connect, resource, baseUri]))
    .update('\0')
    .update(html)
    .digest('hex')

async function bindTerms(context: BrokerContext, terms: RuleTerms): Promise<RuleTerms> {
  if (!terms.conditions) return terms
  return { ...terms, conditions: await Promise.all(terms.conditions.map((condition) => bindCondition(context, condition))) }
}

async function bindCondition(context: BrokerContext, condition: Condition): Promise<Condition> {
  if (condition.kind === 'path-inside') {
    const found = await context.pathResolver.folder(condition.folder)
    if (!found)
      throw new HostError(
        'folder.not-found',
        t`“${condition.folder}” is not a folder that a rule can name: it takes the whole path, as it is on this disk.`,
        {
          data: { path: condition.folder },
        },
      )
    return { ...condition, ...found }
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
  if (id !== undefined && !before) throw new HostError('rule.unknown', t`This rule is not there any more.`)
  const rule: Rule = {
    ...draft,
    ...terms,
    id: before?.id ?? newId(),
    createdAt: before?.createdAt ?? context.clock.now(),
    ...(draft.effect === 'allow' && !draft.sampling ? boundTo(draft, tools, before) : {}),
    ...(draft.effect === 'allow' && draft.server !== undefined ? programOf(context, draft.server, before) : {}),
  }
  // On record first: what cannot be recorded is not allowed.
  context.audit.rule(rule, before ? 'changed' : 'added', 'person')
  context.rules.put(rule)
  context.emit('rules.changed', { rules: context.rules.list() })
  context.queue.reconsider()
  return rule
}

/** Nor what its server has become. */
const programOf = (context: BrokerContext, server: string, before: Rule | undefined): Pick<Rule, 'program'> => {
  if (before?.effect !== 'allow' || before.server !== server) return madeFor(context, server)
  return before.program === undefined ? {} : { program: before.program }
}

/** To edit a rule is not to approve what its tool has become. */
function boundTo(draft: RuleDraft, tools: readonly ToolEntry[], before: Rule | undefined): Pick<Rule, 'fingerprint' | 'definitions'> {
  const same =
    before?.effect === 'allow' && before.server === draft.server && before.tool === draft.tool && before.readOnly === draft.readOnly
  if (same && before.fingerprint !== undefined) return { fingerprint: before.fingerprint }
  if (same && before.definitions !== undefined) return { definitions: before.definitions }
  if (draft.tool === undefined) return { definitions: Object.fromEntries(tools.map(({ name, fingerprint }) => [name, fingerprint])) }
  const tool = tools.find(({ name }) => name === draft.tool)
  if (!tool)
    throw new HostError('tool.unknown', t`“${draft.server}” has no tool “${draft.tool}” that Assent knows of, so it cannot be allowed.`, {
      data: { server: draft.server ?? '', tool: draft.tool },
    })
  return { fingerprint: tool.fingerprint }
}

async function previewDecision(context: BrokerContext, call: PreviewedCall): Promise<Explanation> {
  const facts = createRuleInput(context, call, call.arguments)
  await facts.look()
  return explainCall(facts.now(), context.rules.list())
}

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
  readonly said?: TaintStore
}): ConsentBroker {
  const { rules, clock } = options
  const emit: Emit = (name, payload) => {
    options.emit(name, payload)
    if (name === 'rules.changed') changedTools?.rulesChanged()
  }
  const record = createAuditWriter(options.audit)
  const queue = createQueue({
    emit,
    clock,
    policy: options.policy,
    onOpened: options.onOpened,
    onAsking: (request) => record.asked(request),
    onWithdrawn: (request, { because }) => record.decided(request, 'withdrawn', null, because ? { because } : {}),
  })
  const context: BrokerContext = {
    rules,
    audit: record,
    queue,
    emit,
    clock,
    launchValues: createLaunchValues(options.secrets),
    taintSourcesOf: options.said ? createTaintSources(options.said) : () => ({ sources: [], unseen: false }),
    programs: new Map(),
    dataDir: options.dataDir,
    removed: new Map(),
    pathResolver: createPathResolver(clock),
    samplingUsage: createSamplingUsage(options.sampling, clock),
    modeOf: (conversationId) => (conversationId === undefined ? 'rules' : (options.modeOf?.(conversationId) ?? 'rules')),
  }
  const changedTools = options.policy ? undefined : createChangedTools(context)
  return {
    toolCall: (question) => askToolCall(context, question),
    stillAllowed: (call) => stillAllowed(context, call),
    manualCall: (question) => askManualCall(context, question),
    launch: (question) => askLaunch(context, question),
    configImport: (question) => askConfigImport(context, question),
    elicitForm: (question) => askForm(context, question),
    elicitUrl: (question) => askUrl(context, question),
    signIn: (question) => askSignIn(context, question),
    sampling: (question) => askSampling(context, question),
    samplingResult: (question) => askSamplingResult(context, question),
    samplingDay: (server) => context.samplingUsage.day(server),
    roots: (question) => askRoots(context, question),
    forgetSharedFolders(server) {
      if (rules.forgetSharedFolders(server)) record.toldForgotten(server, 'person', 'asked-for')
    },
    toolsListed: (server, tools) => changedTools?.listed(server, tools),
    clickedUrl: (url) => approveClicked(context, url),
    mcpApp: (question) => judgeMcpApp(context, question),
    forgetMcpApp: (server, uri) => forgetMcpApp(context, server, uri),
    answer: (id, answer) => queue.answer(id, answer),
    open: () => queue.open(),
    place: (id, cause) => queue.place(id, cause),
    rules: () => rules.list(),
    endApprovals: (server, because) => endApprovals(context, server, 'person', because),
    restoreApprovals: (ended) => restoreApprovals(context, ended),
    removeRule: (id) => removeRule(context, id),
    bindTerms: (terms) => bindTerms(context, terms),
    saveRule: (draft, known) => saveRule(context, draft, known),
    previewDecision: (call) => previewDecision(context, call),
    restoreRule: (id) => restoreRule(context, id),
    dispose: () => queue.dispose(),
  }
}
