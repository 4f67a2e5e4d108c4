import { t } from '#app/words/translate.ts'

/** Asked before changes are thrown away by something that was not meant for it: Escape, a press outside, a link. */
export const confirmLoss = (): boolean => window.confirm(t`There are changes that are not saved. Leave and lose them?`)
