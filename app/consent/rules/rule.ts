// A standing answer of the person, as data. What matches is in `match.ts`, which rule wins in `decide.ts`.
import { z } from 'zod'
import { json } from '#app/json.ts'
import { samplingTerms } from './sampling-budget.ts'

/** A JSON Pointer (RFC 6901) into the arguments. Where it leads to a list, each of its items is meant. */
const argument = z
  .string()
  .max(1000)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'a JSON Pointer')

const condition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('path-inside'),
    argument,
    folder: z.string().min(1).max(4096),
    /** Where the folder really was when the rule was made, links followed. The host fills it in; without it nothing is allowed. */
    real: z.string().max(4096).optional(),
  }),
  /** `host`: as in an address, with its port where that is not the usual one. */
  z.object({ kind: z.literal('url-host'), argument, host: z.string().min(1).max(300), subdomains: z.boolean() }),
  z.object({ kind: z.literal('equals'), argument, value: json }),
  /** The whole value; `*` stands for any characters, `?` for one. */
  z.object({ kind: z.literal('pattern'), argument, pattern: z.string().min(1).max(200) }),
])
export type Condition = z.infer<typeof condition>

/** What narrows an answer beyond server and tool. */
export const ruleTerms = z.object({
  /** All of them have to hold. */
  conditions: z.array(condition).max(20).optional(),
  /** Of an approval: the arguments that a call may have, by name. Absent: any. */
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
  /** Absent: any server; not for approvals. */
  server: z.string().optional(),
  /** Absent: every tool. Unless it allows, `*` in it stands for any characters. */
  tool: z.string().optional(),
  /** Of an approval: tools that claim to be read-only, while the person trusts their server. */
  readOnly: z.literal(true).optional(),
  /** It speaks of no tool, but of answers that the server wants of the model. */
  sampling: samplingTerms.optional(),
  ...ruleTerms.shape,
  scope,
}

export const rule = z.object({
  id: z.string(),
  ...about,
  /** Of the tool's definition that was approved. */
  fingerprint: z.string().optional(),
  /** Of an approval: the launch that it was made for, by fingerprint. Absent: made before this was kept, or none is needed. */
  program: z.string().optional(),
  /** Of an approval of more than one tool: the definitions that it was made for, by tool. It speaks of no other tool. */
  definitions: z.record(z.string(), z.string()).optional(),
  createdAt: z.number(),
})
export type Rule = z.infer<typeof rule>

/** How often a rule answered for the person, and when last (milliseconds). */
export const ruleUsage = z.object({ times: z.number().int(), last: z.number() })
export type RuleUsage = z.infer<typeof ruleUsage>

/** A rule as the person writes it down. The host adds the rest. */
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
    ({ effect, sampling }) => sampling === undefined || (effect === 'allow') === (sampling.tokensPerDay !== undefined),
    'sampling: an approval has its limit, and nothing else has one',
  )
export type RuleDraft = z.infer<typeof ruleDraft>
