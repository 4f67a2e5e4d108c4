// The broker's audit rows. A request that the person is asked has one row when it opens and one when it ends; one that a rule or the
// command line answers has a single row with both. Values are written by SHA-256 and size, so that it can be proven what ran, and as
// text only where they are short, with secrets masked. Answers to forms are never written.
import { createHash } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { maskTarget } from '#app/consent/launch-digest.ts'
import type { ConsentOutcome, ConsentRequest, LaunchTarget, SignInRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import type { RequestAgent } from '#app/gate.ts'
import { assertNever, isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { Account } from '#app/server/auth-status.ts'
import { maskSecrets, maskText, maskUrl } from '#app/text/secret-names.ts'
import type { AuditEntry, AuditStore } from '#main/store/store-api.ts'
import type { McpAppQuestion } from './broker-api.ts'

const LONGEST_TEXT = 4096

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Fingerprint of a launch: a launch with another one is asked about again. The order of variables' names does not matter. */
export function launchFingerprint(target: LaunchTarget): string {
  if (target.transport !== 'stdio')
    return sha256Of(canonicalToolJson({ ...target, headerNames: [...target.headerNames].sort(byCodeUnit) } as Json))
  const { package: fetched, unpinned: _unpinned, ...rest } = target
  const pinned = fetched && { package: { name: fetched.name, version: fetched.version, integrity: fetched.integrity } }
  return sha256Of(canonicalToolJson({ ...rest, ...pinned, envNames: [...target.envNames].sort(byCodeUnit) } as Json))
}

/** Fingerprint without the version of a package. */
export const unpinnedFingerprint = (target: LaunchTarget): string =>
  launchFingerprint(target.transport === 'stdio' ? { ...target, package: undefined } : target)

/** Fingerprint as it was before it covered folders, values of variables and versions of packages. */
export function earlierFingerprint(target: LaunchTarget): string {
  if (target.transport !== 'stdio') return launchFingerprint(target)
  const { folder: _folder, variables: _variables, package: _package, ...rest } = target
  return launchFingerprint(rest)
}

/** Digest of JSON text: hash and size, and the masked value when it is short. */
export function jsonDigest(text: string): JsonObject {
  const bytes = Buffer.byteLength(text)
  const short = bytes < LONGEST_TEXT ? { text: JSON.stringify(maskSecrets(JSON.parse(text) as Json)) } : {}
  return { sha256: sha256Of(text), bytes, ...short }
}

/** Digest of text that must not be in the audit log itself. */
export const textDigest = (text: string): JsonObject => ({ sha256: sha256Of(text), bytes: Buffer.byteLength(text) })

export const shortText = (text: string): string => maskText(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export type DecidedBy = 'person' | 'rule' | 'mode' | 'policy' | 'command-line'

type RuleChange = 'added' | 'changed' | 'removed' | 'restored' | 'renewed'
type AuditedMcpApp = Pick<McpAppQuestion, 'server' | 'uri'> & Partial<McpAppQuestion>

export type AuditWriter = ReturnType<typeof createAuditWriter>

export function createAuditWriter(audit: Pick<AuditStore, 'append'>) {
  return {
    asked(request: ConsentRequest): void {
      const detail = { ...reference(request), why: request.why.kind, ...summary(request) }
      audit.append({ kind: 'request', ...place(request), detail })
    },
    decided(request: ConsentRequest, outcome: ConsentOutcome, by: DecidedBy | null, detail: JsonObject = {}): void {
      const known = by === 'person' || by === null
      const entry: AuditEntry = {
        kind: request.kind === 'launch' ? 'launch' : request.kind === 'elicitation-url' ? 'open-url' : 'decision',
        ...place(request),
        decision: outcome,
        by,
        // A sign-in is summed up in the answer too, since it goes on long after the request.
        detail: { ...reference(request), ...(known && request.kind !== 'sign-in' ? {} : summary(request)), ...detail },
      }
      try {
        audit.append(entry)
      } catch (error) {
        // What cannot be recorded is not allowed; a refusal holds, also on a full disk.
        if (outcome === 'allowed') throw error
      }
    },
    rule(rule: Rule, change: RuleChange, by: DecidedBy, detail: JsonObject = {}): void {
      audit.append({
        kind: 'rule',
        server: rule.server ?? null,
        tool: rule.tool ?? null,
        decision: change,
        by,
        conversationId: rule.scope.kind === 'conversation' ? rule.scope.conversationId : null,
        detail: {
          ...auditedRule(rule),
          effect: rule.effect,
          scope: rule.scope.kind,
          fingerprint: rule.fingerprint ?? null,
          ...auditedAccount(rule.account),
          ...(rule.definitions ? { definitions: rule.definitions } : {}),
          ...(rule.expiresAt === undefined ? {} : { expiresAt: rule.expiresAt }),
          ...detail,
        },
      })
    },
    /** The person chose another sandbox for an approved launch. */
    sandbox(server: string, target: LaunchTarget): void {
      const sandbox = target.transport === 'stdio' ? (target.sandbox ?? null) : null
      const detail = { sandbox: sandbox as Json, fingerprint: launchFingerprint(target) }
      audit.append({ kind: 'config', server, decision: 'sandbox', by: 'person', detail })
    },
    /** The person agreed to the connections of an MCP App, or took that back. */
    view({ server, uri, tool, conversationId, callId }: AuditedMcpApp, decision: 'allowed' | 'removed', detail: JsonObject): void {
      const about = { request: 'view', uri: shortText(uri), ...(callId === undefined ? {} : { callId }), ...detail }
      audit.append({
        kind: 'decision',
        server,
        tool: tool ?? null,
        decision,
        by: 'person',
        conversationId: conversationId ?? null,
        detail: about,
      })
    },
    openedUrl: (url: string): void => void audit.append({ kind: 'open-url', decision: 'allowed', by: 'person', detail: urlDigest(url) }),
    /** The server may not be told of folders any more without asking. */
    toldForgotten: (server: string, by: DecidedBy, because: string): void =>
      void audit.append({ kind: 'config', server, decision: 'folders', by, detail: { told: 'forgotten', because } }),
  }
}

/** Names a rule in an audit row or a decision. Its text may hold a secret, which is masked. */
export const auditedRule = (rule: Rule) => ({ ruleId: rule.id, rule: shortText(ruleLabel(rule)) })

const MOST_FLOWS = 50
const MOST_SERVERS = 100

/** Lists which argument holds text of which call, without the text. */
export const auditedTaints = (found: Taints | undefined): JsonObject => ({
  marks: (found?.marks ?? [])
    .slice(0, MOST_FLOWS)
    .map(({ argument, origin }) => ({ argument: shortText(argument), ...found?.origins[origin] })),
  more: Math.max(0, (found?.marks.length ?? 0) - MOST_FLOWS),
  ...(found?.unseen ? { unseen: true } : {}),
})

const place = (request: ConsentRequest) => ({
  server: request.kind === 'config-import' ? null : request.server,
  tool: request.kind === 'tool-call' || request.kind === 'tool-changed' ? request.tool : null,
  conversationId: request.conversationId ?? null,
})

const reference = (request: ConsentRequest): JsonObject => ({
  request: request.kind,
  requestId: request.id,
  ...(request.callId === undefined ? {} : { callId: request.callId }),
  ...(request.view === undefined ? {} : { view: request.view.callId }),
  ...auditedAccount(request.account),
  ...auditedAgent(request.agent),
})

/** Names the agent in a row: its entry by id and name, and what is known of its program. */
const auditedAgent = (agent: RequestAgent | undefined): JsonObject =>
  agent
    ? { agent: agent.name, agentId: agent.client, agentIs: defined({ ...agent, client: undefined, name: undefined }) as JsonObject }
    : {}

/** Names the account in a row. Its text is a stranger's. */
export const auditedAccount = (account: Account | undefined): JsonObject =>
  account?.name === undefined ? {} : { account: shortText(account.name) }

const urlDigest = (url: string): JsonObject => ({ url: maskUrl(url), ...textDigest(url) })

/** Leaves out the address, which holds `state` and `code_challenge` (RFC 6749, RFC 7636), and any digest of it. */
const signInSummary = ({ issuer, resource, scopes, granted, client }: SignInRequest): JsonObject => ({
  issuer: maskUrl(issuer),
  resource: maskUrl(resource),
  scopes,
  granted,
  client,
})

/** Sums up a request without what must not be stored. */
function summary(request: ConsentRequest): JsonObject {
  switch (request.kind) {
    case 'tool-call':
      return {
        fingerprint: request.fingerprint,
        arguments: jsonDigest(request.argumentsText),
        ...(request.flows ? { flows: auditedTaints(request.flows) } : {}),
        ...(request.privateFlow ? { privateFlow: request.privateFlow as Json } : {}),
      }
    case 'launch':
      return {
        fingerprint: request.fingerprint,
        target: maskTarget(request.target) as JsonObject,
        ...(request.changedValues ? { changedValues: request.changedValues } : {}),
      }
    case 'elicitation-form': {
      const properties = request.requestedSchema['properties']
      return { message: shortText(request.message), fields: isJsonObject(properties) ? Object.keys(properties) : [] }
    }
    case 'elicitation-url':
      return { message: shortText(request.message), ...urlDigest(request.url) }
    case 'sign-in':
      return signInSummary(request)
    case 'sampling':
      return {
        model: request.model,
        messages: request.messages.length,
        tools: request.tools.map(({ name }) => shortText(name)),
        maxTokens: request.maxTokens,
        prompt: textDigest(JSON.stringify([request.systemPrompt ?? null, request.messages, request.tools, request.toolChoice])),
      }
    case 'sampling-result':
      return {
        model: request.model,
        text: textDigest(request.text),
        calls: request.calls.map(({ name }) => shortText(name)),
        ...(request.calls.length > 0 ? { arguments: textDigest(JSON.stringify(request.calls)) } : {}),
      }
    case 'roots':
      return { roots: request.roots.map((root) => root.uri) }
    case 'tool-changed':
      return { fingerprint: request.fingerprint, previousFingerprint: request.previous?.fingerprint ?? null, paused: request.paused }
    case 'config-import':
      return {
        from: request.server,
        servers: request.servers.slice(0, MOST_SERVERS).map(({ name, file, target, replaces, secrets }) => ({
          name: shortText(name),
          file,
          target: target ? (maskTarget(target) as JsonObject) : null,
          replaces: replaces !== undefined,
          secrets: secrets.length,
        })),
        more: Math.max(0, request.servers.length - MOST_SERVERS),
      }
    default:
      return assertNever(request)
  }
}
