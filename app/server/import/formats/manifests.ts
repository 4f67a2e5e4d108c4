// Reader of files that describe one server for a registry, a catalogue or a bundle: server.json, Docker's server.yaml and catalog.yaml,
// smithery.yaml, MCPB's manifest.json, plugin.json. What needs files that are not here is refused by name.
import { getNodeValue } from 'jsonc-parser'
import { isJsonObject } from '#app/json.ts'
import {
  type ConfigNodeEntry,
  itemsOf,
  listNode,
  memberOf,
  type Node,
  nodeEntries,
  objectNode,
  textValueOf,
  valueNode,
} from '#app/server/config/json-tree.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { optionsOf } from '#app/server/registry/install-options.ts'
import { readRegistryEntry } from '#app/server/registry/registry-entry.ts'
import { toInstall } from '#app/server/registry/to-candidate.ts'
import type { Candidate } from '../../candidate.ts'
import { isRunner } from '../command-programs.ts'

type Manifest =
  | { readonly kind: 'refused'; readonly what: string }
  | { readonly kind: 'candidate'; readonly server: Candidate; readonly inputs: readonly InputDeclaration[] }
  | { readonly kind: 'entries'; readonly entries: readonly { readonly name: string | undefined; readonly entry: Node }[] }

const refused = (what: string): Manifest => ({ kind: 'refused', what })

/** Tells what kind of manifest a file is, and reads it; undefined for the configuration of an application. */
export function readServerFile(root: Node): Manifest | undefined {
  const text = (key: string, node: Node | undefined = root): string | undefined => textValueOf(memberOf(node, key))
  const name = (text('name') ?? '').slice(0, 80)
  const inner = memberOf(root, 'server')
  const own = inner?.type === 'object' && memberOf(inner, 'packages') !== undefined ? inner : root
  if (itemsOf(memberOf(own, 'packages')).some((item) => memberOf(item, 'identifier') ?? memberOf(item, 'registryType')) || isRegistry(own))
    return fromRegistry(own)
  if (memberOf(root, 'startCommand') !== undefined) return fromSmithery(memberOf(root, 'startCommand'))
  if (/^(?:server|poci)$/.test(text('type') ?? '') && text('image') !== undefined) return entries([[name, dockerEntry(root)]])
  if (text('type') === 'remote' && memberOf(root, 'remote') !== undefined) return entries([[name, memberOf(root, 'remote') ?? root]])
  const catalogue = nodeEntries(memberOf(root, 'registry')).filter(
    ({ value }) => textValueOf(memberOf(value, 'image')) ?? memberOf(value, 'remote'),
  )
  if (catalogue.length > 0) return entries(catalogue.map(({ name: key, value }) => [key, memberOf(value, 'remote') ?? dockerEntry(value)]))
  const config = memberOf(inner, 'mcp_config')
  if (config !== undefined || text('manifest_version') !== undefined || text('dxt_version') !== undefined) {
    if (config && !JSON.stringify(getNodeValue(config)).includes('__dirname')) return entries([[name, config]])
    return refused(`manifest.json: ${name}`)
  }
  if (text('mcpServers') !== undefined) return refused(`mcpServers: ${text('mcpServers')}`)
  const isPackage = name !== '' && text('version') !== undefined && (text('description') ?? memberOf(root, 'author')) !== undefined
  const holds = nodeEntries(root).some(({ name: key }) =>
    /^(?:mcp.*|.*[mM]cp_?[sS]ervers|command|url|servers|context_servers|extensions)$/.test(key),
  )
  return isPackage && !holds ? refused(`package: ${name}`) : undefined
}

const entries = (found: readonly (readonly [string | undefined, Node])[]): Manifest => ({
  kind: 'entries',
  entries: found.map(([name, entry]) => ({ name: name === '' ? undefined : name, entry })),
})

const isRegistry = (node: Node): boolean =>
  /\/server\.schema\.json$/.test(textValueOf(memberOf(node, '$schema')) ?? '') ||
  (memberOf(node, 'remotes')?.type === 'array' && textValueOf(memberOf(node, 'version')) !== undefined)

