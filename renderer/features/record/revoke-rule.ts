import type { Rule } from '#app/consent/rule.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import { showToast } from '#renderer/stores/view.ts'

/** Takes a rule back, and says what that means, with undo. */
export async function revokeRule({ actions, view }: Pick<Stores, 'actions' | 'view'>, rule: Rule): Promise<void> {
  if (!(await actions.ask('rule.remove', { id: rule.id }))) return
  const whose = rule.server ?? 'Every server'
  showToast(view, rule.effect === 'allow' ? `Rule revoked. ${whose} is asked again.` : 'Rule revoked.', {
    action: { label: 'Undo', run: () => actions.go('rule.restore', { id: rule.id }) },
  })
}
