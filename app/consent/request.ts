// Requests that wait for the person, and their answers. One queue for every kind, owned by main.
import { z } from 'zod'
import { requestAgent } from '../gate.ts'
import { jsonObject } from '../json-schemas.ts'
import { account } from '../server/auth-status.ts'
import { toolAnnotations } from '../server/catalogue.ts'
import { launchPackage, unpinnedReason } from '../server/fetched.ts'
import { launchSandbox, sandboxSettings } from '../server/sandbox/sandbox-settings.ts'
import { sandboxSuggestion } from '../server/sandbox/sandbox-suggestion.ts'
import { variableEffect } from '../text/environment-names.ts'
import { ruleTerms } from './rules/rule.ts'
import { samplingDay, samplingTerms } from './rules/sampling-budget.ts'
import { samplingCall, samplingEdit, samplingMessage, samplingTool, samplingWishes, toolChoice } from './sampling.ts'
import { privateFlow } from './taint/private-flow.ts'
import { taints } from './taint/taint.ts'
import { approvedDefinition, toolDefinition } from './tool-definition.ts'

const byRule = ['ask-rule', 'unsure-rule', 'sampling-limit', 'sampling-untrusted'] as const
const byCall = ['no-rule', 'mode-asks', 'tool-changed', 'account-changed', 'flow', 'own-folder', 'person-asks', 'view-asks'] as const
const byLaunch = ['first-launch', 'launch-changed', 'launch-values', 'launch-sandbox', 'package-known', 'package-update'] as const
const byServer = ['server-asks', 'sampling-budget', 'sampling-tools', 'sign-in-needed', 'sign-in-expired', 'more-scopes'] as const

/** Reason for asking, as data; the page makes a sentence of it (`display/request-title.ts`). */
export const askReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(byRule), ruleId: z.string() }),
  /** Skills of these other servers, in the chat, may want the reading. */
  z.object({ kind: z.literal('skill'), servers: z.array(z.string()) }),
  z.object({ kind: z.enum([...byCall, ...byLaunch, ...byServer]) }),
])
export type AskReason = z.infer<typeof askReason>

const common = {
  id: z.string(),
  createdAt: z.number(),
  server: z.string(),
  /** Account that the server is used as. */
  account: account.optional(),
  conversationId: z.string().optional(),
  callId: z.string().optional(),
  /** Model for whose answer it is asked, of two that stand beside each other. */
  answerOf: z.string().optional(),
  /** Joined command in whose turn, call, start or import it is asked; that command may answer it too. */
  joined: z.string().optional(),
  /** Agent in whose name it is asked (`assent mcp`). */
  agent: requestAgent.optional(),
  /** MCP App that asks, or whose call does. */
  view: z.object({ callId: z.string(), tool: z.string() }).optional(),
  /** Time at which the server stops waiting; it is then withdrawn. */
  expiresAt: z.number().optional(),
  why: askReason,
}

const toolCallRequest = z.object({
  ...common,
  kind: z.literal('tool-call'),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: toolAnnotations.optional(),
  trusted: z.boolean(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  /** Accepted definition, when the tool has changed. */
  previous: approvedDefinition.optional(),
  /** Arguments to be sent. `argumentsText`: the exact JSON text that an approval freezes. */
  arguments: jsonObject,
  argumentsText: z.string(),
  flows: taints.optional(),
  /** Flow that no answer covers yet. An answer beyond `once` is for it, and makes no rule for the tool beyond the conversation. */
  privateFlow: privateFlow.optional(),
  /** An approval for the conversation answers for what the server itself returns there, too. */
  ownFlow: z.literal(true).optional(),
  fingerprint: z.string(),
})

/** Target of a launch, untruncated; variables and headers by name, some variables with values. */
export const launchTarget = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('stdio'),
    command: z.string(),
    args: z.array(z.string()),
    envNames: z.array(z.string()),
    /** Variables that choose what runs or where traffic goes, as written in the file. Absent: none. */
    variables: z.array(z.object({ name: z.string(), value: z.string(), effect: variableEffect })).optional(),
    cwd: z.string().optional(),
    /** Actual working directory: absolute, links resolved. Absent: approved before this was bound. */
    folder: z.string().optional(),
    package: launchPackage.optional(),
    unpinned: unpinnedReason.optional(),
    /** Absent: it needs none, or was approved before there was one. */
    sandbox: launchSandbox.optional(),
  }),
  z.object({ transport: z.enum(['streamable-http', 'sse']), url: z.string(), headerNames: z.array(z.string()) }),
])
export type LaunchTarget = z.infer<typeof launchTarget>

