import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'

export const modeLabels: Record<ConsentMode, { readonly name: string; readonly help: string }> = {
  rules: { name: t`Ask by my rules`, help: t`What no rule of yours answers is asked.` },
  'ask-all': { name: t`Ask for all`, help: t`Also what a rule would allow.` },
  'ask-writes': { name: t`Ask for writes`, help: t`Tools that only read run, where you trust their server. The rest as your rules say.` },
  'rules-only': { name: t`Only what rules allow`, help: t`The rest is denied, and you are not asked.` },
}
export const modes = Object.keys(modeLabels) as readonly ConsentMode[]
