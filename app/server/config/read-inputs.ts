// Reads `inputs` at the top of the file, as in VS Code's mcp.json. A faulty entry is reported and skipped; its id can still be
// used, without a description.
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { type InputDeclaration, inputId } from '../inputs/input.ts'
import { kindOf, type Node, propertiesOf } from './json-tree.ts'
import type { ProblemCollector } from './text-position.ts'

/** Reads the declarations by id, in the order of the text. */
export function readInputs(root: Node | undefined, problems: ProblemCollector): Map<string, InputDeclaration> {
  const found = new Map<string, InputDeclaration>()
  const list = propertiesOf(root).find(({ name }) => name === 'inputs')?.value
  if (!list) return found
  if (list.type !== 'array') {
    problems.add(list.offset, undefined, t`“inputs” is ${kindOf(list)}.`, t`Write a list: [{ "id": …, "type": "promptString" }].`)
    return found
  }
  for (const node of list.children ?? []) {
    const input = readInput(node, problems)
    if (!input) continue
    if (found.has(input.id))
      problems.add(node.offset, undefined, t`There are two inputs with the id “${input.id}”.`, t`Remove one; the first is used.`)
    else found.set(input.id, input)
  }
  return found
}

function readInput(node: Node, problems: ProblemCollector): InputDeclaration | undefined {
  const wrong = (at: Node, message: string, remedy: string): undefined => problems.add(at.offset, undefined, message, remedy) as undefined
  if (node.type !== 'object')
    return wrong(node, t`An input is ${kindOf(node)}, not an object.`, t`Write { "id": …, "type": "promptString" }.`)
  const fields = new Map(propertiesOf(node).map(({ name, value }) => [name, value]))
  const text = (name: string): string | undefined => {
    const value = fields.get(name)
    return value?.type === 'string' && value.value !== '' ? String(value.value) : undefined
  }
  const id = text('id')
  if (id === undefined || !inputId.safeParse(id).success)
    return wrong(fields.get('id') ?? node, t`An input has no usable “id”.`, t`Give it an id of at most 100 characters, without braces.`)
  const type = text('type')
  const common = { id, ...defined({ description: text('description'), default: text('default') }) }
  switch (type) {
    case undefined:
    case 'promptString':
      return { ...common, password: fields.get('password')?.value === true }
    case 'pickString': {
      const options = (fields.get('options')?.children ?? []).flatMap(optionOf)
      if (options.length === 0)
        return wrong(fields.get('options') ?? node, t`The input “${id}” has no options to pick from.`, t`Write "options": ["…", "…"].`)
      return { ...common, password: false, options }
    }
    default:
      return wrong(
        fields.get('type') ?? node,
        t`The input “${id}” is of the type “${type}”, which Assent does not ask for.`,
        t`Write "promptString" or "pickString". Until then its value is asked for as a plain secret.`,
      )
  }
}

/** Reads an option: a text, or `{ label, value }`. */
const optionOf = (node: Node): string[] => {
  if (node.type === 'string') return [String(node.value)]
  const value = propertiesOf(node).find(({ name }) => name === 'value')?.value
  return value?.type === 'string' ? [String(value.value)] : []
}
