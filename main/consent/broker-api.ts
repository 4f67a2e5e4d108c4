// The interface of the broker, the only source of approvals.
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
import type { CallMarks } from '#app/consent/taint/private-flow.ts'
import type { RequestAgent } from '#app/gate.ts'
import type { JsonObject } from '#app/json.ts'
import type { McpAppDomains } from '#app/mcp-apps/csp-domains.ts'
import type { Account } from '#app/server/auth-status.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { LaunchPackage, UnpinnedReason } from '#app/server/fetched.ts'
import type { LaunchSandbox, SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import type { SandboxSuggestion } from '#app/server/sandbox/sandbox-suggestion.ts'
import type { BundleMove } from '#main/store/store-api.ts'
import type { ApprovedCall, ApprovedLaunch, ApprovedMcpApp, ApprovedSampling, ApprovedUrl } from './approved.ts'
import type { Spent } from './sampling-usage.ts'

/** Conversation, and call in it, during which something is asked. */
export interface RequestCause {
  readonly conversationId?: string | undefined
  readonly callId?: string | undefined
  /** Model whose answer it is, of two that stand beside each other. */
  readonly answerOf?: string | undefined
  /** Joined command that began it; null: none. Absent: the one that claimed its conversation or call, if any (`claim`). */
  readonly joined?: string | null | undefined
  /** MCP App of a call that asks, or whose call does. */
  readonly view?: { readonly callId: string; readonly tool: string } | undefined
}

export interface RequestOrigin extends RequestCause {
  readonly server: string
  /** Time at which the server stops waiting for the answer, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Aborting withdraws the question. */
  readonly signal: AbortSignal
  /** Called when the person is asked, not when a rule answers. */
  readonly onAsked?: (requestId: string) => void
}

export interface ToolCallQuestion extends RequestOrigin {
  readonly callId: string
  readonly tool: ToolEntry
  readonly trusted: boolean
  /** The server runs on this machine: its paths are those of this disk. */
  readonly local: boolean
  readonly arguments: JsonObject
  /** A tool of Assent that changes its own data: the person is asked each time, whatever rules say. `server` is Assent's name. */
  readonly own?: true
  /** Other servers whose skills the chat has loaded, when it reads what they may have named: then each reading is asked. */
  readonly skillsOf?: readonly string[] | undefined
}

type PreviewedCall = Omit<ToolCallQuestion, 'callId' | 'signal' | 'onAsked'>

export type BrokerVerdict<T> =
  /** `marks`: of what a call will return. */
  | { readonly kind: 'allowed'; readonly approval: T; readonly decision: Decision; readonly marks?: CallMarks }
  /** `stop`: the whole turn stops. */
  | { readonly kind: 'denied'; readonly decision: Decision; readonly stop: boolean }
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

/** `spent`: called once with the tokens that were used. */
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
  /** `person-asks`: they pressed “Sign in” themselves, and still see the address. */
  readonly why: Extract<AskReason['kind'], 'sign-in-needed' | 'sign-in-expired' | 'more-scopes' | 'person-asks'>
}

export interface ConfigImportQuestion extends Pick<RequestCause, 'joined'> {
  /** `launch`: makes the question of its start; it resolves with undefined where that is to be asked later. */
  readonly servers: readonly (Omit<ConfigImportRequest['servers'][number], 'launch'> & {
    readonly launch?: (() => Promise<LaunchQuestion | undefined>) | undefined
  })[]
  /** Names of the apps that the servers come from. */
  readonly from: string
  /** Aborting withdraws the question. */
  readonly signal: AbortSignal
}

/** `approved`: servers to be written, each with the approval of its start, which is kept once it is written. */
export type ConfigImportVerdict =
  | { readonly outcome: 'allowed'; readonly approved: ReadonlyMap<string, { keep(): void } | undefined> }
  | { readonly outcome: 'denied' | 'withdrawn' }

/** How the sandbox of a launch was proposed, so that the broker can tell whether the one that was approved still counts. */
export interface SandboxQuestion {
  /**
   * `default`: the entry says nothing. `entry`: it says `asked`. `required`: this run wants one (`--sandbox on`). `without`: this run wants
   * none.
   */
  readonly mode: 'default' | 'entry' | 'required' | 'without'
  /** Sandbox as the entry says, with links resolved. */
  readonly asked?: SandboxSettings | undefined
  readonly hasEngine: boolean
  readonly suggested: readonly SandboxSuggestion[]
  /** Resolves settings as they would be approved. @throws {HostError} `server.sandbox-grant`, `server.sandbox-missing` */
  resolve(settings: SandboxSettings): LaunchSandbox
}

