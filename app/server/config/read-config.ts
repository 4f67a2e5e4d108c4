// Reads a config text, `{ "mcpServers": { name: entry } }`, as other hosts write it. Comments and trailing commas are allowed.
import { t } from '#app/i18n/translate.ts'
import { type ConfigProblem, type ServerDefinition, serverName } from '../definition.ts'
import type { InputDeclaration } from '../inputs/input.ts'
import { readConfigEntry } from './config-entry.ts'
import { kindOf, type Node, parseJsonTree, propertiesOf } from './json-tree.ts'
import { readInputs } from './read-inputs.ts'
import { ProblemCollector } from './text-position.ts'

export interface ReadConfig {
  /** Whether the text is an object of servers; if not, nothing of it can be used. */
  readonly usable: boolean
  /** Whether the text is JSON. */
  readonly isJson: boolean
  readonly definitions: ReadonlyMap<string, ServerDefinition>
  /** Declared inputs (`${input:ID}`), by id. */
  readonly inputs: ReadonlyMap<string, InputDeclaration>
  readonly problems: readonly ConfigProblem[]
}

const nothing = { definitions: new Map<string, ServerDefinition>(), inputs: new Map<string, InputDeclaration>() }

export function readConfig(text: string, file: string): ReadConfig {
  const problems = new ProblemCollector(file, text)
  const none = (isJson: boolean): ReadConfig => ({ usable: false, isJson, ...nothing, problems: problems.found })
  const { root, error } = parseJsonTree(text)
  if (error) {
    problems.add(error.offset, undefined, error.message, error.remedy)
    return none(false)
  }
  if (!root) {
    if (text.trim() === '') return { usable: true, isJson: false, ...nothing, problems: [] }
    problems.add(0, undefined, t`There is no JSON in this file.`, t`Write { "mcpServers": {} }.`)
    return none(false)
  }
  if (root.type === 'object' && !root.children?.length) return { usable: true, isJson: true, ...nothing, problems: [] }
  const servers = propertiesOf(root).find((property) => property.name === 'mcpServers')?.value
  if (root.type !== 'object' || !servers || servers.type !== 'object') {
    const wrong = servers ?? root
    problems.add(
      wrong.offset,
      undefined,
      servers ? t`“mcpServers” is ${kindOf(servers)}.` : t`There is no “mcpServers” in this file.`,
      t`Write the servers as { "mcpServers": { "name": { "command": … } } }.`,
    )
    return none(true)
  }
  const definitions = readServers(servers, problems)
  return { usable: true, isJson: true, definitions, inputs: readInputs(root, problems), problems: problems.found }
}

/** Reads the usable entries, in the order of the text. */
function readServers(servers: Node, problems: ProblemCollector): Map<string, ServerDefinition> {
  const definitions = new Map<string, ServerDefinition>()
  const seen = new Set<string>()
  for (const { name, key, value } of propertiesOf(servers)) {
    if (seen.has(name)) {
      problems.add(key.offset, name.slice(0, 64), t`There are two servers named “${name}”.`, t`Rename or remove one; the first is used.`)
      continue
    }
    seen.add(name)
    if (!serverName.safeParse(name).success) {
      problems.add(
        key.offset,
        undefined,
        t`“${name.slice(0, 80)}” cannot be the name of a server.`,
        t`Use 1 to 64 characters, none of them invisible, with no space at either end.`,
      )
      continue
    }
    if (!value) continue
    const definition = readConfigEntry(name, value, problems)
    if (definition) definitions.set(name, definition)
  }
  return definitions
}
