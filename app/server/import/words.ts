/** Words of a command line as a POSIX shell splits them, quotes and backslashes only: nothing is expanded. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(line[index + 1] ?? '')) word = (word ?? '') + line[++index]
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\' && index + 1 < line.length && /[\s"'\\]/.test(line[index + 1] ?? '')) {
      const next = line[++index]
      if (next !== '\n') word = (word ?? '') + next
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}
