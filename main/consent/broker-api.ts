// What the rest of the host sees of the broker: one queue, one record, and the only source of approvals.

import type { Decision } from '#app/chat/message.ts'
import type {
  AskReason,
  ConfigImportRequest,
  ConsentAnswer,
  ConsentRequest,
  FormStep,
  LaunchTarget,
  SamplingResultRequest,
  SignInRequest,
} from '#app/consent/request.ts'
import type { Explanation } from '#app/consent/rules/explain-decision.ts'
import type { Rule, RuleDraft, RuleTerms } from '#app/consent/rules/rule.ts'
import type { SamplingDay } from '#app/consent/rules/sampling-budget.ts'
import type { SamplingCall, SamplingMessage, SamplingTool, SamplingWishes, ToolChoice } from '#app/consent/sampling.ts'
import type { JsonObject } from '#app/json.ts'
import type { McpAppDomains } from '#app/mcp-apps/csp-domains.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ApprovedCall, ApprovedLaunch, ApprovedMcpApp, ApprovedSampling, ApprovedUrl } from './approved.ts'
import type { Spent } from './sampling-usage.ts'

/** The conversation, and the call in it, in whose course something is asked. */
export interface RequestCause {
  readonly conversationId?: string | undefined
  readonly callId?: string | undefined
  /** It is asked by the view of a call, or in the course of what that called. */
  readonly view?: { readonly callId: string; readonly tool: string } | undefined
}

/** The origin of a question. */
export interface RequestOrigin extends RequestCause {
  readonly server: string
  /** When the server stops waiting for the answer, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Aborting withdraws the question. */
  readonly signal: AbortSignal
  /** Told when the question is put to the person (not when a rule answers). */
  readonly onAsked?: (requestId: string) => void
}

export interface ToolCallQuestion extends RequestOrigin {
  readonly callId: string
  readonly tool: ToolEntry
  readonly trusted: boolean
  /** The server runs on this machine: its paths are those of this disk. */
  readonly local: boolean
  readonly arguments: JsonObject
}

/** A call that nobody makes: what would be said to it. */
export type PreviewedCall = Omit<ToolCallQuestion, 'callId' | 'signal' | 'onAsked'>

export type BrokerVerdict<T> =
  | { readonly kind: 'allowed'; readonly approval: T; readonly decision: Decision }
  | { readonly kind: 'denied'; readonly decision: Decision /** Stop the whole turn. */; readonly stop: boolean }
  | { readonly kind: 'withdrawn' }

export interface SamplingQuestion extends RequestOrigin {
  readonly messages: readonly SamplingMessage[]
  readonly tools: readonly SamplingTool[]
  readonly toolChoice: ToolChoice
  readonly systemPrompt?: string | undefined
  readonly maxTokens: number
  readonly hints: readonly string[]
  readonly model: string
  readonly original: JsonObject
  readonly wishes?: SamplingWishes | undefined
  /** The person trusts the server; default: no. */
  readonly trusted?: boolean | undefined
}

/** `spent`: told once how many tokens it took. */
export type BrokerSamplingVerdict =
  | (Extract<BrokerVerdict<ApprovedSampling>, { kind: 'allowed' }> & { readonly spent: Spent })
  | Exclude<BrokerVerdict<ApprovedSampling>, { kind: 'allowed' }>

export interface SamplingResultQuestion extends RequestOrigin, Pick<SamplingResultRequest, 'model' | 'text' | 'took'> {
  readonly calls: readonly SamplingCall[]
  readonly stopReason?: string
  readonly sent?: readonly string[]
  readonly trusted?: boolean | undefined
  /** The server runs on this machine: its paths are those of this disk. */
  readonly local?: boolean | undefined
}

export interface SignInQuestion extends RequestOrigin, Pick<SignInRequest, 'resource' | 'issuer' | 'url' | 'client'> {
  readonly scopes: readonly string[]
  readonly granted: readonly string[]
  /** `person-asks`: they pressed “Sign in” themselves, and still see where it leads. */
  readonly why: Extract<AskReason['kind'], 'sign-in-needed' | 'sign-in-expired' | 'more-scopes' | 'person-asks'>
}

export interface ConfigImportQuestion extends Pick<ConfigImportRequest, 'servers'> {
  /** The programs that they are of. */
  readonly from: string
  /** Aborting withdraws the question. */
  readonly signal: AbortSignal
}

export interface LaunchQuestion extends RequestOrigin {
  readonly target: LaunchTarget
  /** Its folder is the one that was shown before folders were looked up; default: yes. */
  readonly folderAsShown?: boolean
  readonly values?: Readonly<Record<string, string>>
  /** Of a server that is tried out: a yes holds for this start alone, and goes on in the verdict's `yes`. */
  readonly trial?: {
    /** Said to test runs of the same set-up: exactly the same is not asked for again. */
    readonly agreed: readonly ConnectionTestApproval[]
  }
}

/** The person's yes to a test run. One that the broker did not make counts for nothing. */
export interface ConnectionTestApproval {
  /** The server that it was said of is saved now, under this name: from now on it is not asked again for exactly this. */
  keep(server: string): void
}

