// A command line as a README gives it: what would run, in the words of a definition. Nothing is expanded.
import type { StdioDefinition } from '../definition.ts'
import { asDefined, found } from './found.ts'
import { nameOfCommand } from './names.ts'
import type { FoundServer } from './snippet.ts'
import { splitCommandLine } from './words.ts'

export function readCommand(text: string): FoundServer | undefined {
  const words = splitCommandLine(text.trim().replace(/^[$>%]\s+/, ''))
  const env: Record<string, string> = {}
  while (words.length > 1 && /^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const word = words.shift() ?? ''
    env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  }
  const [command = '', ...args] = words
  if (command === '') return undefined
  const definition: StdioDefinition = { ...asDefined, transport: 'stdio', command, args, env }
  return found(nameOfCommand(words), definition, { line: 1, column: 1 })
}
