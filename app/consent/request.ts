// What waits for the person, and how it can be answered. One queue for every kind; main owns it.
import { z } from 'zod'
import { json, jsonObject } from '../json.ts'
import { toolAnnotations } from '../server/catalogue.ts'
import { variableEffect } from './environment-names.ts'
import { ruleTerms } from './rules/rule.ts'
import { samplingDay, samplingTerms } from './rules/sampling-budget.ts'
import { samplingCall, samplingEdit, samplingMessage, samplingTool, samplingWishes, toolChoice } from './sampling.ts'
import { taints } from './taint/taint.ts'
import { approvedDefinition, toolDefinition } from './tool-definition.ts'

/** Why the person is asked, as data; the page turns it into a sentence. */
export const askReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-rule') }),
  z.object({ kind: z.literal('ask-rule'), ruleId: z.string() }),
  /** A rule that asks or denies may speak of this call: its argument can be read in more than one way. */
  z.object({ kind: z.literal('unsure-rule'), ruleId: z.string() }),
  /** A rule would have allowed it, and the conversation asks for all. */
  z.object({ kind: z.literal('mode-asks') }),
  z.object({ kind: z.literal('tool-changed') }),
  /** A rule or the mode would have allowed it, and it would tell a server what another one said. */
  z.object({ kind: z.literal('flow') }),
  z.object({ kind: z.literal('first-launch') }),
  z.object({ kind: z.literal('launch-changed') }),
  /** It was allowed before the values of such variables were shown. */
  z.object({ kind: z.literal('launch-values') }),
  /** A rule or the mode would have allowed it, and an argument may lead into the folder that Assent keeps its own data in. */
  z.object({ kind: z.literal('own-folder') }),
  z.object({ kind: z.literal('server-asks') }),
  /** It would go beyond the server's budget of the day. */
  z.object({ kind: z.literal('sampling-budget') }),
  /** A rule would have allowed it, but for its limit of the day. */
  z.object({ kind: z.literal('sampling-limit'), ruleId: z.string() }),
  /** A rule would have allowed it, while the person trusts the server. */
  z.object({ kind: z.literal('sampling-untrusted'), ruleId: z.string() }),
  /** A rule would have handed it over, but it asks the server to run tools. */
  z.object({ kind: z.literal('sampling-tools') }),
  z.object({ kind: z.literal('sign-in-needed') }),
  z.object({ kind: z.literal('sign-in-expired') }),
  z.object({ kind: z.literal('more-scopes') }),
  z.object({ kind: z.literal('person-asks') }),
  z.object({ kind: z.literal('view-asks') }),
])
export type AskReason = z.infer<typeof askReason>

const common = {
  id: z.string(),
  createdAt: z.number(),
  server: z.string(),
  conversationId: z.string().optional(),
  /** The tool call in whose course it was asked, where there is one. */
  callId: z.string().optional(),
  /** The view of that call asks, or what it called does (MCP Apps). */
  view: z.object({ callId: z.string(), tool: z.string() }).optional(),
  /** When the server stops waiting, where it said so. It is withdrawn then. */
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
  /** The definition that the person accepted before, when the tool is another one now. */
  previous: approvedDefinition.optional(),
  /** The arguments as they would be sent. `argumentsText` is the very JSON text that an approval freezes. */
  arguments: jsonObject,
  argumentsText: z.string(),
  /** What of the arguments servers said before in the conversation. */
  flows: taints.optional(),
  fingerprint: z.string(),
})

/** What would be started or connected to, untruncated. Of variables and headers the names, and few variables' values. */
export const launchTarget = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('stdio'),
    command: z.string(),
    args: z.array(z.string()),
    envNames: z.array(z.string()),
    /** Those that choose what runs or where traffic goes, with their values as they stand in the file. Absent: none. */
    variables: z.array(z.object({ name: z.string(), value: z.string(), effect: variableEffect })).optional(),
    /** As it stands in the file. */
    cwd: z.string().optional(),
    /** Where it really runs: absolute, links followed. Absent: approved before this was bound, or not looked up. */
    folder: z.string().optional(),
  }),
  z.object({ transport: z.enum(['streamable-http', 'sse']), url: z.string(), headerNames: z.array(z.string()) }),
])
export type LaunchTarget = z.infer<typeof launchTarget>

const launchRequest = z.object({
  ...common,
  kind: z.literal('launch'),
  target: launchTarget,
  /** What was approved before, when that differs. */
  previous: launchTarget.optional(),
  /** Variables or headers whose value is another one than was approved. */
  changedValues: z.array(z.string()).optional(),
  /** The secret store did not tell whether the values are those that were approved. */
  valuesUnknown: z.boolean().optional(),
  /** It would be tried out, and is not saved: the answer holds for that one start, and on if it is saved as it is. */
  trial: z.literal(true).optional(),
  fingerprint: z.string(),
})

const formStep = z.object({ group: z.string(), index: z.number().int(), count: z.number().int() })
export type FormStep = z.infer<typeof formStep>

const elicitationFormRequest = z.object({
  ...common,
  kind: z.literal('elicitation-form'),
  message: z.string(),
  /** The flat object schema of MCP, "Elicitation": string, number, integer, boolean, enums. */
  requestedSchema: jsonObject,
  /** One of several forms that came in one result: `index` from 1. Each is answered and recorded by itself. */
  step: formStep.optional(),
})

