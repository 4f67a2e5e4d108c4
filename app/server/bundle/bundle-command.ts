// Makes the command line from a manifest and the entered values, replacing `${…}` in one pass. A text that Assent would read as a
// reference to the person's secrets or variables is refused, also when it only arises by joining.
import { referencesIn, unknownReference } from '../inputs/variable-references.ts'
import type { BundleManifest } from './manifest.ts'
import { type BundleFolders, type ConfigValues, isSensitive } from './user-config.ts'

export type BundlePlatform = 'darwin' | 'win32' | 'linux'

export interface BundleCommandContext {
  readonly folder: string
  readonly system: BundlePlatform
  readonly folders: BundleFolders
  /** Entered values that are no secrets, by setting. */
  readonly values: ConfigValues
  /** Returns the reference (`${input:ID}`) to a secret that is kept, by setting. */
  readonly secret: (key: string) => string | undefined
}

type CommandFault = 'escapes' | 'foreign-reference' | 'secret-in-command' | 'list-in-command' | 'empty'

export interface RawCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

type MadeCommand =
  | { readonly kind: 'made'; readonly command: RawCommand & { readonly cwd: string } }
  | { readonly kind: 'refused'; readonly field: string; readonly fault: CommandFault; readonly text: string }

/** Command of the manifest for this system; an override replaces whole fields. */
export function commandFor({ server }: BundleManifest, system: BundlePlatform): RawCommand {
  const config = server.mcp_config
  if (!config) return { command: 'uv', args: ['run', '--directory', `\${__dirname}`, server.entry_point], env: {} }
  const override = config.platform_overrides?.[system]
  return {
    command: override?.command ?? config.command,
    args: override?.args ?? config.args ?? [],
    env: override?.env ?? config.env ?? {},
  }
}

/** Setting that a reference of the manifest names. */
export const settingOf = (name: string): string | undefined => /^user_config\.(.*)$/s.exec(name)?.[1]
const separatorOf = (system: BundlePlatform): string => (system === 'win32' ? '\\' : '/')
const reference = /\$\{([^{}]{1,200})\}/g
const whole = /^\$\{user_config\.([^{}]{1,100})\}$/

type Filled =
  /** None for a setting that was left empty; several for a list, each an argument of its own. */
  { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'refused'; readonly fault: CommandFault }
const words = (...all: readonly string[]): Filled => ({ kind: 'words', words: all })
const refused = (fault: CommandFault): Filled => ({ kind: 'refused', fault })
const wordsOf = (filled: Filled): readonly string[] => (filled.kind === 'words' ? filled.words : [])

export function makeCommand(manifest: BundleManifest, context: BundleCommandContext): MadeCommand {
  const { folder, system } = context
  const raw = commandFor(manifest, system)
  const fill = createFill(manifest, context)
  const command = inFolder(fill(raw.command, 'command'), folder, system)
  const args = raw.args.map((arg) => fill(arg, 'argument'))
  const env = Object.entries(raw.env).map(([name, value]) => ({ name, value, filled: fill(value, 'variable') }))
  const parts: readonly (readonly [field: string, text: string, filled: Filled])[] = [
    ['command', raw.command, command],
    ...args.map((filled, index) => [`args[${index}]`, raw.args[index] ?? '', filled] as const),
    ...env.map(({ name, value, filled }) => [`env.${name}`, value, filled] as const),
  ]
  for (const [field, text, filled] of parts)
    if (filled.kind === 'refused') return { kind: 'refused', field: `server.mcp_config.${field}`, fault: filled.fault, text }
  return {
    kind: 'made',
    command: {
      command: wordsOf(command)[0] ?? '',
      args: args.flatMap(wordsOf),
      env: Object.fromEntries(env.flatMap(({ name, filled }) => wordsOf(filled).map((value) => [name, value]))),
      cwd: folder,
    },
  }
}

function createFill(manifest: BundleManifest, { folder, system, folders, values, secret }: BundleCommandContext) {
  const separator = separatorOf(system)
  const options = manifest.user_config ?? {}
  const entered = (key: string) => (Object.hasOwn(values, key) && values[key] !== '' ? values[key] : undefined)

  return (text: string, part: 'command' | 'argument' | 'variable'): Filled => {
    const listed = part === 'argument' ? entered(whole.exec(text)?.[1] ?? '') : undefined
    if (Array.isArray(listed)) return listed.every((one) => isPlain(one, [])) ? words(...listed) : refused('foreign-reference')
    const put: string[] = []
    let fault: CommandFault | undefined
    let empty = false
    const made = text.replace(reference, (all, name: string) => {
      if (name === '__dirname') return folder
      if (name === 'pathSeparator' || name === '/') return separator
      if (Object.hasOwn(folders, name)) return folders[name as keyof BundleFolders]
      const key = settingOf(name)
      const option = key !== undefined && Object.hasOwn(options, key) ? options[key] : undefined
      if (key === undefined || !option) return all
      if (isSensitive(option)) {
        const kept = secret(key)
        if (kept === undefined) empty = true
        else if (part === 'command') fault = 'secret-in-command'
        else put.push(kept)
        return kept ?? ''
      }
      const value = entered(key)
      if (value === undefined) empty = true
      if (!Array.isArray(value)) return value === undefined ? '' : String(value)
      if (part !== 'variable' && value.length > 1) fault = 'list-in-command'
      return value.join(system === 'win32' ? ';' : ':')
    })
    if (fault) return refused(fault)
    if (empty && whole.test(text)) return words()
    return isPlain(made, put) ? words(made) : refused('foreign-reference')
  }
}

/** Tells whether the text holds no reference but to `secrets`, and no line break. */
function isPlain(text: string, secrets: readonly string[]): boolean {
  const own = secrets.flatMap((one) => referencesIn(one))
  return JSON.stringify(referencesIn(text)) === JSON.stringify(own) && !unknownReference(text) && !/[\0\r\n]/.test(text)
}

/** Makes a path in the bundle absolute, and refuses one that leads out of it. A bare name is looked up by the host. */
function inFolder(filled: Filled, folder: string, system: BundlePlatform): Filled {
  if (filled.kind === 'refused') return filled
  const [command = ''] = filled.words
  if (command.trim() === '') return refused('empty')
  const slashes = system === 'win32' ? command.replaceAll('\\', '/') : command
  const base = system === 'win32' ? folder.replaceAll('\\', '/') : folder
  if (!slashes.includes('/')) return words(command)
  const isAbsolute = /^[/~]/.test(slashes) || (system === 'win32' && /^[a-z]:/i.test(slashes))
  const inside = slashes.startsWith(`${base}/`) ? slashes.slice(base.length + 1) : isAbsolute ? undefined : slashes
  if (inside === undefined) return slashes.split('/').includes('..') ? refused('escapes') : words(command)
  const parts: string[] = []
  for (const part of inside.split('/')) {
    if (part === '..' && parts.pop() === undefined) return refused('escapes')
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.length === 0 ? refused('escapes') : words([folder, ...parts].join(separatorOf(system)))
}
