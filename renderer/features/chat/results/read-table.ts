// Reads comma- or tab-separated values (RFC 4180). Malformed values are taken as they stand; nothing is guessed.
import type { TableData } from './as-table.ts'

const mostRows = 10_000
const mostColumns = 60

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