/** Gives keys of 2025-07-09, such as `registry_type`, their present names. */
const camelCased = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(camelCased)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            /^[a-z]+(?:_[a-z0-9]+)+$/.test(key) ? key.replace(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase()) : key,
            camelCased(inner),
          ]),
        )
      : value

/** Takes the first package or address that can be used. */
function fromRegistry(node: Node): Manifest {
  const entry = readRegistryEntry(camelCased(getNodeValue(node)))
  const name = (textValueOf(memberOf(node, 'name')) ?? '').slice(0, 80)
  const [option] = entry ? optionsOf(entry) : []
  if (entry && (option?.kind === 'package' || option?.kind === 'remote')) {
    const { server, inputs } = toInstall(entry, { option, filled: {} })
    return { kind: 'candidate', server, inputs }
  }
  return refused(`server.json: ${name}`)
}

const textNode = (text: string, at: Node): Node => valueNode(text, at)
const pair = (name: string, value: Node, at: Node): ConfigNodeEntry => ({ name, key: at, value })
const lineEntry = (words: readonly string[], env: readonly ConfigNodeEntry[], at: Node): Node => {
  const [command = '', ...args] = words
  const list = listNode(
    args.map((word) => textNode(word, at)),
    at,
  )
  return objectNode([pair('command', textNode(command, at), at), pair('args', list, at), pair('env', objectNode(env, at), at)], at)
}

/** Makes `docker run` of an entry of Docker's catalogue. Variables go by name, so that no value stands in the command line. */
function dockerEntry(node: Node): Node {
  const config = memberOf(node, 'config') ?? node
  const env = [...itemsOf(memberOf(config, 'secrets')), ...itemsOf(memberOf(config, 'env'))].flatMap((one): ConfigNodeEntry[] => {
    const name = textValueOf(memberOf(one, 'env')) ?? textValueOf(memberOf(one, 'name'))
    const value = textValueOf(memberOf(one, 'value'))
    if (name === undefined) return []
    return [pair(name, textNode(value === undefined || value.includes('{{') ? inputReference(name) : value, one), one)]
  })
  const words = (key: string): string[] =>
    [...itemsOf(memberOf(node, key)), ...itemsOf(memberOf(memberOf(node, 'run'), key))].map((item) => textValueOf(item) ?? '')
  const volumes = words('volumes').flatMap((one) => ['-v', one])
  const image = textValueOf(memberOf(node, 'image')) ?? ''
  return lineEntry(
    ['docker', 'run', '-i', '--rm', ...env.flatMap(({ name }) => ['-e', name]), ...volumes, image, ...words('command')],
    env,
    node,
  )
}

/** Reads the command of smithery.yaml, where it is one that runs a package anywhere. */
function fromSmithery(start: Node | undefined): Manifest {
  const made = textValueOf(memberOf(start, 'commandFunction')) ?? ''
  const command = textValueOf(memberOf(start, 'command')) ?? /["']?command["']?\s*:\s*["']([^"']+)["']/.exec(made)?.[1] ?? ''
  const list = /["']?args["']?\s*:\s*\[([^\]]*)\]/.exec(made)?.[1] ?? ''
  const words = [...list.matchAll(/["']([^"']*)["']/g)].map(([, word = '']) => word)
  const args = start && memberOf(start, 'args') ? itemsOf(memberOf(start, 'args')).map((item) => textValueOf(item) ?? '') : words
  const isWhole = !/\bconfig\b/.test(made.replace(/^\s*\(?config\)?/, '')) && !args.some((word) => /\.(?:[cm]?js|ts|py)$/.test(word))
  if (start && isRunner(command) && isWhole && !/^(?:npm|pnpm|yarn|bun)$/.test(command) && textValueOf(memberOf(start, 'type')) !== 'http')
    return entries([[undefined, lineEntry([command, ...args], [], start)]])
  return refused('smithery.yaml')
}
