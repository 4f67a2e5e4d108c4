// Completions and explanations at a place of servers.json, from the schema and the text alone. Pure.
import { findNodeAtLocation, getLocation, type JSONPath, parseTree } from 'jsonc-parser'
import { t } from '#app/i18n/translate.ts'
import { type ConfigSchema, configSchemaAt } from '#app/server/config/config-schema.ts'

interface Completion {
  readonly label: string
  /** Text that replaces the range. */
  readonly insert: string
  readonly detail: string
  readonly about: string
  /** Offset of the caret in `insert`; undefined: behind it. */
  readonly caret?: number
}

const typeNames: Readonly<Record<ConfigSchema['type'], string>> = {
  object: '{ … }',
  array: t`list`,
  string: t`a text`,
  number: t`a number`,
  boolean: t`yes or no`,
}

/** Initial text of a value, with the offset of the caret in it. */
function beginning({ type, default: byDefault, enum: choices }: ConfigSchema): readonly [text: string, caret: number] {
  const value = byDefault ?? choices?.[0]
  if (type === 'object') return ['{}', 1]
  if (type === 'array') return ['[]', 1]
  const text = JSON.stringify(value ?? (type === 'number' ? 0 : type === 'boolean' ? true : ''))
  return [text, type === 'string' ? text.length - 1 : text.length]
}

/** Range of the word or string around the caret. */
export function wordAt(text: string, offset: number): { readonly from: number; readonly to: number } {
  let from = offset
  while (from > 0 && /[\w$-]/.test(text[from - 1] ?? '')) from -= 1
  if (text[from - 1] === '"') from -= 1
  let to = offset
  while (to < text.length && /[\w$-]/.test(text[to] ?? '')) to += 1
  if (text[from] === '"' && text[to] === '"' && to >= offset) to += 1
  return { from, to: Math.max(to, offset) }
}

const presentAt = (text: string, path: JSONPath): ReadonlySet<string> => {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, path)
  return new Set((node?.children ?? []).flatMap(({ children }) => (children?.[0] ? [String(children[0].value)] : [])))
}

/** Completions for the range around the caret; undefined: there are none. */
export function completionsAt(text: string, offset: number) {
  const { path, isAtPropertyKey } = getLocation(text, offset)
  const { from, to } = wordAt(text, offset)
  if (isAtPropertyKey) {
    const parent = path.slice(0, -1)
    const schema = configSchemaAt(parent)
    const present = presentAt(text, parent)
    const typed = text.slice(from, to).replaceAll('"', '')
    // A key that has its value already is only renamed.
    const hasValue = /^\s*:/.test(text.slice(to))
    const options = Object.entries(schema?.properties ?? {})
      .filter(([name]) => name === typed || !present.has(name))
      .map(([name, one]): Completion => {
        const key = JSON.stringify(name)
        const [value, caret] = beginning(one)
        const lead = hasValue ? key : `${key}: `
        return {
          label: name,
          insert: hasValue ? key : lead + value,
          detail: typeNames[one.type],
          about: one.description,
          ...(hasValue ? {} : { caret: lead.length + caret }),
        }
      })
    return options.length > 0 ? { from, to, options } : undefined
  }
  const schema = configSchemaAt(path)
  if (!schema) return undefined
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : [])
  const about = schema.description
  const options = values.map((value): Completion => ({ label: String(value), insert: JSON.stringify(value), detail: '', about }))
  return options.length > 0 ? { from, to, options } : undefined
}

/** Meaning of the key or value at a place. */
export function explainAt(text: string, offset: number) {
  const { path, previousNode } = getLocation(text, offset)
  if (!previousNode || offset < previousNode.offset || offset > previousNode.offset + previousNode.length) return undefined
  const schema = path.length > 0 ? configSchemaAt(path) : undefined
  if (!schema) return undefined
  const choices = schema.enum ? schema.enum.map((one) => JSON.stringify(one)).join(' or ') : typeNames[schema.type]
  return {
    from: previousNode.offset,
    to: previousNode.offset + previousNode.length,
    name: String(path.at(-1)),
    detail: choices,
    about: schema.description,
  }
}
