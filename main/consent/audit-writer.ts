// What the broker writes down. A question that is put to the person has a row of its own and one for its end; one that a rule
// or the command line answers has a single row with both. Values of answers to forms are never written. How values stand in the
// record: by SHA-256 and size, so that what ran can be proven, and as text only where it is short and with secret-looking parts
// masked.
import { createHash } from 'node:crypto'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { ConsentOutcome, ConsentRequest, LaunchTarget, SignInRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { assertNever, isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { maskArgs, maskSecrets, maskText, maskUrl, maskVariable } from '#app/text/secret-names.ts'
import type { AuditEntry, AuditStore } from '#main/store/store-api.ts'
import type { McpAppQuestion } from './broker-api.ts'

const LONGEST_TEXT = 4096

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What is approved for good: any difference in it asks again. The order of names says nothing, that of arguments does. */
export const launchFingerprint = (target: LaunchTarget): string =>
  sha256(
    canonicalToolJson(
      (target.transport === 'stdio'
        ? { ...target, envNames: [...target.envNames].sort(byCodeUnit) }
        : { ...target, headerNames: [...target.headerNames].sort(byCodeUnit) }) as Json,
    ),
  )

/** As it was before folders and values of variables were in it. */
export function earlierFingerprint(target: LaunchTarget): string {
  if (target.transport !== 'stdio') return launchFingerprint(target)
  const { folder: _folder, variables: _variables, ...rest } = target
  return launchFingerprint(rest)
}

/** Of JSON text: its hash and size, and the value itself, masked, when it is short. */
export function jsonDigest(text: string): JsonObject {
  const bytes = Buffer.byteLength(text)
  const short = bytes < LONGEST_TEXT ? { text: JSON.stringify(maskSecrets(JSON.parse(text) as Json)) } : {}
  return { sha256: sha256(text), bytes, ...short }
}

/** Of text that is not for the record itself. */
export const textDigest = (text: string): JsonObject => ({ sha256: sha256(text), bytes: Buffer.byteLength(text) })

export const shortText = (text: string): string => maskText(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

/** For disk: arguments and addresses may carry a key. */
export const maskTarget = (target: LaunchTarget): LaunchTarget =>
  target.transport === 'stdio'
    ? {
        ...target,
        args: maskArgs(target.args),
        ...(target.variables ? { variables: target.variables.map((one) => ({ ...one, value: maskVariable(one) })) } : {}),
      }
    : { ...target, url: maskUrl(target.url) }

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export type DecidedBy = 'person' | 'rule' | 'mode' | 'policy' | 'command-line'

export interface AuditWriter {
  asked(request: ConsentRequest): void
  decided(request: ConsentRequest, outcome: ConsentOutcome, by: DecidedBy | null, detail?: JsonObject): void
  rule(rule: Rule, change: 'added' | 'changed' | 'removed' | 'restored' | 'renewed', by: DecidedBy, detail?: JsonObject): void
  /** The person agreed to what the view of a tool reaches, or takes it back. */
  view(view: Pick<McpAppQuestion, 'server' | 'uri'> & Partial<McpAppQuestion>, decision: 'allowed' | 'removed', detail: JsonObject): void
  openedUrl(url: string): void
  /** What a server might be told unasked of the person's folders, it may no longer. */
  toldForgotten(server: string, by: DecidedBy, because: string): void
}

export function createAuditWriter(audit: Pick<AuditStore, 'append'>): AuditWriter {
  return {
    asked(request) {
      audit.append({
        kind: 'request',
        ...place(request),
        detail: { ...reference(request), why: request.why.kind, ...summary(request) },
      })
    },
    decided(request, outcome, by, detail = {}) {
      const known = by === 'person' || by === null
      const entry: AuditEntry = {
        kind: request.kind === 'launch' ? 'launch' : request.kind === 'elicitation-url' ? 'open-url' : 'decision',
        ...place(request),
        decision: outcome,
        by,
        // Whom one trusted with what stands in the answer too: a sign-in goes on when the question is long past.
        detail: { ...reference(request), ...(known && request.kind !== 'sign-in' ? {} : summary(request)), ...detail },
      }
      try {
        audit.append(entry)
      } catch (error) {
        // What cannot be recorded is not allowed; a refusal holds all the same, also on a full disk.
        if (outcome === 'allowed') throw error
      }
    },
    rule(rule, change, by, detail = {}) {
      audit.append({
        kind: 'rule',
        server: rule.server ?? null,
        tool: rule.tool ?? null,
        decision: change,
        by,
        conversationId: rule.scope.kind === 'conversation' ? rule.scope.conversationId : null,
        detail: {
          ruleId: rule.id,
          effect: rule.effect,
          rule: auditedRuleText(rule),
          scope: rule.scope.kind,
          fingerprint: rule.fingerprint ?? null,
          ...(rule.definitions ? { definitions: rule.definitions } : {}),
          ...(rule.expiresAt === undefined ? {} : { expiresAt: rule.expiresAt }),
          ...detail,
        },
      })
    },
    view({ server, uri, tool = null, conversationId = null, callId }, decision, detail) {
      const about = { request: 'view', uri: shortText(uri), ...(callId === undefined ? {} : { callId }), ...detail }
      audit.append({ kind: 'decision', server, tool, decision, by: 'person', conversationId, detail: about })
    },
    openedUrl(url) {
      audit.append({ kind: 'open-url', decision: 'allowed', by: 'person', detail: urlDigest(url) })
    },
    toldForgotten: (server, by, because) =>
      void audit.append({ kind: 'config', server, decision: 'folders', by, detail: { told: 'forgotten', because } }),
  }
}

/** A rule may name a value that is a secret. */
export const auditedRuleText = (rule: Rule): string => shortText(ruleLabel(rule))

const MOST_FLOWS = 50
const MOST_SERVERS = 100

/** Which argument holds words of which call; the words themselves are not written. */
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
})

const urlDigest = (url: string): JsonObject => ({ url: maskUrl(url), ...textDigest(url) })

/** The address carries `state` and `code_challenge`: neither it nor a digest of it is kept. */
const signInSummary = ({ issuer, resource, scopes, granted, client }: SignInRequest): JsonObject => ({
  issuer: maskUrl(issuer),
  resource: maskUrl(resource),
  scopes,
  granted,
  client,
})

/** What was asked, without what must not be kept. */
function summary(request: ConsentRequest): JsonObject {
  switch (request.kind) {
    case 'tool-call':
      return {
        fingerprint: request.fingerprint,
        arguments: jsonDigest(request.argumentsText),
        ...(request.flows ? { flows: auditedTaints(request.flows) } : {}),
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
