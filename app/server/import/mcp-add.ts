// `claude mcp add …` and what other programs made of it. Options may stand on either side of the name; `-e` and `-H` may
// be followed by several values. Scope and trust are for that program alone.
import { t } from '../../words/translate.ts'
import type { ConfigProblem, ServerDefinition } from '../definition.ts'
import { asDefined, found } from './found.ts'
import type { FoundServer } from './snippet.ts'

export interface McpAdd {
  readonly server?: FoundServer
  readonly problem?: { readonly message: string; readonly remedy: string }
}

const wrong = (message: string, remedy: string): McpAdd => ({ problem: { message, remedy } })
const isPair = (word: string): boolean => /^[A-Za-z_][\w.-]*=/.test(word)
const isHeader = (word: string): boolean => /^[\w-]+: ?(?!\/\/)/.test(word)
const isAddress = (word: string): boolean => /^https?:\/\//i.test(word)
/** Options with a value that says nothing here. */
const valued = new Set(['-s', '--scope', '--callback-port', '--description', '--timeout', '--include-tools', '--exclude-tools'])

export type Place = Pick<ConfigProblem, 'file' | 'line' | 'column'>

/** `words`: those after `mcp add`. */
export function readMcpAdd(words: readonly string[], place: Place): McpAdd {
  const env: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const oauth: { clientId?: string; callbackPort?: number } = {}
  const positional: string[] = []
  const notes: ConfigProblem[] = []
  let transport: string | undefined
  let url: string | undefined
  const rest = [...words]
  const values = (fits: (word: string) => boolean, inline: string | undefined): string[] => {
    if (inline !== undefined) return [inline]
    const taken = rest.length > 0 ? [rest.shift() ?? ''] : []
    while (rest[0] !== undefined && fits(rest[0])) taken.push(rest.shift() ?? '')
    return taken
  }
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    if (word === '--') break
    const [, option = word, inline] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? []
    const one = (): string => inline ?? rest.shift() ?? ''
    if (option === '-t' || option === '--transport' || option === '--type') transport = one()
    else if (option === '-e' || option === '--env') {
      for (const pair of values(isPair, inline)) {
        if (!isPair(pair)) return wrong(t`“${pair.slice(0, 80)}” is no variable.`, t`Write -e NAME=value.`)
        env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1)
      }
    } else if (option === '-H' || option === '--header') {
      for (const header of values(isHeader, inline)) {
        const colon = header.indexOf(':')
        if (colon < 1) return wrong(t`A header is not written as name and value.`, t`Write --header "Name: value".`)
        headers[header.slice(0, colon).trim()] = header.slice(colon + 1).trim()
      }
    } else if (option === '--url') url = one()
    else if (option === '--client-id') oauth.clientId = one()
    else if (option === '--callback-port') oauth.callbackPort = Number(one())
    else if (option === '--trust')
      notes.push({
        ...place,
        message: t`“--trust” was left out.`,
        remedy: t`Assent asks before a tool runs; rules are made where one answers.`,
      })
    else if (valued.has(option)) one()
    else if (!word.startsWith('-')) {
      positional.push(word)
      // What follows the program is the program's own.
      if (positional.length === 2 && !isAddress(word)) break
    } else if (positional.length > 1) positional.push(word)
  }
  const [name, ...line] = [...positional, ...rest]
  if (name === undefined) return wrong(t`The name of the server is missing.`, t`Write: claude mcp add NAME -- COMMAND, or NAME URL.`)
  const [first] = line
  const address =
    url ?? (first !== undefined && (isAddress(first) || (transport !== undefined && transport !== 'stdio')) ? first : undefined)
  if (address === undefined && first === undefined)
    return wrong(t`There is neither a command nor an address after the name.`, t`Write: claude mcp add NAME -- COMMAND, or NAME URL.`)
  const definition: ServerDefinition =
    address === undefined
      ? { ...asDefined, transport: 'stdio', command: first ?? '', args: line.slice(1), env }
      : {
          ...asDefined,
          transport: transport === 'sse' ? 'sse' : 'streamable-http',
          url: address,
          headers,
          ...(oauth.clientId === undefined
            ? {}
            : {
                oauth: { clientId: oauth.clientId, ...(Number.isInteger(oauth.callbackPort) ? { callbackPort: oauth.callbackPort } : {}) },
              }),
        }
  return { server: found(name, definition, place, notes) }
}
