// One call of a tool as a line for a terminal, where it is pasted: whatever stands in names and arguments, which a server or a
// model wrote, stays one word each, and nothing that a terminal would act on is in it.
import type { JsonObject } from '../json.ts'

export type CommandShell = 'posix' | 'powershell'

export interface CommandedCall {
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
}

/** Needs no quotes in either. */
const plain = /^[A-Za-z0-9_][\w./:-]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal acts on.
const control = /[\u0000-\u001f\u007f-\u009f]/
/** What cannot be seen, or turns the order of what can; in JSON an escape says the same. */
const unseen = /[\u007f-\u009f]|\p{Cf}|[\u2028\u2029]/gu
/** PowerShell takes these for quotes too. */
const quotes = /['\u2018\u2019\u201a\u201b]/g

function word(text: string, shell: CommandShell): string {
  if (plain.test(text)) return text
  return shell === 'posix' ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `'${text.replace(quotes, '$&$&')}'`
}

const escaped = (character: string): string =>
  [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/**
 * `assent call SERVER TOOL 'JSON' --json`, for a POSIX shell or for PowerShell from 7.3 on (older ones lose the quotes in
 * what they hand to a program). Undefined: a name holds what a terminal acts on, so there is no such line.
 */
export function callCommand({ server, tool, arguments: args }: CommandedCall, shell: CommandShell): string | undefined {
  if (control.test(server) || control.test(tool)) return undefined
  const words = [server, tool, JSON.stringify(args).replace(unseen, escaped)].map((one) => word(one, shell))
  // Without the two dashes a name that begins with one would be an option.
  return server.startsWith('-') || tool.startsWith('-')
    ? ['assent', 'call', '--json', shell === 'posix' ? '--' : "'--'", ...words].join(' ')
    : ['assent', 'call', ...words, '--json'].join(' ')
}
