// What goes to stdout, and only through here: JSON, or text for people. Everything else is stderr. Numbers of things in words,
// and sentences in a row.
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { escapeHiddenInJson, nameHidden, nameHiddenInLine } from '#app/text/hidden-characters.ts'

export const rowCountLabel = (count: number): string => (count === 1 ? t`1 row` : t`${count} rows`)
export const chatCountLabel = (count: number): string => (count === 1 ? t`1 chat` : t`${count} chats`)
export const messageCountLabel = (count: number): string => (count === 1 ? t`1 message` : t`${count} messages`)
export const toolCountLabel = (count: number): string => (count === 1 ? t`1 tool` : t`${count} tools`)
export const resourceCountLabel = (count: number): string => (count === 1 ? t`1 resource` : t`${count} resources`)
export const promptCountLabel = (count: number): string => (count === 1 ? t`1 prompt` : t`${count} prompts`)

export const suggestionLabel = (meant: string | undefined): string => (meant === undefined ? '' : t`Did you mean “${meant}”?`)

/** Whole sentences, without those that there is no cause for. */
export const inARow = (...sentences: readonly (string | false | undefined)[]): string => sentences.filter(Boolean).join(' ')

export interface CliOutput {
  readonly json: boolean
  /** One JSON value on one line. */
  value(value: unknown): void
  text(text: string): void
  /** To stderr. */
  note(text: string): void
  /** Resolves when all of it was taken; also when nobody reads any more. */
  flushed(): Promise<void>
}

export function createCliOutput(
  json: boolean,
  out: NodeJS.WritableStream = process.stdout,
  err: NodeJS.WritableStream = process.stderr,
): CliOutput {
  // `assent … | head`: the reader went away, which is no failure of ours.
  out.on('error', () => {})
  return {
    json,
    value: (value) => void out.write(`${escapeHiddenInJson(JSON.stringify(value))}\n`),
    text: (text) => void out.write(`${text}\n`),
    note: (text) => void err.write(`${text}\n`),
    flushed: () => new Promise((resolve) => out.write('', () => resolve())),
  }
}

/** Text of a server for a terminal: hidden characters and terminal codes are named, not sent. */
export const visible = nameHidden
/** The same of a name, which is one line whatever it holds. */
export const visibleLine = nameHiddenInLine

export const visibleJson = (value: Json): string => visible(JSON.stringify(value, null, 2))

/** Columns as wide as their widest cell; the last one is left as it is. A cell is one line. */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(visibleLine))
  const widths: number[] = []
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
