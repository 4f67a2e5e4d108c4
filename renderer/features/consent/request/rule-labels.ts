import type { Rule, RuleUsage } from '#app/consent/rules/rule.ts'
import { formatUntil, formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'

export const ruleGroupTitle = {
  always: t`Always`,
  conversation: t`In one chat`,
  flow: t`Private data`,
  ask: t`Ask every time`,
  never: t`Never`,
} as const
type RuleGroup = keyof typeof ruleGroupTitle

/** Rules that allow are grouped by scope, the others by effect. */
function ruleGroup(rule: Rule): RuleGroup {
  if (rule.effect === 'deny') return 'never'
  if (rule.effect === 'ask') return 'ask'
  if (rule.flow || rule.public) return 'flow'
  return rule.scope.kind === 'always' ? 'always' : 'conversation'
}

/** Groups the rules, newest first within each group; empty groups are left out. */
export const groupRules = (rules: readonly Rule[]): { readonly group: RuleGroup; readonly rules: Rule[] }[] =>
  (Object.keys(ruleGroupTitle) as RuleGroup[])
    .map((group) => ({ group, rules: rules.filter((rule) => ruleGroup(rule) === group).sort((a, b) => b.createdAt - a.createdAt) }))
    .filter((entry) => entry.rules.length > 0)

/** "used 61 times, last today, 11:06"; empty for a rule that asks. */
export function ruleUsageLabel({ effect }: Pick<Rule, 'effect'>, use: RuleUsage | undefined, now: number): string {
  if (effect === 'ask') return ''
  if (!use) return t`not used yet`
  return t`used ${formatNumber(use.times)} {time|times}, last ${formatWhen(use.last, now)}`
}

/** "You, 12 Sept · bound to the tool as it was then · ends with the chat". `title`: its conversation's title. */
export function ruleFacts(rule: Rule, title: string | undefined, now: number): string {
  const facts = [t`You, ${formatWhen(rule.createdAt, now)}`]
  if (rule.scope.kind === 'conversation') facts.push(title === undefined ? t`Deleted chat` : t`in “${title}”`)
  if (rule.expiresAt !== undefined) facts.push(rule.expiresAt <= now ? t`expired` : t`until ${formatUntil(rule.expiresAt, now)}`)
  if (rule.fingerprint !== undefined || rule.definitions !== undefined) facts.push(t`pauses if the tool changes`)
  return facts.join(' · ')
}
