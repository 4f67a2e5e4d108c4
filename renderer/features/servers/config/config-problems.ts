// Problems of servers.json while it is typed: errors of the JSON syntax by line, else those that the host would find on save.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { t } from '#app/i18n/translate.ts'
import { readConfig } from '#app/server/config/read-config.ts'
import type { ConfigProblem } from '#app/server/definition.ts'

export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

const syntaxErrors: Record<string, string> = {
  PropertyNameExpected: t`A name in quotation marks is missing here.`,
  ValueExpected: t`A value is missing here.`,
  ColonExpected: t`A colon is missing here.`,
  CommaExpected: t`A comma is missing before this.`,
  CloseBraceExpected: t`A closing } is missing.`,
  CloseBracketExpected: t`A closing ] is missing.`,
  EndOfFileExpected: t`This is not JSON.`,
  InvalidNumberFormat: t`This is not JSON.`,
  UnexpectedEndOfString: t`The closing quotation mark is missing.`,
  UnexpectedEndOfComment: t`This is not JSON.`,
  InvalidEscapeCharacter: t`Unknown escape. Write a backslash as \\\\.`,
  InvalidSymbol: t`This is not JSON. Put text in double quotation marks.`,
}

/** Lines and columns count from 1. */
export function position(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** The first error of each line: one slip often causes several. */
export function textProblems(text: string): TextProblem[] {
  const errors: ParseError[] = []
  parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const byLine = new Map<number, TextProblem>()
  for (const { error, offset } of errors) {
    const at = position(text, offset)
    if (!byLine.has(at.line)) byLine.set(at.line, { ...at, message: syntaxErrors[printParseErrorCode(error)] ?? t`This is not JSON.` })
  }
  return [...byLine.values()]
}

/** The host's problems, those without a line at the first. */
export const hostProblems = (problems: readonly ConfigProblem[]): TextProblem[] =>
  problems.map(({ line, column, message, remedy }) => ({
    line: line ?? 1,
    column: column ?? 1,
    message: [message, remedy].filter(Boolean).join(' '),
  }))

/** Problems of a text that is not saved yet. Only what is JSON can be saved. */
export function problemsOf(text: string, path: string): { readonly isJson: boolean; readonly found: readonly TextProblem[] } {
  const broken = textProblems(text)
  if (broken.length > 0) return { isJson: false, found: broken }
  return { isJson: true, found: hostProblems(readConfig(text, path).problems) }
}

/** The offset of a place in the text, for putting the caret there. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  return Math.min(text.length, before + Math.min(column - 1, lines[line - 1]?.length ?? 0))
}