const elicitationUrlRequest = z.object({ ...common, kind: z.literal('elicitation-url'), message: z.string(), url: z.string() })

/** The page of an authorization server, where the person signs in so that Assent may use the server in their name. */
const signInRequest = z.object({
  ...common,
  kind: z.literal('sign-in'),
  /** The protected resource: the one place where the tokens will be sent (RFC 8707). */
  resource: z.string(),
  /** The authorization server that the page belongs to. */
  issuer: z.string(),
  /** The whole address that the browser would open. */
  url: z.string(),
  /** What is asked for; empty: the server did not say. */
  scopes: z.array(z.string()),
  /** What was granted before, where it asks for more. */
  granted: z.array(z.string()),
  /** How the issuer knows Assent. */
  client: z.enum(['pre-registered', 'metadata-document', 'registered']),
})

const samplingRequest = z.object({
  ...common,
  kind: z.literal('sampling'),
  messages: z.array(samplingMessage),
  /** The server's own, which it runs itself; empty: none. */
  tools: z.array(samplingTool),
  toolChoice,
  systemPrompt: z.string().optional(),
  maxTokens: z.number().int(),
  hints: z.array(z.string()),
  /** The model that would answer; the person may pick another. */
  model: z.string(),
  /** What else the server says of how it wants it. */
  wishes: samplingWishes.optional(),
  /** About how many tokens the prompt has. */
  tokens: z.number().int().optional(),
  day: samplingDay.optional(),
  trusted: z.boolean().optional(),
})

const samplingResultRequest = z.object({
  ...common,
  kind: z.literal('sampling-result'),
  model: z.string(),
  text: z.string(),
  /** What the model wants the server to do with its tools. */
  calls: z.array(samplingCall),
  stopReason: z.string().optional(),
  /** What was sent, each text apart. */
  sent: z.array(z.string()).optional(),
  took: z.object({ tokens: z.number().int(), durationMs: z.number() }).optional(),
  day: samplingDay.optional(),
  trusted: z.boolean().optional(),
})

const rootsRequest = z.object({
  ...common,
  kind: z.literal('roots'),
  roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })),
  /** URIs among them that the person agreed to before: the others are why they are asked. */
  agreed: z.array(z.string()).optional(),
  /** Paths of folders that are chosen and not there now: the server is not told of them. */
  missing: z.array(z.string()).optional(),
})

/** A tool is not what standing approvals were given for. Nothing waits for the answer: a call of it asks by itself. */
const toolChangedRequest = z.object({
  ...common,
  kind: z.literal('tool-changed'),
  tool: z.string(),
  /** Undefined: what was approved was not kept. */
  previous: approvedDefinition.optional(),
  definition: toolDefinition,
  fingerprint: z.string(),
  /** Ids of the rules that do not count until the change is accepted. */
  paused: z.array(z.string()),
})

/** Servers of another program that the person chose, as they would be written. Nothing of them is started by a yes. */
const configImportRequest = z.object({
  ...common,
  kind: z.literal('config-import'),
  servers: z.array(
    z.object({
      name: z.string(),
      /** The program and the file that it stands in. */
      from: z.string(),
      file: z.string(),
      /** Undefined: it comes with Assent. */
      target: launchTarget.optional(),
      /** What of it moves into the secret store, by name. */
      secrets: z.array(z.string()),
      /** It takes the place of the server of that name. */
      replaces: z.object({ target: launchTarget.optional() }).optional(),
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

/**
 * `allow`: yes. `scope` beyond `once` counts for tool calls, launches, folders and changed tools only (there: the paused rules go on,
 * with `once` they end). `arguments` (tool calls) replaces them;
 * `content` (forms) is what was filled in; `text` (sampling-result) what is handed over; `model` (sampling) who answers,
 * `prompt` what of, `maxTokens` at which length. `standing` (both of sampling), with a scope beyond `once`: the rule that it makes.
 * `deny`: no, with a word that the model or server reads (changed tool: it is never to run, and its rules end). `cancel` (elicitation): dismissed without an answer.
 */
export const consentAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('allow'),
    scope: consentScope,
    arguments: jsonObject.optional(),
    content: z.record(z.string(), json).optional(),
    text: z.string().optional(),
    model: z.string().optional(),
    prompt: samplingEdit.optional(),
    maxTokens: z.number().int().min(1).optional(),
    standing: samplingTerms.optional(),
    /** Of a tool call's or sampling's answer beyond `once`: what narrows the rule that it makes, or ends it. */
    terms: ruleTerms.optional(),
  }),
  z.object({
    kind: z.literal('deny'),
    word: z.string().max(2000).optional(),
    stop: z.boolean().optional(),
    /** Of a tool call: the refusal stands, as a rule. Absent: for this once. */
    scope: consentScope.optional(),
    /** Of a scope beyond `once`: what narrows that rule, or ends it. Which other arguments a call has counts for nothing. */
    terms: ruleTerms.optional(),
  }),
  z.object({ kind: z.literal('cancel') }),
])
export type ConsentAnswer = z.infer<typeof consentAnswer>

/** How an open request ended, for every window that showed it. */
export const consentOutcome = z.enum(['allowed', 'denied', 'cancelled', 'withdrawn'])
export type ConsentOutcome = z.infer<typeof consentOutcome>