const launchRequest = z.object({
  ...common,
  kind: z.literal('launch'),
  target: launchTarget,
  previous: launchTarget.optional(),
  /** Variables or headers whose value changed since the approval. */
  changedValues: z.array(z.string()).optional(),
  /** Whether the values could not be compared: the secret store is unavailable. */
  valuesUnknown: z.boolean().optional(),
  /** Grants of its sandbox that were suggested, with their reasons. */
  suggested: z.array(sandboxSuggestion).readonly().optional(),
  /** Connection test: the answer holds for that start, and later if it is saved unchanged. */
  connectionTest: z.literal(true).optional(),
  fingerprint: z.string(),
})

const formStep = z.object({ group: z.string(), index: z.number().int(), count: z.number().int() })
export type FormStep = z.infer<typeof formStep>

const elicitationFormRequest = z.object({
  ...common,
  kind: z.literal('elicitation-form'),
  message: z.string(),
  /** Flat object schema (MCP, "Elicitation"): string, number, integer, boolean, enums. */
  requestedSchema: jsonObject,
  /** Position among forms of one result, from 1. Each is answered and audited by itself. */
  step: formStep.optional(),
})

const elicitationUrlRequest = z.object({ ...common, kind: z.literal('elicitation-url'), message: z.string(), url: z.string() })

/** Sign-in at an authorization server, so that Assent may use the server in the person's name. */
const signInRequest = z.object({
  ...common,
  kind: z.literal('sign-in'),
  /** Protected resource: the only place that tokens are sent to (RFC 8707). */
  resource: z.string(),
  issuer: z.string(),
  url: z.string(),
  /** Requested scopes; empty: the server named none. */
  scopes: z.array(z.string()),
  granted: z.array(z.string()),
  client: z.enum(['pre-registered', 'metadata-document', 'registered']),
})

const samplingRequest = z.object({
  ...common,
  kind: z.literal('sampling'),
  messages: z.array(samplingMessage),
  /** Tools of the server, which it runs itself; empty: none. */
  tools: z.array(samplingTool),
  toolChoice,
  systemPrompt: z.string().optional(),
  maxTokens: z.number().int(),
  hints: z.array(z.string()),
  model: z.string(),
  wishes: samplingWishes.optional(),
  tokens: z.number().int().optional(),
  day: samplingDay.optional(),
  trusted: z.boolean().optional(),
})

const samplingResultRequest = z.object({
  ...common,
  kind: z.literal('sampling-result'),
  model: z.string(),
  text: z.string(),
  calls: z.array(samplingCall),
  stopReason: z.string().optional(),
  sent: z.array(z.string()).optional(),
  took: z.object({ tokens: z.number().int(), durationMs: z.number() }).optional(),
  day: samplingDay.optional(),
  trusted: z.boolean().optional(),
})

const rootsRequest = z.object({
  ...common,
  kind: z.literal('roots'),
  roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })),
  /** URIs that the person agreed to before; the others are new. */
  agreed: z.array(z.string()).optional(),
  /** Chosen folders that do not exist now; the server is not told of them. */
  missing: z.array(z.string()).optional(),
})

/** A tool changed since its standing approvals. No call waits for the answer: a call asks by itself. */
const toolChangedRequest = z.object({
  ...common,
  kind: z.literal('tool-changed'),
  tool: z.string(),
  /** Approved definition; undefined: it was not kept. */
  previous: approvedDefinition.optional(),
  definition: toolDefinition,
  fingerprint: z.string(),
  paused: z.array(z.string()),
})

