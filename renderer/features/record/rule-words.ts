// What a standing rule allows, in words. Pure.
import type { Rule, RuleUse } from '#app/consent/rule.ts'
import { t } from '#app/words/translate.ts'

export type RuleGroup = 'always' | 'conversation' | 'ask' | 'never'
export const ruleGroups: readonly RuleGroup[] = ['always', 'conversation', 'ask', 'never']
export const ruleGroupTitle: Record<RuleGroup, string> = {
  always: t`Always`,
  conversation: t`In one conversation`,
  ask: t`Ask every time`,
  never: t`Never`,
}

/** A "never" and an "ask" stand apart from what allows, whatever their scope. */
export function ruleGroup(rule: Rule): RuleGroup {
  if (rule.effect === 'deny') return 'never'
  if (rule.effect === 'ask') return 'ask'
  return rule.scope.kind === 'always' ? 'always' : 'conversation'
}

/** In the order of the groups, newest first within each; empty groups are left out. */
export const groupRules = (rules: readonly Rule[]): { readonly group: RuleGroup; readonly rules: Rule[] }[] =>
  ruleGroups
    .map((group) => ({ group, rules: rules.filter((rule) => ruleGroup(rule) === group).sort((a, b) => b.createdAt - a.createdAt) }))
    .filter((entry) => entry.rules.length > 0)

/** "used 61 times, last today, 11:06"; of a "never": "stopped 2 calls, last …". An "ask" answers nothing: empty. */
export function answeredWords({ effect }: Pick<Rule, 'effect'>, use: RuleUse | undefined, now: number): string {
  if (effect === 'ask') return ''
  if (!use) return effect === 'deny' ? t`stopped nothing yet` : t`not used yet`
  const { times, last } = use
  const count = times.toLocaleString('en')
  const what =
    effect === 'deny' ? t`stopped ${times === 1 ? t`1 call` : t`${count} calls`}` : times === 1 ? t`used once` : t`used ${count} times`
  return t`${what}, last ${dayWords(last, now)}`
}

/** "You, 12 Sept · bound to the tool as it was then · ends with the chat". `title`: of its conversation. */
export function ruleFacts(rule: Rule, title: string | undefined, now: number): string {
  const facts = [t`You, ${dayWords(rule.createdAt, now)}`]
  if (rule.scope.kind === 'conversation') facts.push(t`in ${title === undefined ? t`a deleted chat` : `“${title}”`}`)
  if (rule.expiresAt !== undefined) facts.push(rule.expiresAt <= now ? 'over' : t`until ${untilWords(rule.expiresAt, now)}`)
  if (rule.fingerprint !== undefined || rule.definitions !== undefined) facts.push(t`pauses if the tool changes`)
  return facts.join(' · ')
}

/** "Yesterday", "12 Sept": for the heads between days. */
export const dayTitle = (time: number, now: number): string =>
  dayWords(time, now)
    .replace(/, .*$/, '')
    .replace(/^./, (letter) => letter.toUpperCase())

/** "today, 11:06", "tomorrow, 17:40", "12 Sept", "12 Sept 2027". */
export function untilWords(time: number, now: number): string {
  const days = Math.round((midnight(time) - midnight(now)) / 86_400_000)
  if (days > 1) return dateWords(time, now)
  return `${days === 1 ? t`tomorrow` : t`today`}, ${clockWords(time)}`
}

const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/** "today, 11:06", "yesterday, 17:40", "12 Sept", "12 Sept 2025". */
export function dayWords(time: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(time)) / 86_400_000)
  if (days <= 0) return t`today, ${clockWords(time)}`
  if (days === 1) return t`yesterday, ${clockWords(time)}`
  return dateWords(time, now)
}

const clockWords = (time: number): string => new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function dateWords(time: number, now: number): string {
  const date = new Date(time)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
}
