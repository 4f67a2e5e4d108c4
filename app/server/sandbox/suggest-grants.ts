// Grants that are suggested for a server whose entry says nothing of a sandbox, each with its reason. A suggestion gives nothing by
// itself: it is shown with the launch, and resolved and refused as any other grant. Pure.
import { z } from 'zod'
import type { StdioDefinition } from '../definition.ts'
import { parseHostPattern } from './host-pattern.ts'
import { noGrants, type SandboxGrants } from './sandbox-settings.ts'

/**
 * Source of a suggestion. `argument`: a path among the arguments. `url`, `variable`: an address among the arguments, or in a variable.
 * `declared`: its registry entry or bundle. `known-server`: the shipped list. `install`: the registry of its package.
 */
const suggestionReason = z.enum(['argument', 'url', 'variable', 'declared', 'known-server', 'install'])

export const sandboxSuggestion = z.object({ list: z.enum(['read', 'write', 'hosts']), value: z.string(), reason: suggestionReason })
export type SandboxSuggestion = z.infer<typeof sandboxSuggestion>

export interface SuggestionFacts {
  readonly home: string
  /** Name of the package that it fetches. */
  readonly package?: string | undefined
  readonly declaredHosts?: readonly string[] | undefined
  readonly isFolder: (path: string) => boolean
  readonly isFile: (path: string) => boolean
}

/** Programs that run the file in their first argument, which needs no grant. */
const interpreters = /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|java|bash|sh)(?:\.exe)?$/

const absolute = (text: string, home: string): string | undefined => {
  if (text === '~' || text.startsWith('~/')) return home + text.slice(1)
  return text.startsWith('/') ? text : undefined
}

/** Value of `--option=value`, else the text itself. */
const valueIn = (text: string): string => /^--?[\w-]+=(.*)$/s.exec(text)?.[1] ?? text

/** Returns the host of an http(s) address as a pattern, with its port where it is not the usual one. */
function hostOfUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { hostname, port } = new URL(text)
  const pattern = port === '' ? hostname : `${hostname}:${port}`
  return parseHostPattern(pattern) ? pattern : undefined
}

/** Folders may be written, files read. */
export function suggestGrants(
  { command, args, env }: Pick<StdioDefinition, 'command' | 'args' | 'env'>,
  { home, declaredHosts = [], isFolder, isFile }: SuggestionFacts,
): readonly SandboxSuggestion[] {
  const program = command.split(/[/\\]/).at(-1) ?? ''
  const script = interpreters.test(program) ? args.find((arg) => !arg.startsWith('-')) : undefined
  const found = new Map<string, SandboxSuggestion>()
  const add = (list: SandboxSuggestion['list'], value: string | undefined, reason: SandboxSuggestion['reason']): void => {
    if (value !== undefined && !found.has(`${list} ${value}`)) found.set(`${list} ${value}`, { list, value, reason })
  }
  for (const arg of args) {
    if (arg === script) continue
    const value = valueIn(arg)
    add('hosts', hostOfUrl(value), 'url')
    const path = absolute(value, home)
    if (path === undefined) continue
    if (isFolder(path)) add('write', path, 'argument')
    else if (isFile(path)) add('read', path, 'argument')
  }
  for (const value of Object.values(env)) add('hosts', hostOfUrl(value), 'variable')
  for (const host of declaredHosts) if (parseHostPattern(host)) add('hosts', host, 'declared')
  return [...found.values()]
}

/** The grants that suggestions stand for. */
export const grantsOf = (suggestions: readonly SandboxSuggestion[]): SandboxGrants => {
  const values = (list: SandboxSuggestion['list']): string[] => suggestions.flatMap((one) => (one.list === list ? [one.value] : []))
  return { ...noGrants, read: values('read'), write: values('write'), hosts: values('hosts') }
}
