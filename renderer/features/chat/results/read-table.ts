// Tables of JSON, and of comma- or tab-separated values (RFC 4180), where malformed values are taken as they stand.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

export interface TableData {
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[]
  /** Cells in the order of the columns; empty where a row has no such member. */
  readonly rows: readonly (readonly string[])[]
}

const mostRows = 10_000
const mostMembers = 8
const mostColumns = 60

const isPlain = (value: Json): boolean => value === null || typeof value !== 'object'

/** Makes a table of a list of flat objects; undefined for anything else, or when it is too large. */
export function asTable(value: Json): TableData | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostRows) return undefined
  const items = value as readonly Json[]
  if (!items.every((item): item is JsonObject => isJsonObject(item) && Object.values(item).every(isPlain))) return undefined
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  if (names.length === 0 || names.length > mostMembers) return undefined
  return {
    columns: names.map((name) => ({ name, numeric: items.every((item) => !Object.hasOwn(item, name) || typeof item[name] === 'number') })),
    rows: items.map((item) => names.map((name) => (Object.hasOwn(item, name) ? String(item[name]) : ''))),
  }
}

/** `rows`: all rows of the text but the head. Undefined: without a second column or row it reads better as text. */
export function readTable(text: string, separator: ',' | '\t'): { readonly table: TableData; readonly rows: number } | undefined {
  const [head, ...rows] = readRows(text, separator)
  if (!head || rows.length === 0 || head.length < 2 || head.length > mostColumns) return undefined
  const shown = rows.slice(0, mostRows)
  const columns = uniqueNames(head).map((name, at) => ({
    name,
    numeric: shown.every((row) => row[at] === undefined || row[at] === '' || /^-?\d+(?:[.,]\d+)*$/.test(row[at])),
  }))
  return { table: { columns, rows: shown }, rows: rows.length }
}

/** Makes names unique, since they identify the columns. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.map((name, at) => {
    const unique = name !== '' && !seen.has(name) ? name : `${name} (${at + 1})`.trim()
    seen.add(unique)
    return unique
  })
}

function readRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const endRow = (): void => {
    // An empty line is no row.
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at <= text.length; ) {
    const { value, end } = readValue(text, at, separator)
    row.push(value)
    if (text[end] === separator) {
      at = end + 1
      continue
    }
    endRow()
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1
  }
  return rows
}

function readValue(text: string, from: number, separator: string): { readonly value: string; readonly end: number } {
  if (text[from] !== '"') {
    let end = from
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
    return { value: text.slice(from, end), end }
  }
  let value = ''
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { value: value + text.slice(at), end: text.length }
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      // Some programs write text after the closing quote; it belongs to the value.
      const rest = readValue(text, quote + 1, separator)
      return text[quote + 1] === undefined ? { value, end: text.length } : { value: value + rest.value, end: rest.end }
    }
    value += '"'
    at = quote + 2
  }
}
