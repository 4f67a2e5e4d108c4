// Reader of an installed extension of Claude Desktop: its manifest, and the settings that the person made there. What they entered as a
// secret is in the system's keyring, where Assent does not look: it is asked for.
import { z } from 'zod'
import { parseJson } from '#app/or-else.ts'
import { type BundlePlatform, makeCommand } from '#app/server/bundle/bundle-command.ts'
import { readManifest } from '#app/server/bundle/manifest.ts'
import { type BundleFolders, configValues, fieldsOf } from '#app/server/bundle/user-config.ts'
import { asDefined, emptySnippet, onlyProblem, type Snippet, toCandidate } from '#app/server/candidate.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { unreadable } from '#app/server/import/import-notes.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import type { AppSystem } from './known-apps.ts'

const extensionSettings = z.object({
  isEnabled: z.boolean().optional(),
  userConfig: configValues.catch(() => ({})).optional(),
})

interface InstalledExtension {
  /** Texts of the two files; the second may be missing. */
  readonly manifest: string
  readonly settings: string
  /** Path of the manifest. */
  readonly path: string
  readonly system: AppSystem
}

const unusable = (file: string, what: string): Snippet => {
  const { message, remedy } = unreadable(what)
  return onlyProblem({ file }, message, remedy)
}

export function readExtension({ manifest: text, settings, path, system }: InstalledExtension): Snippet {
  const read = readManifest(text)
  if (read.kind === 'wrong') return unusable(path, path)
  const { manifest } = read
  const platform = system.platform as BundlePlatform
  const separator = platform === 'win32' ? '\\' : '/'
  const inHome = (name: string): string => `${system.home}${separator}${name}`
  const folders: BundleFolders = {
    HOME: system.home,
    DESKTOP: inHome('Desktop'),
    DOCUMENTS: inHome('Documents'),
    DOWNLOADS: inHome('Downloads'),
  }
  const { isEnabled = true, userConfig = {} } = extensionSettings.safeParse(parseJson(settings)).data ?? {}
  const fields = fieldsOf(manifest, { folders, separator, values: userConfig })
  const values = Object.fromEntries(fields.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]])))
  // What is required and was never entered is asked for as a secret is.
  const asked = fields.filter(({ sensitive, required, key }) => required && (sensitive || values[key] === undefined || values[key] === ''))
  const optional = fields.filter(({ sensitive, key }) => sensitive && Object.hasOwn(userConfig, key))
  const ids = new Set([...asked, ...optional].map(({ key }) => key))
  const options = Object.fromEntries(
    Object.entries(manifest.user_config ?? {}).map(([key, option]) => [
      key,
      ids.has(key) ? { ...option, type: 'string' as const, sensitive: true } : option,
    ]),
  )
  const made = makeCommand(
    { ...manifest, user_config: options },
    {
      folder: path.slice(0, -`${separator}manifest.json`.length),
      system: platform,
      folders,
      values,
      secret: (key) => (ids.has(key) ? inputReference(key) : undefined),
    },
  )
  if (made.kind === 'refused') return unusable(path, manifest.name)
  const { command, args, env } = made.command
  const name = (manifest.display_name ?? manifest.name).slice(0, 64).trim()
  const definition: StdioDefinition = { ...asDefined, enabled: isEnabled, transport: 'stdio', command, args: [...args], env }
  const inputs = fields
    .filter(({ key }) => ids.has(key))
    .map(({ key, title, sensitive }): InputDeclaration => ({ id: key, description: title, password: sensitive }))
  return { ...emptySnippet, format: 'mcp-servers', servers: [toCandidate(name, definition, { file: path })], inputs }
}
