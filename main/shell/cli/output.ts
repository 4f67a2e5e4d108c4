// Output of commands. Only this writes to stdout: JSON, or text for people. Everything else goes to stderr.
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { escapeHiddenInJson, nameHidden, nameHiddenInLine } from '#app/text/hidden-characters.ts'

export const rowCountLabel = (count: number): string => t`${count} {row|rows}`
export const chatCountLabel = (count: number): string => t`${count} {chat|chats}`
export const messageCountLabel = (count: number): string => t`${count} {message|messages}`
export const toolCountLabel = (count: number): string => t`${count} {tool|tools}`
export const resourceCountLabel = (count: number): string => t`${count} {resource|resources}`
export const promptCountLabel = (count: number): string => t`${count} {prompt|prompts}`

export const suggestionLabel = (meant: string | undefined): string => (meant === undefined ? '' : t`Did you mean “${meant}”?`)

/** Usage error of an option or argument. `syntax`: what is allowed there, as the help writes it. */
export const wrongValueLabel = (name: string, syntax: string, value = ''): string => t`${name} takes ${syntax}, not “${value}”.`
export const missingLabel = (name: string): string => t`Missing: ${name}.`
export const extraArgumentLabel = (value: string): string => t`“${value}” is one argument too many.`
export const needsOptionLabel = (option: string, other: string): string => t`${option} needs ${other}.`
export const excludesLabel = (option: string, other: string): string => t`${option} and ${other} exclude each other.`

/** Joins sentences, without empty ones. */
export const inARow = (...sentences: readonly (string | false | undefined)[]): string => sentences.filter(Boolean).join(' ')

export interface CliOutput {
  readonly json: boolean
  /** Writes a JSON value on one line. */
  value(value: unknown): void
  text(text: string): void
  /** Writes to stderr. */
  note(text: string): void
  /** Resolves when everything was written, or the reader is gone. */
  flushed(): Promise<void>
}

export function createCliOutput(
  json: boolean,
  out: NodeJS.WritableStream = process.stdout,
  err: NodeJS.WritableStream = process.stderr,
): CliOutput {
  // The reader may close the pipe, as in `assent … | head`.
  out.on('error', () => {})
  return {
    json,
    value: (value) => void out.write(`${escapeHiddenInJson(JSON.stringify(value))}\n`),
    // Whoever writes a line has named hidden characters where its parts came together; here for what was forgotten.
    text: (text) => void out.write(`${visible(text)}\n`),
    note: (text) => void err.write(`${visible(text)}\n`),
    flushed: () => new Promise((resolve) => out.write('', () => resolve())),
  }
}

/** Names hidden characters and terminal codes in a server's text. */
export const visible = nameHidden
/** Does the same for a text that stays on one line. */
export const visibleLine = nameHiddenInLine

export const visibleJson = (value: Json): string => visible(JSON.stringify(value, null, 2))

/** Formats a table whose columns are as wide as their widest cell. Cells stay on one line. */
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
