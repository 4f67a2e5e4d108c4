import type { ReactNode } from 'react'
import { whySentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { t } from '#app/i18n/translate.ts'
import { useConsent } from '#renderer/stores/store-hooks.tsx'
import { Icon } from '#renderer/ui/icon.tsx'

// Why a request is asked, with the rule that says so in its own words.

export function useWhyLabel({ why }: ConsentRequest): string {
  const ruleId = 'ruleId' in why ? why.ruleId : undefined
  const rule = useConsent((state) => state.rules.find(({ id }) => id === ruleId))
  return rule ? t`${whySentence(why)} The rule: ${ruleLabel(rule)}.` : whySentence(why)
}

export function WhyAsked({ children }: { readonly children: ReactNode }) {
  return (
    <p className="why">
      <Icon name="info" small />
      <span>{children}</span>
    </p>
  )
}
