// Parts that the kinds of requests share: the broker's context, digests of launch values, the fields of every request, refusals.
import { createHmac, randomBytes } from 'node:crypto'
import type { Decision } from '#app/chat/message.ts'
import type { LaunchDigest } from '#app/consent/launch-digest.ts'
import type { AskReason, ConsentAnswer, ConsentRequest, ConsentScope, LaunchTarget } from '#app/consent/request.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { ContentRead } from '#app/consent/taint/private-flow.ts'
import type { RequestAgent } from '#app/gate.ts'
import { defined } from '#app/or-else.ts'
import type { Account } from '#app/server/auth-status.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { RuleStore } from '#main/store/store-api.ts'
import type { AuditWriter, auditedRule } from './audit-writer.ts'
import type { BrokerVerdict, Claimant, RequestCause, RequestOrigin } from './broker-api.ts'
import type { AnsweredBy, Queue, Settled } from './request-queue.ts'
import type { PathResolver } from './resolve-path.ts'
import type { SamplingUsage } from './sampling-usage.ts'
import type { TaintSourcesOf } from './taint-sources.ts'

export interface LaunchKeyStore {
  readonly kind: 'keyring' | 'memory'
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
}

type LaunchValues = ReturnType<typeof createLaunchValues>

const keyName = 'launch-key'
const nothing: LaunchDigest = { key: '', kept: 'memory', values: {} }

/**
 * Digests the values of a launch, which are never shown or stored, so that a changed one asks again: an HMAC under a key of the profile,
 * which is in the secret store; without a store, under a key of this run. A plain hash would reveal a short secret to a guess.
 */
export function createLaunchValues(store?: LaunchKeyStore) {
  let asked: Promise<Buffer> | undefined

  async function load(): Promise<Buffer> {
    const kept = await store?.get(keyName)
    const bytes = Buffer.from(kept ?? '', 'base64')
    if (bytes.length === 32) return bytes
    const made = randomBytes(32)
    await store?.set(keyName, made.toString('base64'))
    return made
  }

  async function digestOf(values: Readonly<Record<string, string>>): Promise<LaunchDigest | undefined> {
    asked ??= load()
    const secret = await asked.catch(() => undefined)
    if (secret === undefined) {
      asked = undefined // Locked or unavailable: the next launch tries again.
      return undefined
    }
    const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
    return {
      key: hmac('key').slice(0, 16),
      kept: store?.kind ?? 'memory',
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hmac(JSON.stringify(['value', name, value]))])),
    }
  }

  return {
    /** Undefined: the secret store gave no key. Synchronous where there are no values. */
    digest: (values: Readonly<Record<string, string>>): LaunchDigest | Promise<LaunchDigest | undefined> =>
      Object.keys(values).length === 0 ? nothing : digestOf(values),
  }
}

/** Program of a server in this run, as rules are bound to it, its identity, and its launch. */
export interface RunningProgram {
  readonly program: string
  readonly identity: string
  readonly target: LaunchTarget
}

/** Accounts that servers are used as. `loading`: settles once the stored sign-in of a server is read. */
interface Accounts {
  readonly now: Map<string, Account>
  readonly loading: Map<string, Promise<void>>
}

export interface BrokerContext {
  readonly rules: RuleStore
  readonly audit: AuditWriter
  readonly queue: Queue
  readonly launchValues: LaunchValues
  readonly emit: Emit
  readonly clock: Clock
  readonly pathResolver: PathResolver
  readonly samplingUsage: SamplingUsage
  /** Consent mode of a conversation; `rules` outside of one. */
  readonly modeOf: (conversationId: string | undefined) => ConsentMode
  readonly taintSourcesOf: TaintSourcesOf
  readonly agentReads: (client: string) => readonly ContentRead[]
  readonly programs: Map<string, RunningProgram>
  readonly accounts: Accounts
  /** Called when a server got another program, or an approval of it. */
  readonly onProgram: (server: string) => void
  readonly dataDir: string | undefined
  /** Folder of the key that signs permissions, where it is a file. */
  readonly keyFolder: () => string | undefined
  /** Whether the person answers; false: the command line's policy. */
  readonly asksPerson: boolean
  /** Rules that the person removed in this run, by id. */
  readonly removed: Map<string, Rule>
  /** Work of joined commands and of agents, by the id of its conversation or call. */
  readonly claims: Map<string, Claimant>
  /** End of the last path look-up by conversation: the calls of one answer are asked in its order. */
  readonly lookups: Map<string, Promise<void>>
}

/** Agent in whose call something is asked, whatever asks. */
export function claimedAgent(
  { claims }: Pick<BrokerContext, 'claims'>,
  { conversationId, callId }: Pick<RequestCause, 'conversationId' | 'callId'>,
): RequestAgent | undefined {
  const claimed = claims.get(conversationId ?? callId ?? '')
  return claimed && 'agent' in claimed ? claimed.agent : undefined
}

export function requestBase({ clock, claims, accounts }: BrokerContext, origin: RequestOrigin, why: AskReason) {
  const { server, conversationId, callId, answerOf, view, expiresAt } = origin
  const claimed = view ? undefined : claims.get(conversationId ?? callId ?? '')
  const owner = claimed && 'joined' in claimed ? claimed.joined : undefined
  const joined = origin.joined === undefined ? owner : (origin.joined ?? undefined)
  const agent = claimedAgent({ claims }, origin)
  const account = accounts.now.get(server)
  return {
    id: newId(),
    createdAt: clock.now(),
    server,
    ...defined({ account, conversationId, callId, answerOf, joined, agent, view, expiresAt }),
    why,
  }
}

type Denied = Extract<BrokerVerdict<never>, { kind: 'denied' }>
export type DenyAnswer = Exclude<ConsentAnswer, { kind: 'allow' }>

/** Scope of a refusal beyond its request, and the rule that it makes. */
type LastingRefusal = { readonly scope: Exclude<ConsentScope, 'once'> } & ReturnType<typeof auditedRule>

/** Group of requests that an answer was given to by one press, for the audit log and for the decision. */
export function groupOf(answer: ConsentAnswer) {
  const group = answer.kind === 'cancel' ? undefined : answer.group
  return group ? { audited: { group }, decided: { together: group.size } } : {}
}

/** Audits the person's refusal of a request, with their reason. */
export function refuse(
  { audit }: BrokerContext,
  request: ConsentRequest,
  answer: DenyAnswer,
  by: AnsweredBy,
  lasting?: LastingRefusal,
): Settled<Denied> {
  const word = answer.kind === 'deny' && answer.word ? { word: answer.word } : {}
  const { audited, decided } = groupOf(answer)
  audit.decided(request, 'denied', by, { ...word, ...lasting, ...audited })
  const decision: Decision = { allowed: false, by, scope: 'once', ...word, ...lasting, ...decided }
  return { outcome: 'denied', value: { kind: 'denied', decision, stop: answer.kind === 'deny' && answer.stop === true } }
}
