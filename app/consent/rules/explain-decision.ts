// Explains a decision: the verdict, and each rule about the server and tool. Pure.
import { z } from 'zod'
import { askReason } from '../request.ts'
import { consentMode } from './consent-mode.ts'
import { type ConsentVerdict, decideConsent, isVoid } from './decide.ts'
import { type CallFacts, isAbout, isExpired, matchCondition, matchRule, ruleMatch } from './match-rule.ts'
import type { Rule } from './rule.ts'

export const explanation = z.object({
  verdict: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ask'), why: askReason }),
    z.object({ kind: z.enum(['allow', 'deny']), ruleId: z.string().optional(), mode: consentMode.optional() }),
  ]),
  /** Rules about this server, tool and conversation. */
  rules: z.array(
    z.object({
      id: z.string(),
      match: ruleMatch,
      conditions: z.array(ruleMatch),
      expired: z.boolean(),
      /** Whether it approved another definition of the tool. */
      void: z.boolean(),
      /** Arguments of the call that the rule does not name. */
      otherArguments: z.array(z.string()),
    }),
  ),
})
export type Explanation = z.infer<typeof explanation>

export function explainCall(facts: CallFacts, rules: readonly Rule[]): Explanation {
  return {
    verdict: shortVerdict(decideConsent(facts, rules)),
    rules: rules
      .filter((rule) => isAbout(facts, rule))
      .map((rule) => ({
        id: rule.id,
        match: matchRule(facts, rule),
        conditions: (rule.conditions ?? []).map((condition) => matchCondition(facts, condition, rule.effect !== 'allow')),
        expired: isExpired(rule, facts.now),
        void: isVoid(facts, rule),
        otherArguments:
          rule.effect === 'allow' && rule.onlyArguments
            ? Object.keys(facts.arguments).filter((name) => !rule.onlyArguments?.includes(name))
            : [],
      })),
  }
}

function shortVerdict(verdict: ConsentVerdict): Explanation['verdict'] {
  if (verdict.kind === 'ask') return verdict
  return verdict.by === 'rule' ? { kind: verdict.kind, ruleId: verdict.rule.id } : { kind: verdict.kind, mode: verdict.mode }
}
