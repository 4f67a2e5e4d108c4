// From an opened or installed bundle and what the person entered to the server that it becomes: an ordinary definition,
// whose secrets are references, and what of it has to be kept where. Writes nothing.
import { HostError } from '#app/errors.ts'
import { type CommandFault, makeCommand, type System } from '#app/server/bundle/command.ts'
import type { BundleManifest } from '#app/server/bundle/manifest.ts'
import { type ConfigValues, faultsOf, fieldsOf, type Places, type ValueFault, withHome } from '#app/server/bundle/user-config.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/references.ts'
import { t } from '#app/words/translate.ts'

export interface PlanOptions {
  readonly manifest: BundleManifest
  /** What was entered; a secret that is left out stays what it was. */
  readonly values: ConfigValues
  /** Ids of the secrets that are kept, by setting. */
  readonly kept: Readonly<Record<string, string>>
  /** Ids that mean something else already: an id that is declared for all servers would give this one their value. */
  readonly reserved: ReadonlySet<string>
  /** Where its files will be. */
  readonly files: string
  readonly system: System
  readonly places: Places
  readonly separator: string
}

export interface BundlePlan {
  readonly definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>
  readonly values: ConfigValues
  /** By setting: the id of its secret. */
  readonly secrets: Readonly<Record<string, string>>
  /** By id: what is to be kept. */
  readonly entered: ReadonlyMap<string, string>
}

const valueWords = (title: string): Readonly<Record<ValueFault, string>> => ({
  missing: t`“${title}” is needed.`,
  'not-a-number': t`“${title}” is no number.`,
  'too-small': t`“${title}” is smaller than it may be.`,
  'too-large': t`“${title}” is larger than it may be.`,
  reference: t`“${title}” holds “\${”, which could be read as a reference to something else.`,
  control: t`“${title}” holds a line break or a NUL.`,
  'wrong-kind': t`“${title}” is of another kind.`,
  'not-whole': t`“${title}” is no whole path.`,
  unknown: t`“${title}” is no setting of this bundle.`,
})
const commandWords = (field: string): Readonly<Record<CommandFault, string>> => ({
  escapes: t`The bundle cannot be run: “${field}” leads out of the bundle. Nothing was installed.`,
  'foreign-reference': t`The bundle cannot be run: “${field}” names a secret or a variable that is not the bundle’s own, or holds a line break. Nothing was installed.`,
  'secret-in-command': t`The bundle cannot be run: “${field}” puts a secret into the name of the program. Nothing was installed.`,
  'list-in-command': t`The bundle cannot be run: “${field}” puts several values where one belongs. Nothing was installed.`,
  empty: t`The bundle cannot be run: “${field}” is empty. Nothing was installed.`,
})

/** Throws `bundle.values` and `bundle.manifest`. */
export function planBundle(options: PlanOptions): BundlePlan {
  const { manifest, kept, reserved, files, system, places, separator } = options
  const fields = fieldsOf(manifest, { places, separator, kept: Object.keys(kept) })
  const [fault] = faultsOf(fields, options.values)
  if (fault) {
    const title = fields.find(({ key }) => key === fault[0])?.title ?? fault[0]
    throw new HostError('bundle.values', valueWords(title)[fault[1]], { data: { field: fault[0], fault: fault[1] } })
  }
  const secrets: Record<string, string> = {}
  const entered = new Map<string, string>()
  const values: Record<string, ConfigValues[string]> = {}
  for (const { key, sensitive, type } of fields) {
    const given = Object.hasOwn(options.values, key) ? options.values[key] : undefined
    const value = type === 'directory' || type === 'file' ? atHome(given, places.HOME) : given
    const before = Object.hasOwn(kept, key) ? kept[key] : undefined
    if (!sensitive) {
      if (value !== undefined && value !== '') values[key] = value
      continue
    }
    if (before === undefined && (value === undefined || value === '')) continue
    const id = before !== undefined && !reserved.has(before) ? before : freeId(key, new Set([...reserved, ...Object.values(secrets)]))
    secrets[key] = id
    if (value !== undefined && value !== '') entered.set(id, String(value))
  }
  const made = makeCommand(manifest, {
    folder: files,
    system,
    places,
    values,
    secret: (key) => (Object.hasOwn(secrets, key) ? inputReference(secrets[key] ?? '') : undefined),
  })
  if (made.kind === 'refused')
    throw new HostError('bundle.manifest', commandWords(made.field)[made.fault], {
      data: { field: made.field, fault: made.fault, text: made.text.slice(0, 1000) },
    })
  return { definition: { ...made.command, args: [...made.command.args], env: { ...made.command.env } }, values, secrets, entered }
}

const atHome = (value: ConfigValues[string] | undefined, home: string): ConfigValues[string] | undefined =>
  typeof value === 'string' ? withHome(value, home) : Array.isArray(value) ? value.map((one) => withHome(one, home)) : value

function freeId(key: string, taken: ReadonlySet<string>): string {
  const plain = key.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'secret'
  for (let count = 1; ; count++) {
    const next = count === 1 ? plain : `${plain}-${count}`
    if (!taken.has(next)) return next
  }
}
