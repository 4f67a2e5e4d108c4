// More than a thousand tools of some seventy servers, written by hand after what such servers offer, in a short notation:
//   # server
//   @parameter What it says of itself, on this server
//   tool: Description | required! optional count:int list[] choice=a|b
// Parameters that no line explains say nothing of themselves, as in life.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { readTools } from '#main/servers/client/catalogue/catalogue-entries.ts'
import type { OfferedTool } from '../../main/servers/client/requests/running-calls.ts'

const folder = join(import.meta.dirname, 'catalogue')
const common = 'parameters.txt'

const types: Readonly<Record<string, JsonObject>> = {
  int: { type: 'integer' },
  number: { type: 'number' },
  bool: { type: 'boolean' },
  object: { type: 'object' },
}

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonObject
}

function readParameter(word: string): Parameter {
  const required = word.endsWith('!')
  const plain = required ? word.slice(0, -1) : word
  const [choice = '', ...values] = plain.split('=')
  if (values.length > 0) return { name: choice, required, schema: { type: 'string', enum: values.join('=').split('|') } }
  if (plain.endsWith('[]')) return { name: plain.slice(0, -2), required, schema: { type: 'array', items: { type: 'string' } } }
  const [name = '', type = ''] = plain.split(':')
  return { name, required, schema: types[type] ?? { type: 'string' } }
}

/** `name:type What it says`: its schema, with the words. */
function readExplained(line: string): readonly [string, JsonObject] {
  const end = line.indexOf(' ')
  const { name, schema } = readParameter(line.slice(0, end))
  return [name, { ...schema, description: line.slice(end + 1) }]
}

function readTool(line: string, explained: ReadonlyMap<string, JsonObject>): JsonObject {
  const [, name = '', description = '', words = ''] = /^(\w+): (.*?) ?\|(.*)$/.exec(line) ?? []
  if (name === '') throw new Error(`not a tool: ${line}`)
  const parameters = words.trim() === '' ? [] : words.trim().split(/\s+/).map(readParameter)
  const properties = Object.fromEntries(
    parameters.map(({ name: parameter, schema }) => [
      parameter,
      // What the tool says of its type counts; the words come from the explanation.
      schema['type'] === 'string' && !schema['enum'] ? (explained.get(parameter) ?? schema) : { ...explained.get(parameter), ...schema },
    ]),
  )
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  return { name, description, inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } }
}

const linesOf = (file: string): string[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')

/** As a host would offer them: by server, each server's in the order of their names. */
export async function readCatalogue(): Promise<OfferedTool[]> {
  const shared = linesOf(common).map(readExplained)
  const servers = new Map<string, { readonly explained: Map<string, JsonObject>; readonly lines: string[] }>()
  for (const file of readdirSync(folder)
    .filter((name) => name !== common)
    .sort()) {
    let current: { readonly explained: Map<string, JsonObject>; readonly lines: string[] } | undefined
    for (const line of linesOf(file)) {
      if (line.startsWith('# ')) {
        current = { explained: new Map(shared), lines: [] }
        servers.set(line.slice(2), current)
      } else if (line.startsWith('@')) current?.explained.set(...readExplained(line.slice(1)))
      else current?.lines.push(line)
    }
  }
  const offered: OfferedTool[] = []
  for (const [server, { explained, lines }] of servers) {
    const items = lines.map((line) => readTool(line, explained))
    const { entries, warnings } = await readTools(server, items, () => new Set())
    if (warnings.length > 0) throw new Error(`${server}: ${warnings.join(' ')}`)
    offered.push(...entries.map((tool) => ({ server, tool, trusted: false, local: true })))
  }
  return offered
}