export interface LaunchQuestion extends RequestOrigin {
  /** Launch with the proposed sandbox. */
  readonly target: LaunchTarget
  /** Absent: its sandbox is as proposed, and nobody may choose another. */
  readonly sandbox?: SandboxQuestion | undefined
  /** Whether its folder is the one that was shown before folders were resolved; default: yes. */
  readonly folderAsShown?: boolean
  readonly values?: Readonly<Record<string, string>>
  /** Finds the version of the package that it fetches. Not called where the same launch was approved with one. */
  readonly findPackage?: (() => Promise<FoundPackage>) | undefined
  /** Offer of a newer version: it starts nothing, and is put to the person alone. `again`: also one that they did not want. */
  readonly update?: 'new' | 'again'
  /**
   * Present for a connection test: an approval holds for this start alone, and is the verdict's `yes`. `agreed`: approvals of earlier
   * tests of this set-up, so that exactly the same is not asked about again.
   */
  readonly connectionTest?: { readonly agreed: readonly ConnectionTestApproval[] }
}

/** Version of a package, or why it cannot be told. */
export type FoundPackage = Pick<LaunchPackage, 'name' | 'version' | 'integrity'> | UnpinnedReason

/** Approval of a connection test. One that the broker did not make has no effect. */
export interface ConnectionTestApproval {
  /** Keeps the approval for good, under the name that the tested server is saved with. */
  keep(server: string): void
}

export type LaunchVerdict = BrokerVerdict<ApprovedLaunch> & { readonly yes?: ConnectionTestApproval }

/** A UI resource of a server (MCP Apps), as it was read. */
export interface McpAppQuestion extends RequestCause {
  readonly server: string
  readonly tool: string
  readonly uri: string
  readonly html: string
  readonly domains: McpAppDomains
  /** Fingerprint of what the person was shown and allowed. */
  readonly agreed?: string | undefined
}

export interface McpAppVerdict {
  /** Fingerprint of the document and its domains. */
  readonly fingerprint: string
  readonly approval: ApprovedMcpApp | undefined
}

/**
 * How an account differs from the one before. `told`: it is the same one as `before`, of which more is known now, so its approvals go on.
 * `changed`: it may be another's, so that trust and shared folders end; rules wait for their own account.
 */
export type AccountChange = { readonly kind: 'told'; readonly before: Account | undefined } | { readonly kind: 'changed' }

/** Owner of work: a joined command, or an agent (`assent mcp`). */
export type Claimant = { readonly joined: string } | { readonly agent: RequestAgent }
/** Turn of a conversation, or a call outside of one. What an MCP App asks there stays the windows'. */
type Claim = { readonly conversationId: string } | { readonly callId: string }

