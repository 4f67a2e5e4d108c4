// What the rules say to a call, in words. Pure.
import type { Explanation } from '#app/consent/explain.ts'
import type { Rule } from '#app/consent/rule.ts'
import { conditionPieces, joinPieces } from '#app/consent/rule-words.ts'
import { whySentence } from '#app/consent/sentence.ts'
import { listWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

export function verdictWords(verdict: Explanation['verdict']): string {
  if (verdict.kind === 'ask') return t`You would be asked. ${whySentence(verdict.why)}`
  return verdict.kind === 'allow' ? t`It would run without asking.` : t`It would be denied without asking.`
}

const effects: Record<Rule['effect'], string> = { allow: t`allows it`, ask: t`asks`, deny: t`denies it` }

/** Whether the rule speaks of the call, and if not, for what it does not. */
export function matchReason(rule: Rule, looked: Explanation['rules'][number], decides: boolean): string {
  const conditions = rule.conditions ?? []
  const failing = conditions.filter((_, index) => looked.conditions[index] === 'no')
  const unsure = conditions.filter((_, index) => looked.conditions[index] === 'unsure')
  const words = (list: typeof conditions): string => listWords(list.map((one) => `“${joinPieces(conditionPieces(one))}”`))
  if (looked.expired) return t`It is over.`
  if (failing.length > 0) return t`It does not speak of this: not so that ${words(failing)}.`
  if (looked.otherArguments.length > 0)
    return t`It does not speak of this: the call has other arguments (${looked.otherArguments.join(', ')}).`
  if (unsure.length > 0) return t`Nobody can tell whether ${words(unsure)}.`
  if (looked.void) return t`Paused: the tool is not what you allowed.`
  return decides ? t`It fits, and ${effects[rule.effect]}.` : t`It fits, and ${effects[rule.effect]} where no other rule goes before it.`
}
