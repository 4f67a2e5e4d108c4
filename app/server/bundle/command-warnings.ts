// Concerns about the command of a bundle, shown before it is installed. None of them is forbidden, but none should go unseen.
import { z } from 'zod'
import { variableEffectOf } from '#app/text/environment-names.ts'
import { type BundlePlatform, type RawCommand, settingOf } from './bundle-command.ts'
import type { BundleManifest } from './manifest.ts'

/**
 * `other-program`: one of this computer's, not of the bundle. `shell`: it reads the arguments as a script, and what is entered
 * becomes part of it. `fetches-code`: code that is not in the bundle, which nobody reviewed or signed. `code-in-arguments`: or
 * code that is loaded from outside.
 */
export const concern = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['other-program', 'shell', 'fetches-code']), command: z.string() }),
  z.object({ kind: z.enum(['code-in-arguments', 'path-outside']), argument: z.string() }),
  z.object({ kind: z.literal('variable'), name: z.string(), value: z.string(), why: z.enum(['loads-code', 'search-path', 'network']) }),
  z.object({ kind: z.literal('entry-missing'), entry: z.string() }),
  z.object({ kind: z.literal('unknown-variable'), text: z.string() }),
  z.object({ kind: z.literal('newer-manifest'), version: z.string() }),
  z.object({ kind: z.enum(['words-refused', 'icon-refused']), file: z.string() }),
  z.object({ kind: z.literal('hidden-characters'), field: z.string() }),
  z.object({ kind: z.literal('look-alike'), name: z.string(), like: z.string() }),
])
export type Concern = z.infer<typeof concern>

const own: Readonly<Record<BundleManifest['server']['type'], RegExp>> = {
  node: /^node$/,
  python: /^(python3?|py|uv)$/,
  uv: /^uv$/,
  binary: /^$/,
}
const shells = /^(sh|bash|zsh|dash|fish|ksh|csh|tcsh|cmd|powershell|pwsh|osascript|wscript|cscript|mshta|env|busybox|sudo|doas|xargs)$/
const fetchers = /^(npx|npm|pnpm|pnpx|yarn|bunx|bun|uvx|pipx|pip3?|deno|docker|podman|curl|wget|git|cargo|go)$/
const inlineCode = /^(-e|-p|-c|-r|-i|--eval|--print|--require|--import|--loader|--experimental-loader|--inspect(-brk)?)(=|$)/

const searchPath = /^(PATH|PATHEXT|NODE_PATH|PYTHONPATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|DYLD_FALLBACK_LIBRARY_PATH)$/i

/** Tells whether each path of a list is in the bundle itself. */
const isOfBundle = (value: string): boolean =>
  value
    .split(/[:;](?![\\/])/)
    .every((part) => part === '' || (/^(\$\{__dirname\}|[\w.-]+[\\/])/.test(part) && !/(^|[\\/])\.\.([\\/]|$)/.test(part)))

export function concernsOf(manifest: BundleManifest, raw: RawCommand): Concern[] {
  const found: Concern[] = []
  const { command, args, env } = raw
  const program = (command.split(/[\\/]/).at(-1) ?? command).replace(/\.(exe|cmd|bat|com|ps1)$/i, '').toLowerCase()
  const isOwnFile = /^\$\{__dirname\}[\\/]/.test(command) || (/[\\/]/.test(command) && !/^([\\/~]|[a-z]:|\$\{)/i.test(command))
  const { type } = manifest.server
  if (shells.test(program)) found.push({ kind: 'shell', command })
  else if (!isOwnFile && fetchers.test(program)) found.push({ kind: 'fetches-code', command })
  else if (!isOwnFile && (!own[type].test(program) || /[\\/]/.test(command))) found.push({ kind: 'other-program', command })
  for (const argument of args) {
    if (!isOwnFile && inlineCode.test(argument) && type !== 'binary') found.push({ kind: 'code-in-arguments', argument })
    if (/(^|[\\/=])\.\.([\\/]|$)/.test(argument)) found.push({ kind: 'path-outside', argument })
  }
  for (const [name, value] of Object.entries(env)) {
    const why = variableConcern(name, value)
    if (why) found.push({ kind: 'variable', name, value, why })
  }
  return found
}

function variableConcern(name: string, value: string) {
  if (searchPath.test(name)) return isOfBundle(value) ? undefined : 'search-path'
  const effect = variableEffectOf(name, true)
  return effect === 'code' ? 'loads-code' : effect
}

const known = /^(__dirname|HOME|DESKTOP|DOCUMENTS|DOWNLOADS|pathSeparator|\/)$/

/** Finds references that stand for nothing: the server gets them as they are written. */
export function unknownVariables(manifest: BundleManifest, { command, args, env }: RawCommand): Concern[] {
  const options = manifest.user_config ?? {}
  const texts = new Set<string>()
  for (const text of [command, ...args, ...Object.values(env)])
    for (const [all, name = ''] of text.matchAll(/\$\{([^{}]{1,200})\}/g)) {
      const key = settingOf(name)
      if (!known.test(name) && !(key !== undefined && Object.hasOwn(options, key))) texts.add(all)
    }
  return [...texts].map((text) => ({ kind: 'unknown-variable', text }))
}

export const bundlePlatformOf = (os: 'mac' | 'windows' | 'linux'): BundlePlatform =>
  os === 'mac' ? 'darwin' : os === 'windows' ? 'win32' : 'linux'
