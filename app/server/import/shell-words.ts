// Splits pasted command lines into commands and words as a shell would. Nothing is run or expanded: a variable or `~` becomes a
// reference that Assent resolves itself, or stays as it is written.
import { t } from '#app/i18n/translate.ts'
import { isRunner } from './command-programs.ts'
import type { ImportNote } from './import-notes.ts'

export type SourceShell = 'posix' | 'windows'

const isSpace = (char: string): boolean => /\s/.test(char)

/** Splits a command line into words by quotes and backslashes. With `windows` a backslash is part of a path. */
export function splitCommandLine(line: string, shell: SourceShell = 'posix'): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    const next = line[index + 1] ?? ''
    const piece = quote === "'" ? undefined : substitutionAt(line, index, shell)
    if (piece !== undefined) {
      word = (word ?? '') + piece
      index += piece.length - 1
    } else if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"' && (shell === 'posix' ? /["\\$`\n]/ : /"/).test(next)) {
        index++
        if (next !== '\n') word = (word ?? '') + next
      } else word = (word ?? '') + char
    } else if (char === '<' && placeholderAt(line, index)) {
      const end = line.indexOf('>', index)
      word = (word ?? '') + line.slice(index, end + 1)
      index = end
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\' && next !== '' && /[\s"'\\$&;|<>()*?#~]/.test(next) && (shell === 'posix' || next === '"')) {
      index++
      if (next !== '\n') word = (word ?? '') + next
    } else if (isSpace(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Operator between two commands. All but `&&`, `;` and a line end need a shell. */
type Operator = '&&' | '||' | '&' | ';' | '|' | '>' | '<' | '\n'

export interface CommandText {
  readonly text: string
  readonly offset: number
  readonly after: Operator | undefined
  readonly operatorAt: number
}

const operatorAt = (text: string, index: number): Operator | undefined =>
  /^(?:&&|\|\||[&|;<>\n])/.exec(text.slice(index, index + 2))?.[0] as Operator | undefined
/** Tells an `&` in an unquoted address, such as `a=1&b=2`, from an operator. */
const isInAddress = (text: string, index: number): boolean =>
  /\S/.test(text[index + 1] ?? ' ') && /https?:\/\/\S+$/.test(text.slice(Math.max(0, index - 500), index))
/** Tells PowerShell's `&` before a program from an operator between two. */
const isCall = (before: string, after: Operator | undefined): boolean => before.trim() === '' && (after === undefined || after === '\n')
const isPrompt = (text: string): boolean => /^\s*(?:PS(?: [^\n>]*)?|[A-Za-z]:\\[^\n>]*)?$/.test(text)

/** Lists the commands of a text. Quotes keep their contents together; one that is not closed is a plain character. */
export function commandsIn(text: string): CommandText[] {
  const found: CommandText[] = []
  let start = 0
  let after: Operator | undefined
  let at = 0
  let quote = ''
  const end = (stop: number): void => {
    const piece = text.slice(start, stop)
    if (piece.trim() === '' && (after === undefined || after === '\n')) return
    found.push({ text: piece, offset: start + piece.length - piece.trimStart().length, after, operatorAt: at })
  }
  const last = { '"': text.lastIndexOf('"'), "'": text.lastIndexOf("'") }
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"') index++
    } else if (char === '"' || char === "'") {
      if (last[char] > index) quote = char
    } else if (char === '$' && text[index + 1] === '(') index += balanced(text.slice(index, index + 2000), 0).length - 1
    // `<your-token>` is a placeholder, not a redirection.
    else if (char === '<' && placeholderAt(text, index)) index = text.indexOf('>', index)
    // Line continuation in POSIX shells, PowerShell and cmd.
    else if ((char === '\\' || char === '`' || char === '^') && /^[ \t]*\r?\n/.test(text.slice(index + 1, index + 80)))
      index = text.indexOf('\n', index)
    else if (char === '\\' && text[index + 1] !== '\n') index++
    else if (char === '#' && (index === 0 || isSpace(text[index - 1] ?? ''))) {
      end(index)
      const lineEnd = text.indexOf('\n', index)
      index = lineEnd === -1 ? text.length : lineEnd
      start = index + 1
      after = '\n'
    } else {
      const operator = operatorAt(text, index)
      if (
        operator === undefined ||
        (operator === '>' && isPrompt(text.slice(start, index))) ||
        (operator === '&' && isCall(text.slice(start, index), after)) ||
        (operator === '&' && isInAddress(text, index))
      )
        continue
      end(index)
      at = index
      index += operator.length - 1
      start = index + 1
      after = operator
    }
  }
  end(text.length)
  return found
}