/** Servers of another app, to be written. Allowing it starts none of them, and approves the starts that were shown. */
const configImportRequest = z.object({
  ...common,
  kind: z.literal('config-import'),
  servers: z.array(
    z.object({
      name: z.string(),
      from: z.string(),
      file: z.string(),
      /** Target; undefined for a built-in server. */
      target: launchTarget.optional(),
      secrets: z.array(z.string()),
      replaces: z.object({ target: launchTarget.optional() }).optional(),
      /** Start as it would be asked about; absent: it is asked when it starts. */
      launch: launchRequest.optional(),
    }),
  ),
})

export const consentRequest = z.discriminatedUnion('kind', [
  toolCallRequest,
  launchRequest,
  elicitationFormRequest,
  elicitationUrlRequest,
  signInRequest,
  samplingRequest,
  samplingResultRequest,
  rootsRequest,
  toolChangedRequest,
  configImportRequest,
])
export type ConsentRequest = z.infer<typeof consentRequest>
export type ConsentKind = ConsentRequest['kind']
export type ConsentRequestOf<K extends ConsentKind> = Extract<ConsentRequest, { kind: K }>
export type ToolCallRequest = ConsentRequestOf<'tool-call'>
export type LaunchRequest = ConsentRequestOf<'launch'>
export type ToolChangedRequest = ConsentRequestOf<'tool-changed'>
export type SamplingResultRequest = ConsentRequestOf<'sampling-result'>
export type ConfigImportRequest = ConsentRequestOf<'config-import'>
export type SignInRequest = ConsentRequestOf<'sign-in'>

export const consentScope = z.enum(['once', 'conversation', 'always'])
export type ConsentScope = z.infer<typeof consentScope>

/** Group of alike requests that the person answered by one press. */
const answeredGroup = { group: z.object({ id: z.string().max(100), size: z.number().int().min(2).max(1000) }).optional() }

/**
 * Answer to a request. `allow`: `scope` beyond `once` counts for tool calls, launches, roots and changed tools (there the suspended
 * rules go on; with `once` they end). `arguments` replaces those of a tool call; `content` fills a form; `text` is the released
 * sampling result; `model`, `prompt` and `maxTokens` change a sampling request; `standing`, beyond `once`, is the sampling rule to
 * make; `sandbox` replaces the sandbox of a launch, within what the host grants at all; `imports` names the servers of an import that are
 * written, with the starts that are approved; absent: all, and no start. `deny`: with a reason that the model or server reads; a changed tool then never runs and its rules end. `cancel`: an
 * elicitation dismissed without an answer.
 */
export const consentAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('allow'),
    scope: consentScope,
    arguments: jsonObject.optional(),
    content: jsonObject.optional(),
    text: z.string().optional(),
    model: z.string().optional(),
    prompt: samplingEdit.optional(),
    maxTokens: z.number().int().min(1).optional(),
    standing: samplingTerms.optional(),
    terms: ruleTerms.optional(),
    sandbox: sandboxSettings.optional(),
    imports: z.record(z.string(), z.object({ sandbox: sandboxSettings.optional() })).optional(),
    ...answeredGroup,
  }),
  z.object({
    kind: z.literal('deny'),
    word: z.string().max(2000).optional(),
    stop: z.boolean().optional(),
    /** Scope of a denied tool call, as a rule. Absent: once. */
    scope: consentScope.optional(),
    /** Terms of that rule; other arguments of a call do not matter. */
    terms: ruleTerms.optional(),
    ...answeredGroup,
  }),
  z.object({ kind: z.literal('cancel') }),
])
export type ConsentAnswer = z.infer<typeof consentAnswer>

export const consentOutcome = z.enum(['allowed', 'denied', 'cancelled', 'withdrawn'])
export type ConsentOutcome = z.infer<typeof consentOutcome>
