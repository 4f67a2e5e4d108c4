// What happens when a model calls a tool, as far as the standing rules say. Pure; the broker alone decides.
import { isVoid } from '#app/consent/decide.ts'
import { type CallFacts, isAbout, isExpired } from '#app/consent/match.ts'
import type { Rule } from '#app/consent/rule.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'

export type ToolStanding = 'off' | 'asks' | 'allowed' | 'allowed-in-chats' | 'in-part' | 'never' | 'changed'

/** `trusted`: what its tools claim of themselves counts. */
export function toolStanding(
  rules: readonly Rule[],
  { server, trusted, now }: { readonly server: string; readonly trusted: boolean; readonly now: number },
  tool: ToolEntry,
): ToolStanding {
  if (!tool.enabled) return 'off'
  const about = rules.filter((rule) => !isExpired(rule, now) && isAbout(factsOf(rule, server, tool, trusted), rule))
  const whole = about.filter((rule) => (rule.conditions ?? []).length === 0 && rule.onlyArguments === undefined)
  const allows = whole.filter((rule) => rule.effect === 'allow')
  if (whole.some((rule) => rule.effect === 'deny')) return 'never'
  if (about.some((rule) => isVoid({ tool: tool.name, fingerprint: tool.fingerprint }, rule))) return 'changed'
  if (whole.length < about.length) return 'in-part'
  if (whole.some((rule) => rule.effect === 'ask')) return 'asks'
  if (allows.some((rule) => rule.scope.kind === 'always')) return 'allowed'
  return allows.length > 0 ? 'allowed-in-chats' : 'asks'
}

/** Of some call of it, in the chat that the rule is about. */
const factsOf = ({ scope }: Rule, server: string, tool: ToolEntry, trusted: boolean): CallFacts => ({
  server,
  tool: tool.name,
  conversationId: scope.kind === 'conversation' ? scope.conversationId : undefined,
  fingerprint: tool.fingerprint,
  readOnly: trusted && tool.annotations?.readOnlyHint === true,
  closedWorld: trusted && tool.annotations?.openWorldHint === false,
  arguments: {},
  paths: new Map(),
  mode: 'rules',
  now: 0,
})

export const standingWords: Record<ToolStanding, string> = {
  off: t`off, the model doesn’t see it`,
  asks: t`asks`,
  allowed: t`your rule`,
  'allowed-in-chats': t`your rule, in a chat`,
  'in-part': t`your rules, by its arguments`,
  never: t`never`,
  changed: t`asks`,
}

/** Tools whose name, title or description hold every word of the search. */
export function findTools(tools: readonly ToolEntry[], search: string): ToolEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter((tool) => {
    const text = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** The parameters that a schema names, required ones first. */
export function parameterWords(
  schema: ToolEntry['inputSchema'],
): { readonly name: string; readonly type: string; readonly required: boolean; readonly description: string }[] {
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return []
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties)
    .map(([name, value]) => {
      const entry = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
      const type = Array.isArray(entry['enum'])
        ? t`one of ${entry['enum'].map((one) => JSON.stringify(one)).join(', ')}`
        : typeof entry['type'] === 'string'
          ? entry['type']
          : ''
      return {
        name,
        type,
        required: required.includes(name),
        description: typeof entry['description'] === 'string' ? entry['description'] : '',
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}