const placeholderAt = (text: string, index: number): boolean =>
  /^<(?:[\p{L}\p{N}_][^<>\n|&;]*|[\w-]+(?:\|[\w-]+)+)>/u.test(text.slice(index, index + 100))

/** Finds the first command substitution, `$(…)` or backticks. That of `pwd` does not count: Assent knows the folder. */
export function substitutionIn(line: string, shell: SourceShell = 'posix'): string | undefined {
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    if (quote === "'") {
      if (char === "'") quote = ''
    } else if (char === '\\' && shell === 'posix') index++
    else if (char === "'" && quote === '') quote = line.includes("'", index + 1) ? char : ''
    else if (char === '"') quote = quote === '' ? char : ''
    else {
      const piece = substitutionAt(line, index, shell)
      if (piece === undefined) continue
      if (!/^(?:\$\( *pwd *\)|`pwd`)$/.test(piece)) return piece
      index += piece.length - 1
    }
  }
  return undefined
}

function substitutionAt(line: string, index: number, shell: SourceShell): string | undefined {
  if (line[index] === '$' && line[index + 1] === '(') return balanced(line, index)
  // `${NAME%/}` needs a shell; `${NAME:-x}`, `${env:NAME}` and the like do not.
  if (line[index] === '$' && line[index + 1] === '{')
    return /^\$\{[A-Za-z_]\w*(?:[%#^,/@]|:[?+=])[^{}]{0,200}\}/.exec(line.slice(index, index + 300))?.[0]
  // `(Join-Path …)` of PowerShell.
  if (line[index] === '(' && /^(?:$|\s)/.test(line[index - 1] ?? '') && /^\([A-Z][a-z]+-[A-Z]\w+ /.test(line.slice(index, index + 60)))
    return balanced(line, index)
  if (line[index] !== '`' || shell === 'windows') return undefined
  const close = line.indexOf('`', index + 1)
  return close === -1 ? undefined : line.slice(index, close + 1)
}

function balanced(line: string, start: number): string {
  let depth = 0
  for (let index = start; index < line.length; index++) {
    if (line[index] === '(') depth++
    else if (line[index] === ')' && --depth === 0) return line.slice(start, index + 1)
  }
  return line.slice(start)
}

const shellPieceIn = (line: string, shell: SourceShell = 'posix'): string | undefined =>
  substitutionIn(line, shell) ?? commandsIn(line).find(({ after }) => after !== undefined && after !== '\n')?.after

/** Removes line continuations, which would otherwise be words. */
export const joinedLines = (text: string): string =>
  text.replace(/([ \t]?)[\\`^][ \t]*\r?\n[ \t]*/g, (_whole, before: string) => before || ' ')

/** Turns `~/notes` and `$HOME/notes` into folders that Assent knows, and `$NAME` into a reference to a variable. */
export const withReferences = (word: string): string =>
  word
    .replace(/^~(?=$|[\\/])/, `\${userHome}`)
    .replace(/(^|[=:,])~(?=[\\/])/g, `$1\${userHome}`)
    .replace(/\$(?:HOME\b|\{HOME\}|env:USERPROFILE\b)|%USERPROFILE%/gi, `\${userHome}`)
    .replace(/\$(?:PWD\b|\{PWD\}|\(pwd\))|%cd%|`pwd`/gi, `\${workspaceFolder}`)
    .replace(
      /\$\{([A-Za-z_]\w*)\}|\$env:([A-Za-z_]\w*)|%([A-Za-z_]\w*)%|\$([A-Za-z_]\w*)/g,
      (whole: string, ...names: (string | undefined)[]) => {
        const name = names.slice(0, 4).find((one) => one !== undefined)
        return whole === `\${userHome}` || whole === `\${workspaceFolder}` || name === undefined ? whole : `\${env:${name}}`
      },
    )

type WholeLine =
  | { readonly kind: 'words'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'shell'; readonly piece: string }

/** Splits a whole line. Returns undefined for the name of one program, whose path may hold spaces. */
export function wholeLine(command: string): WholeLine | undefined {
  if (!/\S\s+\S/.test(command) || command.startsWith('$')) return undefined
  const [program = '', ...args] = splitCommandLine(command, /[A-Za-z]:\\/.test(command) ? 'windows' : 'posix')
  if (args.length === 0 || (/[\\/]/.test(program) && !isRunner(program))) return undefined
  const piece = shellPieceIn(command)
  return piece === undefined ? { kind: 'words', program, args } : { kind: 'shell', piece }
}

export const shellProblem = (piece: string): ImportNote => ({
  message: t`“${piece.slice(0, 80)}” needs a shell, which Assent does not use.`,
  remedy: t`Remove it, or put the line into a script.`,
})
