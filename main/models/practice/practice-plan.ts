// The practice model's next step: a pure decision over the conversation, made anew at each step. Every sentence that ends a turn says that
// no AI is at work.
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ModelMessage, ModelRequest, ModelTool, ModelUserBlock } from '../provider.ts'
import { type FilledArguments, fillArguments, splitTokens } from './fill-arguments.ts'
import { stemmedWords } from './word-stems.ts'

/** Share of a tool's name that a message has to contain, and number of tools that are called for it. */
const ENOUGH = 0.6
const MOST = 3

type ToolMatch = ReturnType<typeof matchTool>

/** Splits a model name, `<server>__<tool>`. */
function splitName(modelName: string): { readonly server: string; readonly tool: string } {
  const at = modelName.indexOf('__')
  return at < 0 ? { server: '', tool: modelName } : { server: modelName.slice(0, at), tool: modelName.slice(at + 2) }
}

/** Compares a tool with the stems of a message. Title, description and server only decide between tools of equal coverage. */
function matchTool(words: ReadonlySet<string>, tool: ModelTool) {
  const { server, tool: plain } = splitName(tool.name)
  const name = new Set(stemmedWords(plain))
  const hits = new Set([...name].filter((word) => words.has(word)))
  const also = (text: string): number => new Set(stemmedWords(text).filter((word) => words.has(word) && !hits.has(word))).size
  return {
    tool,
    /** Share of the tool's name that is in the message, 0–1. */
    coverage: name.size === 0 ? 0 : hits.size / name.size,
    hits,
    score: hits.size * 3 + also(tool.title ?? '') * 2 + also(server) * 2 + also(tool.description),
  }
}

/** Returns the tools to call: several where the message names each whole and each has a word of its own ("list … and add up …"). */
function matchTools(text: string, tools: readonly ModelTool[]): readonly ToolMatch[] {
  const words = new Set(stemmedWords(text))
  const ranked = tools
    .map((tool) => matchTool(words, tool))
    .filter((match) => match.coverage >= ENOUGH)
    .sort((a, b) => b.coverage - a.coverage || b.score - a.score)
  const picked: ToolMatch[] = []
  const said = new Set<string>()
  for (const match of ranked) {
    const brings = [...match.hits].some((word) => !said.has(word))
    if (picked.length > 0 && (match.coverage < 1 || !brings)) continue
    picked.push(match)
    for (const word of match.hits) said.add(word)
    if (picked.length === MOST) break
  }
  // In the order of the text, as the person expects them to run.
  const order = stemmedWords(text)
  const place = (match: ToolMatch): number => Math.min(...[...match.hits].map((word) => order.indexOf(word)))
  return picked.sort((a, b) => place(a) - place(b))
}

interface Called {
  readonly name: string
  readonly input: JsonObject
  readonly text: string
  readonly structured?: Json | undefined
  readonly isError: boolean
}
const wordsIn = (blocks: readonly ModelUserBlock[]): string =>
  blocks
    .flatMap((block) => (block.type === 'text' && !block.byHost ? [block.text] : []))
    .join('\n')
    .trim()

/** Returns the person's last message (`goal`) and the calls since with their results, one list a step. */
function turnOf(messages: readonly ModelMessage[]): { readonly goal: string; readonly steps: readonly (readonly Called[])[] } {
  const start = messages.findLastIndex((message) => message.role === 'user' && wordsIn(message.content) !== '')
  const first = messages[start]
  const goal = first?.role === 'user' ? wordsIn(first.content) : ''
  const results = new Map<string, ModelUserBlock & { type: 'tool-result' }>()
  const since = messages.slice(start + 1)
  for (const message of since) {
    if (message.role !== 'user') continue
    for (const block of message.content) if (block.type === 'tool-result') results.set(block.providerId, block)
  }
  const steps = since.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const calls = message.content.flatMap((block): Called[] => {
      const result = block.type === 'tool-call' ? results.get(block.providerId) : undefined
      if (block.type !== 'tool-call' || !result) return []
      const text = result.content.flatMap((content) => (content.type === 'text' ? [content.text] : [])).join('\n\n')
      return [{ name: block.name, input: block.input, text, structured: result.structured, isError: result.isError }]
    })
    return calls.length === 0 ? [] : [calls]
  })
  return { goal, steps }
}

