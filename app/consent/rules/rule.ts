// A rule: a standing answer of the person. `match-rule.ts` matches, `decide.ts` decides.
import { z } from 'zod'
import { json, mapOf } from '#app/json-schemas.ts'
import { account } from '../../server/auth-status.ts'
import { flowSource } from '../taint/private-flow.ts'
import { samplingTerms } from './sampling-budget.ts'

/** JSON Pointer (RFC 6901) into the arguments; of a list each item is meant. */
const argument = z
  .string()
  .max(1000)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'a JSON Pointer')

const condition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('path-inside'),
    argument,
    folder: z.string().min(1).max(4096),
    /** Folder with links resolved when the rule was made, set by the host. Without it nothing is allowed. */
    real: z.string().max(4096).optional(),
  }),
  /** `host`: as in a URL, with a non-default port. */
  z.object({ kind: z.literal('url-host'), argument, host: z.string().min(1).max(300), subdomains: z.boolean() }),
  z.object({ kind: z.literal('equals'), argument, value: json }),
  /** Pattern of the whole value; `*` matches any characters, `?` one. */
  z.object({ kind: z.literal('pattern'), argument, pattern: z.string().min(1).max(200) }),
])
export type Condition = z.infer<typeof condition>

/** Terms that narrow an answer beyond server and tool. */
export const ruleTerms = z.object({
  conditions: z.array(condition).max(20).optional(),
  /** Names of the arguments that an approved call may have. Absent: any. */
  onlyArguments: z.array(z.string().max(1000)).max(100).optional(),
  expiresAt: z.number().optional(),
})
export type RuleTerms = z.infer<typeof ruleTerms>

const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('always') }),
  z.object({ kind: z.literal('conversation'), conversationId: z.string() }),
])

const about = {
  effect: z.enum(['allow', 'ask', 'deny']),
  /** Server; absent: any, except for approvals. */
  server: z.string().optional(),
  /** Tool; absent: every one. In an ask or deny rule `*` matches any characters. */
  tool: z.string().optional(),
  /** Approval of tools that claim to be read-only, while the server is trusted. */
  readOnly: z.literal(true).optional(),
  /** Sampling terms: the rule is about model answers, not tools. */
  sampling: samplingTerms.optional(),
  /** Private data that calls of the server may send, by where it was read: the rule allows no call. */
  flow: flowSource.optional(),
  /** Mark of a server whose data is not private: the rule allows no call. */
  public: z.literal(true).optional(),
  /**
   * Agents (`assent mcp`) that it is about: of one entry, or all, in a folder. Absent: an approval is for chats and commands of Assent, any
   * other rule for everybody.
   */
  agent: z.object({ client: z.string().max(100).optional(), folder: z.string().min(1).max(4096).optional() }).optional(),
  ...ruleTerms.shape,
  scope,
}

export const rule = z.object({
  id: z.string(),
  ...about,
  fingerprint: z.string().optional(),
  /** Launch fingerprint that an approval was made for. Absent: made before this was recorded, or none is needed. */
  program: z.string().optional(),
  /** Account that an approval was made for. Absent: the server knew none then. */
  account: account.optional(),
  /** Identity of the program whose data is marked public. */
  identity: z.string().optional(),
  /** Approved definitions by tool; the approval covers no other tool. */
  definitions: mapOf(z.string()).optional(),
  createdAt: z.number(),
})
export type Rule = z.infer<typeof rule>

export const isToolRule = ({ sampling, flow, public: isPublic }: Pick<Rule, 'sampling' | 'flow' | 'public'>): boolean =>
  sampling === undefined && flow === undefined && isPublic === undefined

/** Number of answers by a rule, and time of the last in milliseconds. */
export const ruleUsage = z.object({ times: z.number().int(), last: z.number() })
export type RuleUsage = z.infer<typeof ruleUsage>

/** Rule as the person writes it; the host adds the rest. */
export const ruleDraft = z
  .object(about)
  .refine((draft) => draft.effect !== 'allow' || draft.server !== undefined, 'an approval names its server')
  .refine(
    (draft) => draft.readOnly === undefined || (draft.effect === 'allow' && draft.tool === undefined),
    'read-only: of an approval without a tool',
  )
  .refine(
    (draft) =>
      draft.sampling === undefined || [draft.tool, draft.readOnly, draft.conditions, draft.onlyArguments].every((one) => one === undefined),
    'sampling: of no tool',
  )
  .refine(
    ({ effect, flow, public: isPublic, tool, readOnly, sampling }) =>
      (flow ?? isPublic) === undefined ||
      (effect === 'allow' && [tool, readOnly, sampling, flow && isPublic].every((one) => one === undefined)),
    'flow, public: an answer of its own',
  )
  .refine(
    ({ effect, sampling }) => sampling === undefined || (effect === 'allow') === (sampling.tokensPerDay !== undefined),
    'sampling: an approval has its limit, and nothing else has one',
  )
export type RuleDraft = z.infer<typeof ruleDraft>
