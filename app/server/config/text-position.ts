import { defined } from '#app/or-else.ts'
import type { ConfigProblem } from '../definition.ts'
import type { Node } from './json-tree.ts'

/** Reports a fault at a node, and its fix. */
export type Wrong = (at: Node, message: string, remedy: string) => undefined

/** Line and column of an offset, counted from 1, columns in UTF-16 units. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** Collects the faults of one text with their positions. */
export class ProblemCollector {
  readonly found: ConfigProblem[] = []
  readonly #file: string
  readonly #text: string

  constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
  }

  add(offset: number, server: string | undefined, message: string, remedy: string): void {
    this.found.push({ file: this.#file, ...positionAt(this.#text, offset), ...defined({ server }), message, remedy })
  }
}
