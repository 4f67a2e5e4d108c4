// Grants that are suggested for a server whose entry says nothing of a sandbox, each with its reason. A suggestion gives nothing by
// itself: it is shown with the launch, and resolved and refused as any other grant. Pure.
import type { StdioDefinition } from '../definition.ts'
import { fetchedBy } from '../fetched.ts'
import { hostsOfAddress, patternOf } from './host-pattern.ts'
import { suggestKnown } from './known-servers.ts'
import type { SandboxSuggestion } from './sandbox-suggestion.ts'
import { isAddressToCall, portNamed, type SuggestedPath, suggestPaths } from './suggest-paths.ts'

export interface SuggestionFacts {
  readonly home: string
  readonly isFolder: (path: string) => boolean
  readonly isFile: (path: string) => boolean
  /** Names in a folder; none where it is not there. */
  readonly namesIn: (path: string) => readonly string[]
  /** Hosts of the registries that its package comes from, where it is fetched by the very program that runs. */
  readonly registries?: readonly string[]
}

/** Folders may be written, files read, except those that a server keeps its data in. */
export function suggestGrants(
  definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>,
  facts: SuggestionFacts,
): readonly SandboxSuggestion[] {
  const found = new Map<string, SandboxSuggestion>()
  const add = (list: SandboxSuggestion['list'], value: string, reason: SandboxSuggestion['reason']): void => {
    if (!found.has(`${list} ${value}`)) found.set(`${list} ${value}`, { list, value, reason })
  }
  const addPaths = (paths: readonly SuggestedPath[], reason: SandboxSuggestion['reason']): void => {
    for (const { list, path } of paths) add(list, path, reason)
  }
  const { args, env } = definition
  const fetched = fetchedBy(definition.command, args)
  const known = suggestKnown(definition, fetched, facts)
  addPaths(suggestPaths.inArguments(definition, facts), 'argument')
  addPaths(suggestPaths.inVariables(definition, facts), 'variable')
  addPaths(known.paths, 'known-server')
  for (const host of hostsInArguments(args)) add('hosts', host, 'url')
  for (const host of hostsInVariables(env, known.port)) add('hosts', host, 'variable')
  for (const host of known.hosts) add('hosts', host, 'known-server')
  for (const host of facts.registries ?? []) add('hosts', host, 'install')
  return [...found.values()]
}

/** Value of `--option=value`, else the text itself. */
const valueIn = (text: string): string => /^--?[\w-]+=(.*)$/s.exec(text)?.[1] ?? text

/** Options that name a host apart from its port. */
const hostOption = /^--?(?:[a-z]+-)*(?:host|hostname)$/i

function hostsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, option = '', joined] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (!hostOption.test(option)) return hostsOfAddress(valueIn(arg))
    const host = joined ?? args[index + 1] ?? ''
    const portName = option.replace(/host(?:name)?$/i, 'port')
    const at = args.findIndex((one) => one === portName || one.startsWith(`${portName}=`))
    const port = Number(/=(\d+)$/.exec(args[at] ?? '')?.[1] ?? args[at + 1])
    // An address of this computer is as often one that the server listens on.
    if (!/\.[a-z-]{2,}$/i.test(host)) return []
    const pattern = patternOf(host, at !== -1 && port > 0 ? port : undefined)
    return pattern === undefined ? [] : [pattern]
  })
}

function hostsInVariables(env: Readonly<Record<string, string>>, knownPort: number | undefined): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!isAddressToCall(name)) return []
    const byAddress = hostsOfAddress(value)
    if (byAddress.length > 0) return byAddress
    if (!/(?:^|_|PG)(?:HOST|HOSTNAME|SERVER|ENDPOINT)$/i.test(name)) return []
    const [, host = '', digits] = /^([a-z\d.-]+)(?::(\d{1,5}))?$/i.exec(value.trim()) ?? []
    if (!/\.|^localhost$/.test(host) && !/HOST(?:NAME)?$/i.test(name)) return []
    const pattern =
      host === '0.0.0.0' || host === '' ? undefined : patternOf(host, Number(digits ?? portNamed(name, env) ?? knownPort ?? 0))
    return pattern === undefined ? [] : [pattern]
  })
}
