// What stands in the form of a bundle's settings, and what goes to the host of it. Texts as they are typed; a secret that is
// left empty stays what it was.
import type { ErrorValue } from '#app/errors.ts'
import {
  type BundleField,
  type ConfigValue,
  type ConfigValues,
  faultOfValue,
  type ValueFault,
  valueFault,
} from '#app/server/bundle/user-config.ts'
import { t } from '#app/words/translate.ts'

/** By key: a text as typed (several: one a line), or on and off. */
export type Entered = Readonly<Record<string, string | boolean>>

const shown = (value: ConfigValue | undefined, field: BundleField): string | boolean => {
  if (field.type === 'boolean') return value === true
  return Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value)
}
export const enteredAtFirst = (fields: readonly BundleField[]): Entered =>
  Object.fromEntries(fields.map((field) => [field.key, shown(field.value, field)]))

function enteredValue(field: BundleField, typed: string | boolean): ConfigValue | undefined {
  if (typeof typed === 'boolean') return typed
  if (field.multiple)
    return typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const text = field.sensitive ? typed : typed.trim()
  if (text === '') return undefined
  const number = Number(text)
  return field.type === 'number' && Number.isFinite(number) ? number : text
}

export function valuesOf(fields: readonly BundleField[], entered: Entered): ConfigValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = enteredValue(field, entered[field.key] ?? '')
      return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[field.key, value]]
    }),
  )
}

const words = (fault: ValueFault, { min, max }: BundleField): string => {
  switch (fault) {
    case 'missing':
      return t`It needs this.`
    case 'not-a-number':
      return t`Write a number.`
    case 'too-small':
      return t`At least ${min}.`
    case 'too-large':
      return t`At most ${max}.`
    case 'reference':
      return t`It cannot hold “\${”: that could be read as a reference to something else.`
    case 'control':
      return t`It cannot hold a line break.`
    case 'not-whole':
      return t`Write the whole path, from its beginning.`
    case 'wrong-kind':
    case 'unknown':
      return t`This cannot be used.`
  }
}

/** By key, what the host finds wrong with one; undefined: the error is of something else. */
export function errorAtField(fields: readonly BundleField[], { code, data }: ErrorValue): Readonly<Record<string, string>> | undefined {
  const field = code === 'bundle.values' ? fields.find(({ key }) => key === data?.['field']) : undefined
  const fault = valueFault.safeParse(data?.['fault'])
  return field && fault.success ? { [field.key]: words(fault.data, field) } : undefined
}

/** By key, what is wrong. */
export function errorsOf(fields: readonly BundleField[], entered: Entered): Readonly<Record<string, string>> {
  const values = valuesOf(fields, entered)
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOfValue(field, values[field.key])
      return fault ? [[field.key, words(fault, field)]] : []
    }),
  )
}
