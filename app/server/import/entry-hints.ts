// Hints about a candidate that can be read but may not work, or not be what it seems.
import { t } from '#app/i18n/translate.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import type { ConfigProblem, ServerDefinition } from '../definition.ts'
import { containerOf, programOf } from './command-programs.ts'

/** Lists the fields that hold hidden characters. */
function unseenIn(definition: ServerDefinition): string[] {
  if (definition.transport === 'builtin') return []
  const named: readonly [string, readonly string[]][] =
    definition.transport === 'stdio'
      ? [
          [t`the command`, [definition.command, definition.cwd ?? '']],
          [t`its arguments`, definition.args],
          [t`its variables`, Object.entries(definition.env).flat()],
        ]
      : [
          [t`its address`, [definition.url]],
          [t`its headers`, Object.entries(definition.headers).flat()],
        ]
  return named.flatMap(([field, texts]) => (texts.some(hasHidden) ? [field] : []))
}

type Hint = Pick<ConfigProblem, 'message' | 'remedy'>

export function hintsFor(definition: ServerDefinition): Hint[] {
  const hints: Hint[] = unseenIn(definition).map((field) => ({
    message: t`There are characters in ${field} that one cannot see.`,
    remedy: t`Look at what is shown in their place before you add it.`,
  }))
  if (definition.transport !== 'stdio') return hints
  const { args } = definition
  const program = programOf(definition.command)
  const container = program === 'docker' || program === 'podman' ? containerOf(args) : undefined
  if (container !== undefined) {
    const { options } = container
    if (!options.some((arg) => /^-[a-z]*i[a-z]*$/.test(arg) || arg === '--interactive'))
      hints.push({ message: t`Without -i the container does not read what Assent says to it.`, remedy: t`Add -i after “run”.` })
    if (options.some((arg) => /^-[a-z]*t[a-z]*$/.test(arg) || arg === '--tty'))
      hints.push({ message: t`With -t the container takes Assent for a terminal.`, remedy: t`Remove the t.` })
  }
  const http = servesHttp([program, ...args])
  if (http !== undefined)
    hints.push({
      message: t`With “${http}” it serves at an address and does not speak to Assent here.`,
      remedy: t`Start it yourself and add its address, or remove the option.`,
    })
  return hints
}

/** Returns the option that makes it an HTTP server. That of a proxy is about the server behind it. */
function servesHttp(words: readonly string[]): string | undefined {
  if (words.some((word) => /(?:^|\/)(?:mcp-remote|mcp-proxy|supergateway)(?:@|$)/.test(word))) return undefined
  const at = words.findIndex((word) => /^(?:-t|--transport)(?:=|$)/.test(word))
  const [, inline] = /^--transport=(.*)$/.exec(words[at] ?? '') ?? []
  if (at === -1 || !/^(?:http|sse|streamable[-_]?http|http-?stream)$/i.test(inline ?? words[at + 1] ?? '')) return undefined
  return words.slice(at, inline === undefined ? at + 2 : at + 1).join(' ')
}
