// Reads a config text, `{ "mcpServers": { name: entry } }`, as other hosts write it. Comments and trailing commas are allowed.
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { type ConfigProblem, isServerName, type ServerDefinition } from '../definition.ts'
import { type InputDeclaration, inputId } from '../inputs/input.ts'
import { isLabel, readConfigEntry, writeRemedy } from './config-entry.ts'
import { type Node, ProblemCollector, parseJsonTree, propertiesOf, valueLabel } from './json-tree.ts'

export interface ReadConfig {
  /** Whether the text is an object of servers; if not, nothing of it can be used. */
  readonly usable: boolean
  readonly isJson: boolean
  readonly definitions: ReadonlyMap<string, ServerDefinition>
  readonly inputs: ReadonlyMap<string, InputDeclaration>
  readonly problems: readonly ConfigProblem[]
}

const nothing = { definitions: new Map<string, ServerDefinition>(), inputs: new Map<string, InputDeclaration>() }

export function readConfig(text: string, file: string): ReadConfig {
  const problems = new ProblemCollector(file, text)
  const none = (isJson: boolean): ReadConfig => ({ usable: false, isJson, ...nothing, problems: problems.found })
  const { root, errors } = parseJsonTree(text)
  const [error] = errors
  if (error) {
    problems.add(error.offset, undefined, error.message, error.remedy)
    return none(false)
  }
  if (!root) {
    if (text.trim() === '') return { usable: true, isJson: false, ...nothing, problems: [] }
    problems.add(0, undefined, t`This is not JSON.`, writeServers())
    return none(false)
  }
  if (root.type === 'object' && !root.children?.length) return { usable: true, isJson: true, ...nothing, problems: [] }
  const servers = propertiesOf(root).find((property) => property.name === 'mcpServers')?.value
  if (root.type !== 'object' || !servers || servers.type !== 'object') {
    const message = isLabel('mcpServers', servers ? valueLabel(servers) : 'null')
    problems.add((servers ?? root).offset, undefined, message, writeServers())
    return none(true)
  }
  const definitions = readServers(servers, problems)
  return { usable: true, isJson: true, definitions, inputs: readInputs(root, problems), problems: problems.found }
}

const writeServers = (): string => writeRemedy('{ "mcpServers": { "name": { "command": … } } }')

function readServers(servers: Node, problems: ProblemCollector): Map<string, ServerDefinition> {
  const definitions = new Map<string, ServerDefinition>()
  const seen = new Set<string>()
  for (const { name, key, value } of propertiesOf(servers)) {
    if (seen.has(name)) {
      problems.add(key.offset, name.slice(0, 64), t`“${name}” appears twice.`, t`Keep one of the two.`)
      continue
    }
    seen.add(name)
    if (!isServerName(name)) {
      const message = t`“${name.slice(0, 80)}” cannot be the name of a server.`
      problems.add(key.offset, undefined, message, t`Use 1 to 64 visible characters.`)
      continue
    }
    if (!value) continue
    const definition = readConfigEntry(name, value, problems)
    if (definition) definitions.set(name, definition)
  }
  return definitions
}

/** Reads the declarations by id, in the order of the text. */
export function readInputs(root: Node | undefined, problems: ProblemCollector): Map<string, InputDeclaration> {
  const found = new Map<string, InputDeclaration>()
  const list = propertiesOf(root).find(({ name }) => name === 'inputs')?.value
  if (!list) return found
  if (list.type !== 'array') {
    problems.add(list.offset, undefined, isLabel('inputs', valueLabel(list)), writeRemedy('[{ "id": …, "type": "promptString" }]'))
    return found
  }
  for (const node of list.children ?? []) {
    const input = readInput(node, problems)
    if (!input) continue
    if (found.has(input.id)) problems.add(node.offset, undefined, t`“${input.id}” appears twice.`, t`Keep one of the two.`)
    else found.set(input.id, input)
  }
  return found
}

function readInput(node: Node, problems: ProblemCollector): InputDeclaration | undefined {
  const wrong = (at: Node, message: string, remedy: string): undefined => problems.add(at.offset, undefined, message, remedy) as undefined
  if (node.type !== 'object') return wrong(node, isLabel('inputs', valueLabel(node)), writeRemedy('{ "id": …, "type": "promptString" }'))
  const fields = new Map(propertiesOf(node).map(({ name, value }) => [name, value]))
  const text = (name: string): string | undefined => {
    const value = fields.get(name)
    return value?.type === 'string' && value.value !== '' ? String(value.value) : undefined
  }
  const id = text('id')
  if (id === undefined || !inputId.safeParse(id).success)
    return wrong(fields.get('id') ?? node, isLabel('inputs.id', JSON.stringify(id ?? null)), t`Use 1 to 100 characters, without braces.`)
  const type = text('type')
  const password = fields.get('password')?.value === true
  // Whoever wrote a default for a field that hides it would have it used unseen.
  const common = { id, ...defined({ description: text('description'), default: password ? undefined : text('default') }) }
  if (type === undefined || type === 'promptString') return { ...common, password }
  if (type !== 'pickString')
    return wrong(fields.get('type') ?? node, isLabel('inputs.type', JSON.stringify(type)), writeRemedy('"promptString" | "pickString"'))
  const options = (fields.get('options')?.children ?? []).flatMap(optionOf)
  if (options.length > 0) return { ...common, password: false, options }
  return wrong(fields.get('options') ?? node, isLabel('inputs.options', '[]'), writeRemedy('["…"]'))
}

const optionOf = (node: Node): string[] => {
  if (node.type === 'string') return [String(node.value)]
  const value = propertiesOf(node).find(({ name }) => name === 'value')?.value
  return value?.type === 'string' ? [String(value.value)] : []
}
