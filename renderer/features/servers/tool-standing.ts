// What happens when a model calls a tool, as far as the standing rules say. Pure; the broker alone decides.
import type { Rule } from '#app/consent/rule.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'

export type ToolStanding = 'off' | 'asks' | 'allowed' | 'allowed-in-chats' | 'never' | 'changed'

export function toolStanding(rules: readonly Rule[], server: string, tool: ToolEntry): ToolStanding {
  if (!tool.enabled) return 'off'
  const about = rules.filter((rule) => rule.server === server && (rule.tool === undefined || rule.tool === tool.name))
  if (about.some((rule) => rule.effect === 'deny')) return 'never'
  const allows = about.filter((rule) => rule.effect === 'allow')
  const bound = (rule: Rule): boolean => rule.fingerprint === undefined || rule.fingerprint === tool.fingerprint
  if (allows.some((rule) => !bound(rule))) return 'changed'
  if (about.some((rule) => rule.effect === 'ask')) return 'asks'
  if (allows.some((rule) => rule.scope.kind === 'always')) return 'allowed'
  return allows.length > 0 ? 'allowed-in-chats' : 'asks'
}

export const standingWords: Record<ToolStanding, string> = {
  off: 'off, the model doesn’t see it',
  asks: 'asks',
  allowed: 'your rule',
  'allowed-in-chats': 'your rule, in a chat',
  never: 'never',
  changed: 'asks',
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
        ? `one of ${entry['enum'].map((one) => JSON.stringify(one)).join(', ')}`
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
