// The practice model's sentences. Every one that ends a turn says that no AI is at work.

import { t } from '#app/words/translate.ts'
import type { ModelTool } from '../provider.ts'
import { splitName } from './match.ts'
import { type Found, recordsIn } from './records.ts'
import type { Called } from './turn.ts'

const MOST_ROWS = 25
const MOST_COLUMNS = 8
const MOST_TOOLS = 30
const MOST_TEXT = 4000

const code = (modelName: string): string => `\`${splitName(modelName).tool}\``
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

export function answerFrom(calls: readonly Called[]): string {
  const names = [...new Set(calls.map((call) => code(call.name)))]
  const note = t`*Practice model, no AI: it matched your words to ${listed(names)} and repeats what came back.*`
  return [...calls.map(oneAnswer), note].join('\n\n')
}

function oneAnswer(call: Called): string {
  if (call.isError) return [t`${code(call.name)} gave no result:`, quoted(call.text)].join('\n\n')
  const found = recordsIn(call.structured)
  if (found && found.rows.length > 0) return tableOf(found)
  if (call.text.trim() !== '') return shortened(call.text)
  const facts = found ? factsOf(found) : ''
  return facts === '' ? t`${code(call.name)} is done. It gave no text back.` : facts
}

const shortened = (text: string): string => (text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)} …`)
const quoted = (text: string): string =>
  shortened(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

const cell = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')

function tableOf(found: Found): string {
  const columns = [...new Set(found.rows.slice(0, MOST_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MOST_COLUMNS)
  const numeric = (column: string): boolean => found.rows.every((row) => typeof row[column] === 'number')
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rows = found.rows.slice(0, MOST_ROWS).map((row) => line(columns.map((column) => cell(row[column]))))
  const table = [line(columns.map(cell)), line(columns.map((column) => (numeric(column) ? '---:' : '---'))), ...rows].join('\n')
  const rest = found.rows.length - MOST_ROWS
  return [table, rest > 0 ? t`And ${rest} more.` : '', factsOf(found)].filter(Boolean).join('\n\n')
}

const factsOf = (found: Found): string =>
  Object.entries(found.facts)
    .map(([name, value]) => `${name}: ${cell(value)}`)
    .join(', ')

export function explain(goal: string, tools: readonly ModelTool[]): string {
  const honest = t`This is the practice model. It is no AI: it matches your words to the names of tools and fills in what they ask for.`
  if (tools.length === 0) {
    const words = goal.split(/\s+/).filter(Boolean)
    const start = words.slice(0, 12).join(' ')
    const beginning = `${start}${words.length > 12 ? ' …' : ''}`
    const none = t`It has no tool in reach here.`
    const read = words.length === 0 ? '' : t`It was given ${words.length} words that begin with “${beginning}”.`
    return [honest, none, read].filter(Boolean).join(' ')
  }
  const lines = tools.slice(0, MOST_TOOLS).map((tool) => {
    const { server } = splitName(tool.name)
    return `- ${code(tool.name)} of ${server}${tool.title ? `: ${tool.title}` : ''}`
  })
  const more = tools.length > MOST_TOOLS ? `\n\nAnd ${tools.length - MOST_TOOLS} more.` : ''
  return [honest, t`These words match no tool. In reach are:`, lines.join('\n'), more].filter(Boolean).join('\n\n')
}

export function sayMissing(tool: ModelTool, names: readonly string[]): string {
  const wanted = listed(names.map((name) => `\`${name}\``))
  return [
    t`Your words match ${code(tool.name)}, but it also needs ${wanted}. Say it in quotation marks, or name the file.`,
    t`*Practice model, no AI.*`,
  ].join('\n\n')
}
