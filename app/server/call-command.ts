// One tool call as a command line to paste into a terminal. Names and arguments, written by a server or a model, stay one word
// each; control characters are refused.
import type { JsonObject } from '../json.ts'
import { unicodeEscape } from '../text/hidden-characters.ts'

export type CommandShell = 'posix' | 'powershell'

export interface CommandedCall {
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
}

/** Words that neither shell needs quotes for. */
const plain = /^[A-Za-z0-9_][\w./:-]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal acts on.
const control = /[\u0000-\u001f\u007f-\u009f]/
/** Invisible and bidirectional characters, escaped in JSON. */
const unseen = /[\u007f-\u009f]|\p{Cf}|[\u2028\u2029]/gu
const quotes = /['\u2018\u2019\u201a\u201b]/g

function word(text: string, shell: CommandShell): string {
  if (plain.test(text)) return text
  return shell === 'posix' ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `'${text.replace(quotes, '$&$&')}'`
}

/** Builds the line for a POSIX shell or PowerShell 7.3 and later. Undefined: a name holds a control character. */
export function callCommand({ server, tool, arguments: args }: CommandedCall, shell: CommandShell): string | undefined {
  if (control.test(server) || control.test(tool)) return undefined
  const words = [server, tool, JSON.stringify(args).replace(unseen, unicodeEscape)].map((one) => word(one, shell))
  // A name that begins with a dash would be read as an option.
  return server.startsWith('-') || tool.startsWith('-')
    ? ['assent', 'call', '--json', shell === 'posix' ? '--' : "'--'", ...words].join(' ')
    : ['assent', 'call', ...words, '--json'].join(' ')
}
