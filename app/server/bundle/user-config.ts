// Settings of a bundle (`user_config`) as fields of a form, and the check of entered values. A value is never read as a reference, nor as
// more than one word of the command line.
import { z } from 'zod'
import { mapOf } from '../../json-schemas.ts'
import { defined } from '../../or-else.ts'
import { type BundleManifest, type ConfigOption, optionTypes } from './manifest.ts'

const configValue = z.union([z.string().max(65_536), z.number(), z.boolean(), z.array(z.string().max(4096)).max(100)])
export type ConfigValue = z.infer<typeof configValue>
export const configValues = mapOf(configValue, z.string().min(1).max(100))
export type ConfigValues = Readonly<Record<string, ConfigValue>>

export const bundleField = z.object({
  key: z.string(),
  type: z.enum(optionTypes),
  title: z.string(),
  description: z.string(),
  required: z.boolean(),
  multiple: z.boolean(),
  /** True for a secret: its value goes to the secret store, and never comes back to a page. */
  sensitive: z.boolean(),
  min: z.number().optional(),
  max: z.number().optional(),
  value: configValue.optional(),
  /** True when a secret is kept for it already. */
  kept: z.boolean(),
})
export type BundleField = z.infer<typeof bundleField>

/** Folders that a manifest may name: `${HOME}` and the like. */
export type BundleFolders = Readonly<Record<'HOME' | 'DESKTOP' | 'DOCUMENTS' | 'DOWNLOADS', string>>

/** Replaces references to folders in one pass. Other references stay as they are. */
const withFolders = (text: string, folders: BundleFolders, separator: string): string =>
  text.replace(/\$\{(HOME|DESKTOP|DOCUMENTS|DOWNLOADS|pathSeparator|\/)\}/g, (_, name: string) =>
    Object.hasOwn(folders, name) ? folders[name as keyof BundleFolders] : separator,
  )

export const isSensitive = ({ type, sensitive }: ConfigOption): boolean => sensitive === true && (type === 'string' || type === 'number')
const isMultiple = ({ type, multiple }: ConfigOption): boolean => multiple === true && type !== 'boolean' && type !== 'number'

function shaped(option: ConfigOption, value: ConfigValue | undefined): ConfigValue | undefined {
  if (value === undefined) return undefined
  if (isMultiple(option)) return Array.isArray(value) ? value : [String(value)]
  if (option.type === 'boolean') return typeof value === 'boolean' ? value : value === 'true'
  if (option.type !== 'number') return Array.isArray(value) ? value[0] : String(value)
  const number = typeof value === 'number' ? value : Number(value)
  return Number.isFinite(number) ? number : undefined
}

interface FieldsOptions {
  readonly folders: BundleFolders
  readonly separator: string
  readonly values?: ConfigValues
  readonly kept?: readonly string[]
}

export function fieldsOf(
  { user_config = {} }: BundleManifest,
  { folders, separator, values = {}, kept = [] }: FieldsOptions,
): BundleField[] {
  const filled = (value: ConfigValue | undefined): ConfigValue | undefined => {
    if (typeof value === 'string') return withFolders(value, folders, separator)
    return Array.isArray(value) ? value.map((one) => withFolders(one, folders, separator)) : value
  }
  return Object.entries(user_config).map(([key, option]) => {
    const sensitive = isSensitive(option)
    const entered = Object.hasOwn(values, key) ? values[key] : filled(option.default)
    const value = sensitive ? undefined : shaped(option, entered)
    const { min, max } = option.type === 'number' ? option : {}
    return {
      key,
      type: option.type,
      title: option.title?.trim() || key,
      description: option.description ?? '',
      required: option.required ?? false,
      multiple: isMultiple(option),
      sensitive,
      kept: sensitive && kept.includes(key),
      ...defined({ min, max, value }),
    }
  })
}

const faults = ['missing', 'not-a-number', 'too-small', 'too-large', 'reference', 'control', 'wrong-kind', 'not-whole', 'unknown'] as const
export const valueFault = z.enum(faults)
export type ValueFault = z.infer<typeof valueFault>

/** Tells an absolute path of any system; `~` is the person's own folder. */
const isWholePath = (path: string): boolean => path === '' || /^(?:~?[/\\]|~$|[A-Za-z]:[/\\])/.test(path)

/** Replaces a leading `~`: a server gets the absolute path. */
export const withHome = (path: string, home: string): string => path.replace(/^~(?=$|[/\\])/, () => home)

/** Finds what is wrong with a value; undefined or empty means that it was left out. */
export function faultOfValue(
  field: Pick<BundleField, 'type' | 'required' | 'multiple' | 'sensitive' | 'kept' | 'min' | 'max'>,
  value: ConfigValue | undefined,
): ValueFault | undefined {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return field.required && !field.kept ? 'missing' : undefined
  if (Array.isArray(value) !== field.multiple || (typeof value === 'boolean') !== (field.type === 'boolean')) return 'wrong-kind'
  if (field.type === 'number') {
    const number = typeof value === 'number' ? value : Number(value)
    if (!Number.isFinite(number) || (typeof value === 'string' && value.trim() === '')) return 'not-a-number'
    if (field.min !== undefined && number < field.min) return 'too-small'
    if (field.max !== undefined && number > field.max) return 'too-large'
    return undefined
  }
  const texts = Array.isArray(value) ? value : [String(value)]
  if (Array.isArray(value) && field.required && texts.some((text) => text === '')) return 'missing'
  if (texts.some((text) => /[\0\r\n]/.test(text))) return 'control'
  if ((field.type === 'directory' || field.type === 'file') && !texts.every(isWholePath)) return 'not-whole'
  // A secret is put in where references are resolved already.
  return !field.sensitive && texts.some((text) => /\$\{/.test(text)) ? 'reference' : undefined
}

export function faultsOf(fields: readonly BundleField[], values: ConfigValues): ReadonlyMap<string, ValueFault> {
  const faults = new Map<string, ValueFault>()
  for (const field of fields) {
    const fault = faultOfValue(field, Object.hasOwn(values, field.key) ? values[field.key] : undefined)
    if (fault) faults.set(field.key, fault)
  }
  for (const key of Object.keys(values)) if (!fields.some((field) => field.key === key)) faults.set(key, 'unknown')
  return faults
}