export interface ConsentBroker {
  toolCall(question: ToolCallQuestion): Promise<BrokerVerdict<ApprovedCall>>
  /** Whether a call's approval still holds once its server runs: the start may have ended its rule, or the account be another. */
  stillAllowed(call: Pick<ApprovedCall, 'server' | 'decision' | 'account'>): boolean
  /** Takes the account of a server; undefined: none is known. */
  signedInAs(server: string, account: Account | undefined, change?: AccountChange): void
  /** Lets calls of the server wait until its stored sign-in is read. */
  accountLoading(server: string, loaded: Promise<void>): void
  /** Approves a call that the person makes with these arguments. Asks only where the tool is not what they accepted before. */
  manualCall(question: ToolCallQuestion): Promise<BrokerVerdict<ApprovedCall>>
  /** Allows without asking what was approved before with the same values. `values`: of variables or headers; only digests are stored. */
  launch(question: LaunchQuestion): Promise<LaunchVerdict>
  /** Returns the sandbox that was approved for good; null: the launch was approved before there was one. */
  approvedSandbox(server: string): LaunchSandbox | null | undefined
  /**
   * Approves an approved launch with another sandbox, which the person chose.
   * @throws {HostError} `server.refused` when this launch is not the approved one, `contract.invalid` when it needs no sandbox, and what
   * `resolve` throws
   */
  setSandbox(question: LaunchQuestion, settings: SandboxSettings): void
  /** Notes that the person put another version of a bundle in place of the one before: once its launch is approved, it keeps the rules. */
  bundleUpdated(server: string, update: BundleMove): void
  /** Keeps the hash of an approved package's code once it is installed. */
  packageInstalled(server: string, version: string, code: string): void
  /** Asks each time, and starts nothing. Starts are approved as `launch` approves them, if the person was shown them. */
  configImport(question: ConfigImportQuestion): Promise<ConfigImportVerdict>
  elicitForm(
    question: RequestOrigin & { readonly message: string; readonly requestedSchema: JsonObject; readonly step?: FormStep | undefined },
  ): Promise<{ readonly action: 'accept'; readonly content: JsonObject } | { readonly action: 'decline' | 'cancel' }>
  elicitUrl(
    question: RequestOrigin & { readonly message: string; readonly url: string },
  ): Promise<{ readonly action: 'accept'; readonly approval: ApprovedUrl } | { readonly action: 'decline' | 'cancel' }>
  /** Asks before a page of an authorization server is opened. Denies anything but http(s) without asking. */
  signIn(question: SignInQuestion): Promise<BrokerVerdict<ApprovedUrl>>
  sampling(question: SamplingQuestion): Promise<BrokerSamplingVerdict>
  /** Asks before the model's answer goes to the server. Resolves with the text that may go, or undefined. */
  samplingResult(question: SamplingResultQuestion): Promise<string | undefined>
  /** Sampling tokens of a server today: budget and use. */
  samplingDay(server: string): SamplingDay
  roots(
    question: RequestOrigin & {
      readonly roots: readonly { readonly uri: string; readonly name?: string }[]
      /** Paths of folders that do not exist now. */
      readonly missing?: readonly string[]
    },
  ): Promise<boolean>
  /** The server asks again before it is told of any folder. */
  forgetSharedFolders(server: string): void
  /** Takes each list of a server's tools, and asks the person about those that differ from what was approved. */
  toolsListed(server: string, tools: readonly ToolEntry[]): void
  /** Approves a link that the person clicked. @throws {HostError} `contract.invalid` for anything but http(s) */
  clickedUrl(url: string): ApprovedUrl

  /** Approves the display of an MCP App; without an approval, the person has to be shown its connections first. */
  mcpApp(question: McpAppQuestion): McpAppVerdict
  /** Approves a page of an answer that the person opened: it reaches nothing. */
  artifact(html: string): ApprovedMcpApp
  /** The connections of that resource are shown to the person again. */
  forgetMcpApp(server: string, uri: string): void

  /**
   * Returns false when the request was answered or withdrawn before. `joined`: the command that answers, for this once and a
   * question of its own. @throws {HostError} `contract.invalid` for any other
   */
  answer(id: string, answer: ConsentAnswer, joined?: string): boolean
  /** Makes the questions of a conversation, or of a call, those of a command or an agent, until the undo that it returns. */
  claim(by: Claimant, work: Claim): () => void
  open(): ConsentRequest[]
  /** Assigns an open request without a conversation, or without a call, to the one that waits for it. */
  place(id: string, cause: RequestCause): void
  rules(): Rule[]
  /** Identity of the program behind a server's name: content is marked with it, and answers about its data count for it alone. */
  identity(server: string): string | undefined
  /** Whether another program runs than the approved one, allowed for once. */
  runsOther(server: string): boolean
  /** Ends the approvals of a server that is removed or whose name is taken, and returns them. Refusals stay. */
  endApprovals(server: string, because: 'server-removed' | 'server-renamed'): readonly Rule[]
  /** Restores approvals when the removal of their server is undone. */
  restoreApprovals(rules: readonly Rule[]): void
  removeRule(id: string): void
  /** Resolves the folders in a rule's conditions. What the page says of their real paths is ignored. */
  bindTerms(terms: RuleTerms): Promise<RuleTerms>
  /**
   * Adds a rule, or replaces the one with `id`. An approval is bound to the definitions in `tools`; one that is replaced for the same
   * tools keeps those that it was made for.
   * @throws {HostError} `rule.unknown`, `tool.unknown` or `folder.not-found`.
   */
  saveRule(draft: RuleDraft, known: { readonly id?: string | undefined; readonly tools: readonly ToolEntry[] }): Promise<Rule>
  /** Explains how a call would be decided. Nothing runs, and nothing is audited. */
  previewDecision(call: PreviewedCall): Promise<Explanation>
  /** Restores a rule that `removeRule` removed in this run. @throws {HostError} `rule.unknown` */
  restoreRule(id: string): void
  dispose(): void
}

/** Answers in the person's place (the command line's `--approve`); undefined: ask. */
export type AnswerPolicy = (request: ConsentRequest) => Promise<ConsentAnswer | undefined> | ConsentAnswer | undefined