type Flat = { readonly [key: string]: null | boolean | number | string }

const isFlat = (value: unknown): value is Flat =>
  isJsonObject(value) && Object.values(value).every((field) => field === null || typeof field !== 'object')

interface FoundRows {
  readonly rows: readonly Flat[]
  /** Values beside the rows: counts, totals. */
  readonly facts: Flat
}

/** Finds the rows of `{invoices: […]}` or of a bare array; a flat object alone gives its fields as facts. */
function recordsIn(value: Json | undefined): FoundRows | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFlat) ? { rows: value, facts: {} } : undefined
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value)
  const tables = entries.filter(([, field]) => Array.isArray(field))
  const facts = entries.filter(([, field]) => field === null || typeof field !== 'object')
  if (facts.length + tables.length !== entries.length || tables.length > 1) return undefined
  const rows = (tables[0]?.[1] ?? []) as readonly Json[]
  return rows.every(isFlat) ? { rows, facts: Object.fromEntries(facts) as Flat } : undefined
}

/** Returns the row that a reference names; `undefined` when none does, or several do. */
function rowNamed(rows: readonly Flat[], references: readonly string[]): JsonObject | undefined {
  for (const reference of references) {
    const plain = reference.replace(/^#/, '').toLowerCase()
    const exact = rows.filter((row) => Object.values(row).some((field) => String(field).toLowerCase() === plain))
    const near =
      exact.length > 0 ? exact : rows.filter((row) => Object.values(row).some((field) => String(field).toLowerCase().includes(plain)))
    if (near.length === 1) return near[0]
  }
  return undefined
}

const MOST_ROWS = 25
const MOST_COLUMNS = 8
const MOST_TOOLS = 30
const MOST_TEXT = 4000

const code = (modelName: string): string => `\`${splitName(modelName).tool}\``
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

function answerFrom(calls: readonly Called[]): string {
  const names = [...new Set(calls.map((call) => code(call.name)))]
  const note = t`*Practice model, not an AI: it matched your words to ${listed(names)} and repeats the result.*`
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

function tableOf(found: FoundRows): string {
  const columns = [...new Set(found.rows.slice(0, MOST_ROWS).flatMap((row) => Object.keys(row)))].slice(0, MOST_COLUMNS)
  const numeric = (column: string): boolean => found.rows.every((row) => typeof row[column] === 'number')
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rows = found.rows.slice(0, MOST_ROWS).map((row) => line(columns.map((column) => cell(row[column]))))
  const table = [line(columns.map(cell)), line(columns.map((column) => (numeric(column) ? '---:' : '---'))), ...rows].join('\n')
  const rest = found.rows.length - MOST_ROWS
  return [table, rest > 0 ? t`And ${rest} more.` : '', factsOf(found)].filter(Boolean).join('\n\n')
}

const factsOf = (found: FoundRows): string =>
  Object.entries(found.facts)
    .map(([name, value]) => `${name}: ${cell(value)}`)
    .join(', ')

function explain(goal: string, tools: readonly ModelTool[]): string {
  const honest = t`This is the practice model, not an AI. It matches your words to tools.`
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

function sayMissing(tool: ModelTool, names: readonly string[]): string {
  const wanted = listed(names.map((name) => `\`${name}\``))
  return [
    t`Your words match ${code(tool.name)}, but it also needs ${wanted}. Say it in quotation marks, or name the file.`,
    t`*Practice model, not an AI.*`,
  ].join('\n\n')
}

export type PracticePlan =
  | { readonly kind: 'call'; readonly text: string; readonly calls: readonly { readonly name: string; readonly input: JsonObject }[] }
  | { readonly kind: 'say'; readonly text: string }

export function planNext(request: Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice'>, now: number): PracticePlan {
  const { goal, steps } = turnOf(request.messages)
  if (request.toolChoice === 'none') return planFor(goal, steps, [], now)
  const plan = planFor(goal, steps, request.tools, now)
  const [first] = request.tools
  // A model that must use a tool uses the first one, without arguments.
  return request.toolChoice === 'required' && plan.kind === 'say' && first
    ? { kind: 'call', text: '', calls: [{ name: first.name, input: {} }] }
    : plan
}

function planFor(goal: string, all: ReturnType<typeof turnOf>['steps'], offered: readonly ModelTool[], now: number): PracticePlan {
  const tools = offered.filter(({ name }) => name !== FIND_TOOLS)
  const matches = matchTools(goal, tools)
  const searched = all.flat().some(({ name }) => name === FIND_TOOLS)
  if (matches.length === 0 && tools.length < offered.length && !searched)
    return { kind: 'call', text: '', calls: [{ name: FIND_TOOLS, input: { query: goal } }] }
  const steps = all.filter((calls) => !calls.some(({ name }) => name === FIND_TOOLS))
  const last = steps.at(-1)
  if (!last) return firstStep(goal, matches, tools, now)
  const target = matches[0]
  const looked = target && !steps.flat().some(({ name }) => name === target.tool.name) ? last[0] : undefined
  if (!target || !looked || looked.isError) return { kind: 'say', text: answerFrom(last) }
  const filled = fill(goal, target, now, recordFrom(looked, goal))
  if (filled.kind === 'missing') return { kind: 'say', text: sayMissing(target.tool, filled.names) }
  return { kind: 'call', text: '', calls: [{ name: target.tool.name, input: filled.input }] }
}

function firstStep(goal: string, matches: readonly ToolMatch[], tools: readonly ModelTool[], now: number): PracticePlan {
  const first = matches[0]
  if (!first) return { kind: 'say', text: explain(goal, tools) }
  const filled = matches.map((match) => ({ match, filled: fill(goal, match, now) }))
  const ready = filled.flatMap(({ match, filled }) => (filled.kind === 'filled' ? [{ name: match.tool.name, input: filled.input }] : []))
  if (ready.length > 0) return { kind: 'call', text: '', calls: ready }
  const lookup = lookupFor(first.tool, tools)
  if (lookup)
    return {
      kind: 'call',
      text: t`I look that up with \`${splitName(lookup.name).tool}\` first.`,
      calls: [{ name: lookup.name, input: {} }],
    }
  const missing = filled[0]?.filled
  return { kind: 'say', text: sayMissing(first.tool, missing?.kind === 'missing' ? missing.names : []) }
}

function fill(goal: string, match: ToolMatch, now: number, record?: JsonObject): FilledArguments {
  return fillArguments(match.tool.inputSchema, { text: goal, toolWords: match.hits, now, record })
}

/** Finds a tool of the same server that lists the same kind of thing and has no required parameters. */
function lookupFor(target: ModelTool, tools: readonly ModelTool[]): ModelTool | undefined {
  const { server, tool } = splitName(target.name)
  const things = new Set(stemmedWords(tool))
  return tools.find((candidate) => {
    const own = splitName(candidate.name)
    const [verb, ...nouns] = stemmedWords(own.tool)
    const required = candidate.inputSchema['required']
    const needsNothing = !Array.isArray(required) || required.length === 0
    const lists = verb === 'list' || verb === 'query'
    return candidate !== target && own.server === server && lists && needsNothing && nouns.some((noun) => things.has(noun))
  })
}

function recordFrom(called: Called, goal: string): JsonObject | undefined {
  const { references, files, quoted } = splitTokens(goal)
  const rows = recordsIn(called.structured)?.rows ?? []
  return rowNamed(rows.filter(isJsonObject), [...references, ...files, ...quoted])
}
