// How a help stands on a terminal: lines that end before its edge, options in one column and what they mean in another.
import { t } from '#app/words/translate.ts'

/** What is typed, and what it means. */
export type Entry = readonly [typed: string, means: string]

export interface Help {
  readonly title?: string
  /** Each after the name of the program. */
  readonly usage: readonly string[]
  readonly parts: readonly (string | readonly Entry[] | { readonly example: string })[]
}

const WIDTH = 92
/** What is typed and takes more room has its line for itself. */
const WIDEST = 26

/** Wide enough for the widest column, if a word alone is not wider than the line. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function entryLines(entries: readonly Entry[]): string[] {
  const column = Math.min(WIDEST, Math.max(...entries.map(([typed]) => typed.length))) + 4
  return entries.flatMap(([typed, means]) => {
    const lines = wrapped(means, WIDTH - column).map((line) => ' '.repeat(column) + line)
    const head = `  ${typed}`
    if (head.length + 2 > column) return [head, ...lines]
    return [head.padEnd(column) + (lines[0] ?? '').trimStart(), ...lines.slice(1)]
  })
}

function partLines(part: Help['parts'][number]): string[] {
  if (typeof part === 'string') return wrapped(part, WIDTH)
  return 'example' in part ? [`  ${part.example}`] : entryLines(part)
}

/** Ends with a line break. */
export function helpText({ title, usage, parts }: Help): string {
  const head = t`usage:`
  const usages = usage.flatMap((line, index) => {
    const begin = `${index === 0 ? head : ' '.repeat(head.length)} assent`
    return wrapped(line, WIDTH - begin.length - 1).map((piece, at) => `${at === 0 ? begin : ' '.repeat(begin.length)} ${piece}`)
  })
  return `${[...(title === undefined ? [] : [[title]]), usages, ...parts.map(partLines)].map((lines) => lines.join('\n')).join('\n\n')}\n`
}
