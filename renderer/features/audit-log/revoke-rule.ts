import type { Rule } from '#app/consent/rules/rule.ts'
import { t } from '#app/i18n/translate.ts'
import type { Stores } from '#renderer/stores/stores.ts'

/** Revokes a rule, and offers to undo that. */
export async function revokeRule({ actions }: Pick<Stores, 'actions'>, rule: Rule): Promise<void> {
  if (!(await actions.ask('rule.remove', { id: rule.id }))) return
  actions.toast(t`Rule revoked.`, {
    action: { label: t`Undo`, run: () => actions.go('rule.restore', { id: rule.id }) },
  })
}
