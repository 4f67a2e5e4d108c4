// Definitions that come only with a result of a search. Anthropic's newer models take them with `defer_loading`, and read one
// where a `tool_reference` in a tool's result names it: the tools that stand first in the cache stay as they were, however
// many are found. Older models, and a tool that no result in the history names any more, get the definition like any other.
import type Anthropic from '@anthropic-ai/sdk'
import type { ModelRequest } from '../provider.ts'

/** Families 4.5 and later, by what their names say (`claude-sonnet-4-5-20250929`, `claude-opus-5`). The model list is silent on it. */
export function takesReferences(model: string): boolean {
  const [, major = '', minor = '0'] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? []
  return Number(major) >= 5 || (major === '4' && Number(minor) >= 5)
}

export interface HeldBack {
  /** What stands in the result of a search instead of its text; none: the text. */
  references(names: readonly string[] | undefined): Anthropic.ToolReferenceBlockParam[]
  /** Once all messages are made: whether some result names it. */
  has(name: string): boolean
}

export function heldBack({ model, tools }: Pick<ModelRequest, 'model' | 'tools'>): HeldBack {
  const may = new Set(takesReferences(model) ? tools.flatMap(({ name, deferred }) => (deferred ? [name] : [])) : [])
  const named = new Set<string>()
  return {
    references(names = []) {
      const known = names.filter((name) => may.has(name))
      // All or none: of one that is in its list already, the model would read nothing in the answer.
      if (known.length === 0 || known.length < names.length) return []
      for (const name of known) named.add(name)
      return known.map((name) => ({ type: 'tool_reference', tool_name: name }))
    },
    has: (name) => named.has(name),
  }
}
