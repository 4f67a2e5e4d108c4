// Command lines as people paste them, in the words that a shell would make of them. Nothing is run and nothing expanded:
// a variable or `~` becomes a reference that Assent fills in itself, or stays as it is written.

export type SourceShell = 'posix' | 'windows'

const isSpace = (char: string): boolean => /\s/.test(char)

/**
 * Words of a command line as a POSIX shell splits them: quotes and backslashes only. `windows`: a backslash is part of a
 * path, and only quotes group.
 */
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

/** What stands between two commands; all but `&&`, `;` and a line end only a shell can do. */
type Operator = '&&' | '||' | '&' | ';' | '|' | '>' | '<' | '\n'

export interface CommandText {
  /** One command, its continuation lines joined. */
  readonly text: string
  /** Where it begins in the whole text. */
  readonly offset: number
  /** What stands before it, and where; undefined: it is the first. */
  readonly after: Operator | undefined
  readonly operatorAt: number
}

const operatorAt = (text: string, index: number): Operator | undefined => {
  const pair = text.slice(index, index + 2)
  if (pair === '&&' || pair === '||') return pair
  const char = text[index]
  return char === '\n' || char === ';' || char === '|' || char === '>' || char === '<' || char === '&' ? char : undefined
}
/** `a=1&b=2` in an address that nobody put into quotes. */
const isInAddress = (text: string, index: number): boolean =>
  /\S/.test(text[index + 1] ?? ' ') && /https?:\/\/\S+$/.test(text.slice(Math.max(0, index - 500), index))
const isPrompt = (text: string): boolean => /^\s*(?:PS(?: [^\n>]*)?|[A-Za-z]:\\[^\n>]*)?$/.test(text)

/** The commands of a text, in order. Quotes keep their contents together; one that is not closed is a plain character. */
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
    // `<your-token>` is a sign for something, not a file to read from.
    else if (char === '<' && placeholderAt(text, index)) index = text.indexOf('>', index)
    // Goes on in the next line: POSIX, PowerShell, cmd.
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

const placeholderAt = (text: string, index: number): boolean => /^<[\p{L}\p{N}_][^<>\n|&;]*>/u.test(text.slice(index, index + 100))

/** The first `$(…)` or `…` in backticks that a shell would run. The folder that one is in is none: Assent knows it. */
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

/** That which begins there, to its end. */
function substitutionAt(line: string, index: number, shell: SourceShell): string | undefined {
  if (line[index] === '$' && line[index + 1] === '(') return balanced(line, index)
  // `${NAME%/}`: what a shell makes of a variable. `${NAME:-x}`, `${env:NAME}` and the like are no shell's alone.
  if (line[index] === '$' && line[index + 1] === '{')
    return /^\$\{[A-Za-z_]\w*(?:[%#^,/@]|:[?+=])[^{}]{0,200}\}/.exec(line.slice(index, index + 300))?.[0]
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

/** What of a line only a shell can do, by its own characters; undefined: nothing. */
export const shellPieceIn = (line: string, shell: SourceShell = 'posix'): string | undefined =>
  substitutionIn(line, shell) ?? commandsIn(line).find(({ after }) => after !== undefined && after !== '\n')?.after

/** Without the signs that a line goes on, which would otherwise be words. */
export const joinedLines = (text: string): string => text.replace(/[\\`^][ \t]*\r?\n[ \t]*/g, ' ')

/** `~/notes` and `$HOME/notes` as a place that Assent knows, `$NAME` as a reference to a variable. */
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
