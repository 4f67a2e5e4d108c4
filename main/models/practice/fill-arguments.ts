// Fills a tool's arguments from the person's message and, on the second step, from a record that another tool found. A `pattern` of a
// server's schema is never run: a slow one would block the host.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { canonical, stemmedWords } from './word-stems.ts'

// Values in a text that can become arguments: quoted strings, file names, URLs, numbers, days, months.

type TextTokens = ReturnType<typeof splitTokens>

const spelled = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const weekdays = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btoday\b|\btomorrow\b|\b\d{4}-\d{2}-\d{2}\b/gi
const monthNames = 'january february march april may june july august september october november december'.split(' ')

export function splitTokens(text: string) {
  const quoted = [...text.matchAll(/"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
  )
  let rest = text.replace(/"[^"]+"|“[^”]+”|`[^`]+`/g, ' ')
  const take = (pattern: RegExp): string[] => {
    const found = [...rest.matchAll(pattern)].map((match) => match[0].replace(/[.,;:!?)]+$/, ''))
    rest = rest.replace(pattern, ' ')
    return found
  }
  const urls = take(/\bhttps?:\/\/[^\s<>"']+/gi)
  const files = take(/(?:[~.]{0,2}\/)[^\s,;]+|\b[\p{L}\p{N}_-][\p{L}\p{N}._-]*\.[a-zA-Z][a-zA-Z0-9]{0,4}\b/gu)
  const days = take(weekdays)
  /** `2026-09`, or the name of a month. */
  const months = [...take(/\b\d{4}-(?:0[1-9]|1[0-2])\b/g), ...take(new RegExp(`\\b(?:${monthNames.join('|')})\\b`, 'gi')).filter(isMonth)]
  /** Names of things that are no files: 0417, INV-7. */
  const references = take(/\b0\d+\b|\b[A-Za-z]+-?\d[\w-]*\b|#\d+\b/g)
  /** Whole and decimal numbers, also spelled out to twelve. Numbers with leading zeros are references. */
  const numbers = [...rest.matchAll(/(?<![\p{L}\p{N}.])-?\d+(?:\.\d+)?|\p{L}+/gu)].flatMap(([word]) => {
    const index = spelled.indexOf(word.toLowerCase())
    return index >= 0 ? [index] : /\d/.test(word) ? [Number(word)] : []
  })
  return { quoted, urls, files, numbers, references, days, months }
}

/** "may" is a month only with a capital. */
const isMonth = (word: string): boolean => word !== 'may'

/** Converts to `YYYY-MM`; a name stands for the latest such month that has begun. */
function monthOf(word: string, now: number): string | undefined {
  if (/^\d{4}-\d{2}$/.test(word)) return word
  const index = monthNames.indexOf(word.toLowerCase())
  if (index < 0) return undefined
  const today = new Date(now)
  const year = index <= today.getUTCMonth() ? today.getUTCFullYear() : today.getUTCFullYear() - 1
  return `${year}-${String(index + 1).padStart(2, '0')}`
}

export type FilledArguments =
  | { readonly kind: 'filled'; readonly input: JsonObject }
  | { readonly kind: 'missing'; readonly names: readonly string[]; readonly input: JsonObject }

interface Source {
  readonly text: string
  readonly toolWords: ReadonlySet<string>
  readonly now: number
  /** Record that a listing tool gave for the thing in the message. */
  readonly record?: JsonObject | undefined
}

interface Supply {
  readonly tokens: TextTokens
  readonly source: Source
  readonly numbers: number[]
  readonly quoted: string[]
  readonly files: string[]
  /** Files after "to" or "as", where the tool has a parameter for a new name. */
  readonly newNames: string[]
}

export function fillArguments(schema: JsonObject, source: Source): FilledArguments {
  const tokens = splitTokens(source.text)
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const renames = Object.entries(properties).some(
    ([name, property]) => meaningOf(name, isJsonObject(property) ? property : {}) === 'new-name',
  )
  const newNames = renames ? tokens.files.filter((file) => source.text.includes(` to ${file}`) || source.text.includes(` as ${file}`)) : []
  const files = tokens.files.filter((file) => !newNames.includes(file))
  const supply: Supply = { tokens, source, numbers: [...tokens.numbers], quoted: [...tokens.quoted], files, newNames }
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [])
  const texts = Object.entries(properties).filter(([name, property]) => required.has(name) && isFreeText(name, property))
  const input: Record<string, Json> = {}
  const missing: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const value = valueFor(name, isJsonObject(property) ? property : {}, supply, required.has(name) && texts.length === 1)
    if (value !== undefined) input[name] = value
    else if (required.has(name) && !(isJsonObject(property) && 'default' in property)) missing.push(name)
  }
  return missing.length === 0 ? { kind: 'filled', input } : { kind: 'missing', names: missing, input }
}

const typeOf = (property: JsonObject): string => {
  const type = property['type']
  return typeof type === 'string' ? type : Array.isArray(type) ? String(type.find((one) => one !== 'null')) : 'string'
}

/** `restAsText`: the parameter is the only required text, so it may take the rest of the sentence. */
function valueFor(name: string, property: JsonObject, supply: Supply, restAsText: boolean): Json | undefined {
  const options = property['enum']
  if (Array.isArray(options)) return optionIn(options, supply.source.text)
  switch (typeOf(property)) {
    case 'integer':
    case 'number':
      return numberFor(typeOf(property), supply)
    case 'boolean':
      return booleanFor(name, supply.source.text)
    case 'array':
      return arrayFor(property, supply)
    case 'string':
      return stringFor(name, property, supply, restAsText)
    default:
      return undefined
  }
}

function optionIn(options: readonly Json[], text: string): Json | undefined {
  const words = new Set(stemmedWords(text))
  return options.find((option) => {
    const own = stemmedWords(String(option))
    return own.length > 0 && own.every((word) => words.has(word))
  })
}

function numberFor(type: string, supply: Supply): number | undefined {
  const index = supply.numbers.findIndex((number) => type === 'number' || Number.isInteger(number))
  return index < 0 ? undefined : supply.numbers.splice(index, 1)[0]
}

function booleanFor(name: string, text: string): boolean | undefined {
  const own = stemmedWords(name)
  const at = own.map((word) => text.toLowerCase().split(/\W+/).map(canonical).indexOf(word))
  if (own.length === 0 || at.includes(-1)) return undefined
  return !/\b(?:no|not|without|don't)\b/i.test(text)
}

function arrayFor(property: JsonObject, supply: Supply): Json | undefined {
  const items = isJsonObject(property['items']) ? typeOf(property['items']) : 'string'
  const found: readonly Json[] =
    items === 'string' ? [...supply.quoted.splice(0), ...supply.files.splice(0)] : items === 'object' ? [] : supply.numbers.splice(0)
  return found.length === 0 ? undefined : found
}

type Meaning = 'url' | 'month' | 'day' | 'new-name' | 'file' | 'text'

function meaningOf(name: string, property: JsonObject): Meaning {
  const words = stemmedWords(name)
  const has = (...any: string[]): boolean => any.some((word) => words.includes(canonical(word)))
  if (property['format'] === 'uri' || has('url', 'uri', 'link')) return 'url'
  if (has('month')) return 'month'
  if (property['format'] === 'date' || has('day', 'date', 'weekday')) return 'day'
  if (has('new', 'destination', 'target')) return 'new-name'
  if (has('file', 'path', 'filename', 'source')) return 'file'
  return 'text'
}

function isFreeText(name: string, property: unknown): boolean {
  return isJsonObject(property) && typeOf(property) === 'string' && !('enum' in property) && meaningOf(name, property) === 'text'
}

function stringFor(name: string, property: JsonObject, supply: Supply, restAsText: boolean): string | undefined {
  const { tokens, source } = supply
  switch (meaningOf(name, property)) {
    case 'url':
      return tokens.urls[0]
    case 'month':
      return tokens.months[0] === undefined ? undefined : monthOf(tokens.months[0], source.now)
    case 'day':
      return tokens.days[0]
    case 'new-name':
      return newNameFor(supply)
    case 'file':
      return supply.files.shift() ?? fieldOf(source.record, name) ?? fileOf(source.record)
    case 'text':
      return supply.quoted.shift() ?? fieldOf(source.record, name) ?? (restAsText ? restOf(source) : undefined)
  }
}

/** Reads a new name: "… to start with its date", "… to X", or the next file that the text names. */
function newNameFor(supply: Supply): string | undefined {
  const { source } = supply
  const old = fileOf(source.record)
  const how = /\b(start|begin|end)\w*\s+with\s+(?:its|the|their)\s+(\p{L}+)/iu.exec(source.text)
  const part = how ? fieldOf(source.record, how[2] ?? '') : undefined
  if (old !== undefined && how && part !== undefined) {
    const dot = old.lastIndexOf('.')
    return how[1]?.toLowerCase() === 'end' && dot > 0 ? `${old.slice(0, dot)}_${part}${old.slice(dot)}` : `${part}_${old}`
  }
  return how ? undefined : (supply.newNames.shift() ?? supply.quoted.shift() ?? supply.files.shift())
}

function fieldOf(record: JsonObject | undefined, name: string): string | undefined {
  const wanted = stemmedWords(name).join(' ')
  const entry = Object.entries(record ?? {}).find(([key]) => stemmedWords(key).join(' ') === wanted)
  return typeof entry?.[1] === 'string' || typeof entry?.[1] === 'number' ? String(entry[1]) : undefined
}

const fileOf = (record: JsonObject | undefined): string | undefined =>
  fieldOf(record, 'file') ?? fieldOf(record, 'path') ?? fieldOf(record, 'name')

/** Rest of the text after the words that name the tool: "echo hello there" → "hello there". */
function restOf({ text, toolWords }: Source): string | undefined {
  const words = text.trim().split(/\s+/)
  const last = words.findLastIndex((word) => stemmedWords(word).some((one) => toolWords.has(one)))
  const rest = words.slice(last + 1).join(' ')
  return rest === '' ? undefined : rest
}
