// Command lines as people paste them, in the words that a shell would make of them. Nothing is run and nothing expanded:
// a variable or `~` becomes a reference that Assent fills in itself, or stays as it is written.

export type Shell = 'posix' | 'windows'

const isSpace = (char: string): boolean => /\s/.test(char)

/**
 * Words of a command line as a POSIX shell splits them: quotes and backslashes only. `windows`: a backslash is part of a
 * path, and only quotes group.
 */
export function splitCommandLine(line: string, shell: Shell = 'posix'): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    const next = line[index + 1] ?? ''
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"' && (shell === 'posix' ? /["\\$`\n]/ : /"/).test(next)) {
        index++
        if (next !== '\n') word = (word ?? '') + next
      } else word = (word ?? '') + char
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

export interface CommandText {
  /** One command, its continuation lines joined. */
  readonly text: string
  /** Where it begins in the whole text. */
  readonly offset: number
  /** What stands between it and the one before: `&&`, `;`, a line end; `|` and `>` are what Assent has no shell for. */
  readonly after: '' | '&&' | ';' | '|' | '>' | '\n'
}

/** The commands of a text, in order. Quotes keep their contents together. */
export function commandsIn(text: string): CommandText[] {
  const found: CommandText[] = []
  let start = 0
  let after: CommandText['after'] = ''
  let quote = ''
  const end = (at: number): void => {
    const piece = text.slice(start, at)
    if (piece.trim() !== '') found.push({ text: piece, offset: start + piece.length - piece.trimStart().length, after })
  }
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    const next = text[index + 1] ?? ''
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"') index++
      continue
    }
    if (char === '"' || char === "'") quote = char
    // `<your-token>` is a sign for something, not a file to read from.
    else if (char === '<' && /^<[\w][^<>\n|&;]*>/.test(text.slice(index, index + 100))) index = text.indexOf('>', index)
    // Goes on in the next line: POSIX, PowerShell, cmd.
    else if ((char === '\\' || char === '`' || char === '^') && /^[ \t]*\r?\n/.test(text.slice(index + 1, index + 80)))
      index = text.indexOf('\n', index)
    else if (char === '\\' && next !== '\n') index++
    else if (char === '#' && (index === 0 || isSpace(text[index - 1] ?? ''))) {
      end(index)
      const lineEnd = text.indexOf('\n', index)
      index = lineEnd === -1 ? text.length : lineEnd
      start = index + 1
      after = '\n'
    } else {
      const operator =
        char === '&' && next === '&' ? '&&' : char === '\n' || char === ';' || char === '|' || char === '>' ? char : undefined
      if (operator === undefined) continue
      end(index)
      index += operator.length - 1
      start = index + 1
      after = operator
    }
  }
  end(text.length)
  return found
}

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
