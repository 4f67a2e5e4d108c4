// Why a request is asked, with the rule that says so in its own words.
import type { ConsentRequest } from '#app/consent/request.ts'
import { ruleWords } from '#app/consent/rule-words.ts'
import { whySentence } from '#app/consent/sentence.ts'
import { t } from '#app/words/translate.ts'
import { useConsent } from '#renderer/stores/react.tsx'

export function useWhyWords({ why }: ConsentRequest): string {
  const ruleId = 'ruleId' in why ? why.ruleId : undefined
  const rule = useConsent((state) => state.rules.find(({ id }) => id === ruleId))
  return rule ? t`${whySentence(why)} The rule: ${ruleWords(rule)}.` : whySentence(why)
}
