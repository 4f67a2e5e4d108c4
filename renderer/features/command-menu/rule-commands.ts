// Rules can be taken back from here, with undo; given they are only where the arguments are read.
import type { Rule } from '#app/consent/rule.ts'
import { ruleWords } from '#app/consent/rule-words.ts'
import { t } from '#app/words/translate.ts'
import { revokeRule } from '#renderer/features/record/revoke-rule.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import type { Command } from './command.ts'

export function ruleCommands(stores: Stores, rules: readonly Rule[]): Command[] {
  // Without a “never”, more is asked or allowed than before: that is done where the rule is read whole.
  const allowing = rules.filter(({ effect }) => effect === 'allow')
  if (allowing.length === 0) return []
  const commands = allowing.map(
    (rule): Command => ({
      id: `revoke ${rule.id}`,
      words: ruleWords(rule),
      icon: 'shield',
      act: () => void revokeRule(stores, rule),
      ...(rule.server !== undefined && { end: rule.server }),
    }),
  )
  return [
    {
      id: 'revoke-rule',
      words: t`Revoke a rule…`,
      icon: 'shield',
      also: t`remove permission`,
      act: { title: t`Revoke a rule`, groups: [{ title: t`Rules that allow`, commands }] },
    },
  ]
}