export type LaunchVerdict = BrokerVerdict<ApprovedLaunch> & { readonly yes?: ConnectionTestApproval }

/** A resource that a server wants drawn (MCP Apps), as it was read. */
export interface McpAppQuestion extends RequestCause {
  readonly server: string
  readonly tool: string
  readonly uri: string
  readonly html: string
  readonly domains: McpAppDomains
  /** The fingerprint of what the person was shown, when they said yes to it. */
  readonly agreed?: string | undefined
}

/** `fingerprint`: of the document and its domains. */
export interface McpAppVerdict {
  readonly fingerprint: string
  readonly approval: ApprovedMcpApp | undefined
}

export interface ConsentBroker {
  toolCall(question: ToolCallQuestion): Promise<BrokerVerdict<ApprovedCall>>
  /** Whether what allowed this call still does, now that its server runs: a start may have ended the rule. */
  stillAllowed(call: Pick<ApprovedCall, 'server' | 'decision'>): boolean
  /** The person made it themselves, with these arguments: asked only where the tool is not what they accepted before. */
  manualCall(question: ToolCallQuestion): Promise<BrokerVerdict<ApprovedCall>>
  /**
   * Allowed without asking when the same fingerprint was approved before, with the same values. `values`: of its variables
   * or headers, as they stand in the file; only a digest of them is kept, and none is shown.
   */
  launch(question: LaunchQuestion): Promise<LaunchVerdict>
  /** Each time by itself: nothing stands for good, and nothing starts by a yes. */
  configImport(question: ConfigImportQuestion): Promise<'allowed' | 'denied' | 'withdrawn'>
  elicitForm(
    question: RequestOrigin & { readonly message: string; readonly requestedSchema: JsonObject; readonly step?: FormStep | undefined },
  ): Promise<{ readonly action: 'accept'; readonly content: JsonObject } | { readonly action: 'decline' | 'cancel' }>
  elicitUrl(
    question: RequestOrigin & { readonly message: string; readonly url: string },
  ): Promise<{ readonly action: 'accept'; readonly approval: ApprovedUrl } | { readonly action: 'decline' | 'cancel' }>
  /** The page of an authorization server. Denied by policy, unasked, for anything but http(s). */
  signIn(question: SignInQuestion): Promise<BrokerVerdict<ApprovedUrl>>
  sampling(question: SamplingQuestion): Promise<BrokerSamplingVerdict>
  /** The answer before it is handed to the server: the text that may go, or undefined. */
  samplingResult(question: SamplingResultQuestion): Promise<string | undefined>
  /** What the server may have of the model today, and has had. */
  samplingDay(server: string): SamplingDay
  roots(
    question: RequestOrigin & {
      readonly roots: readonly { readonly uri: string; readonly name?: string }[]
      /** Paths of those that are not there now. */
      readonly missing?: readonly string[]
    },
  ): Promise<boolean>
  /** The server asks again before it is told of any folder. */
  forgetSharedFolders(server: string): void
  /** What a server lists, each time that it changes: tools that are not what was approved are put to the person. */
  toolsListed(server: string, tools: readonly ToolEntry[]): void
  /** A link that the person clicked. Throws `contract.invalid` for anything but http(s). */
  clickedUrl(url: string): ApprovedUrl

  /** Whether the view of a tool may be drawn; undefined: the person has to be shown first where it reaches. */
  mcpApp(question: McpAppQuestion): McpAppVerdict
  /** The next view of that resource that reaches out is shown to the person again. */
  forgetMcpApp(server: string, uri: string): void

  /** False: it was answered or withdrawn before. */
  answer(id: string, answer: ConsentAnswer): boolean
  open(): ConsentRequest[]
  /** An open question that stood in no conversation, or at no call of it, turns out to hold this one up. */
  place(id: string, cause: RequestCause): void
  rules(): Rule[]
  /** The server is gone, or another takes its name: its approvals end, and are returned; what was refused stays refused. */
  endApprovals(server: string, because: 'server-removed' | 'server-renamed'): readonly Rule[]
  /** Its removal is undone: what ended with it counts again. */
  restoreApprovals(rules: readonly Rule[]): void
  removeRule(id: string): void
  /** What narrows a rule, with its folders looked up. Whatever the page says of where they are counts for nothing. */
  bindTerms(terms: RuleTerms): Promise<RuleTerms>
  /**
   * The person writes a rule down, or anew where `id` is one. An approval speaks of the definitions in `tools`; one that is
   * written anew for the same tools stays with those that it was made for. Throws `rule.unknown`, `tool.unknown`, `folder.not-found`.
   */
  saveRule(draft: RuleDraft, known: { readonly id?: string | undefined; readonly tools: readonly ToolEntry[] }): Promise<Rule>
  /** What would happen to it, and which rules were looked at. Nothing runs, and nothing is put on record. */
  previewDecision(call: PreviewedCall): Promise<Explanation>
  /** Puts back what `removeRule` removed in this run. Throws `rule.unknown`. */
  restoreRule(id: string): void
  dispose(): void
}

/** Answers in the person's place (the command line's `--approve`); undefined: ask. */
export type AnswerPolicy = (request: ConsentRequest) => Promise<ConsentAnswer | undefined> | ConsentAnswer | undefined
