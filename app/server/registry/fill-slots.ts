// Slots filled in: what the person says takes the place of `{field}`; a secret becomes a reference, which the secret store
// answers when the server starts. Registry text that looks like such a reference itself would reach for secrets and variables
// of this computer: it is refused. What a package or a remote lets the person say: each argument, variable or header is a slot,
// with the fields that it is made of. A slot without fields is fixed. Pure: filling them in is `fill.ts`.

import type { InputDeclaration } from '../inputs/input.ts'
import { inputReference, referencesIn, unknownReference } from '../inputs/variable-references.ts'
import type { RegistryArgument, RegistryInput, RegistryTemplate } from './registry-entry.ts'

export interface SlotField {
  /** Within its slot. */
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly required: boolean
  /** Never typed here: it is asked for apart and goes into the secret store. */
  readonly secret: boolean
  readonly format: RegistryInput['format']
  readonly choices?: readonly string[]
  /** What its field begins with. */
  readonly initial: string
}

export interface Slot {
  readonly id: string
  readonly label: string
  readonly description?: string
  /** Written before the value: `--port`. */
  readonly option?: string
  /** `{field}` stands for what the person says. Empty: the option stands alone. */
  readonly template: string
  readonly fields: readonly SlotField[]
  /** May be there several times. */
  readonly repeated: boolean
}

/** Options that are never followed by a value, whatever else is said of them. */
const switches = /^(?:-[itdPy]|-it|-ti|--(?:interactive|tty|rm|init|privileged|read-only|detach|yes|publish-all))$/

/** The id of the only field of a slot that is one value. */
const onlyField = 'value'
const braces = /\{([^{}]+)\}/g

const fieldOf = (id: string, label: string, input: RegistryInput): SlotField => ({
  id,
  label,
  ...(input.description ? { description: input.description } : {}),
  ...(input.placeholder ? { placeholder: input.placeholder } : {}),
  required: input.isRequired,
  secret: input.isSecret,
  format: input.format,
  ...(input.choices && input.choices.length > 0 ? { choices: input.choices } : {}),
  initial: input.isSecret ? '' : (input.default ?? ''),
})

interface Placed {
  readonly id: string
  readonly label: string
  readonly option?: string
  readonly repeated?: boolean
}

/** Of an environment variable, a header, or what an argument is given. */
export function slotOf(placed: Placed, input: RegistryTemplate): Slot {
  const { id, label, option, repeated = false } = placed
  const common = {
    id,
    label,
    ...(option === undefined ? {} : { option }),
    ...(input.description ? { description: input.description } : {}),
  }
  // A value that is set is not the person's to change, but for the variables in it.
  if (input.value !== undefined) {
    const { template, fields } = withVariables(input.value, input.variables)
    return { ...common, template, fields, repeated: repeated && fields.length > 0 }
  }
  return { ...common, template: `{${onlyField}}`, fields: [fieldOf(onlyField, label, input)], repeated }
}

/** Variables with a value of their own are put in; those that are not told of stay as they are written. */
export function withVariables(
  value: string,
  variables: Readonly<Record<string, RegistryInput>>,
): { readonly template: string; readonly fields: SlotField[] } {
  const fields = new Map<string, SlotField>()
  const template = value.replace(braces, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (!variable) return whole
    if (variable.value !== undefined) return variable.value
    fields.set(name, fieldOf(name, name, variable))
    return whole
  })
  return { template, fields: [...fields.values()] }
}

export function slotOfArgument(argument: RegistryArgument, id: string): Slot {
  if (argument.type === 'positional')
    return slotOf({ id, label: argument.valueHint ?? argument.value ?? 'argument', repeated: argument.isRepeated }, argument)
  const { name } = argument
  const placed = { id, label: name, option: name, repeated: argument.isRepeated }
  const open = argument.value === undefined && argument.default === undefined && argument.choices === undefined
  // `--rm`, and whatever is only named: nobody says what its value should be.
  const bare = argument.description === undefined && argument.placeholder === undefined && !argument.isSecret
  const alone = open && argument.format === 'string' && (bare || switches.test(name))
  return alone
    ? { ...placed, ...(argument.description ? { description: argument.description } : {}), template: '', fields: [], repeated: false }
    : slotOf(placed, argument)
}

/** By slot, each time that it is there, by field. Of a secret: '' for none, anything else to be asked for it. */
export type SlotValues = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>

export const emptyInstance = (slot: Slot): Record<string, string> =>
  Object.fromEntries(slot.fields.map((field) => [field.id, field.secret && field.required ? 'ask' : field.initial]))

/** What the form begins with. */
export const initialSlotValues = (slots: readonly Slot[]): SlotValues =>
  Object.fromEntries(slots.filter(({ fields }) => fields.length > 0).map((slot) => [slot.id, [emptyInstance(slot)]]))

const instancesOf = (slot: Slot, filled: SlotValues): readonly Readonly<Record<string, string>>[] =>
  slot.fields.length === 0 ? [{}] : (filled[slot.id] ?? [emptyInstance(slot)])

/** What a field has to say and does not; `slot field` of each. */
export function missingIn(
  slots: readonly Slot[],
  filled: SlotValues,
): { readonly slot: string; readonly at: number; readonly field: string }[] {
  return slots.flatMap((slot) =>
    instancesOf(slot, filled).flatMap((instance, at) =>
      slot.fields
        .filter((field) => field.required && !field.secret && (instance[field.id] ?? '').trim() === '')
        .map((field) => ({ slot: slot.id, at, field: field.id })),
    ),
  )
}

/** Collects what is to be asked for, each under an id of its own. */
export interface Asking {
  /** Set before each id, so that no entry can name a value that another server was given. */
  readonly prefix: string
  readonly inputs: Map<string, InputDeclaration>
}

function ask(asking: Asking, slot: Slot, field: SlotField, at: number): string {
  const word = slot.fields.length > 1 || field.id !== 'value' ? field.label : slot.label
  const id = `${asking.prefix}-${word}${at > 0 ? `-${at + 1}` : ''}`
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  const description = field.description ?? slot.description
  asking.inputs.set(id, {
    id,
    password: field.secret,
    ...(description === undefined ? {} : { description }),
    ...(field.initial === '' ? {} : { default: field.initial }),
    ...(field.choices === undefined ? {} : { options: [...field.choices] }),
  })
  return inputReference(id)
}

/** The values of a slot, one for each time that it is there; none: it is left out. */
export function valuesOfSlot(slot: Slot, filled: SlotValues, asking: Asking): string[] {
  return instancesOf(slot, filled).flatMap((instance, at) => {
    const parts = new Map<string, string>()
    for (const field of slot.fields) {
      const said = instance[field.id] ?? ''
      if (field.secret) parts.set(field.id, said === '' && !field.required ? '' : ask(asking, slot, field, at))
      else parts.set(field.id, said === '' && field.required ? ask(asking, slot, field, at) : said)
    }
    if (parts.size > 0 && [...parts.values()].every((part) => part === '')) return []
    return [put(slot.template, (id) => parts.get(id))]
  })
}

const put = (template: string, part: (id: string) => string | undefined): string =>
  template.replace(/\{([^{}]+)\}/g, (whole, id: string) => part(id) ?? whole)

/** Registry text of a slot that would be read as a reference; undefined: there is none. */
export const referenceInSlot = (slot: Slot): string | undefined =>
  referenceIn(slot.option ?? '') ??
  referenceIn(slot.template) ??
  // Pieces that make one only when they are put together.
  referenceIn(put(slot.template, (id) => slot.fields.find((field) => field.id === id)?.initial)) ??
  slot.fields.map(({ initial, choices = [] }) => [initial, ...choices].map(referenceIn).find(Boolean)).find(Boolean)

export const referenceIn = (text: string): string | undefined =>
  referencesIn(text).length > 0 || unknownReference(text) !== undefined ? (/\$\{[^{}]*\}/.exec(text)?.[0] ?? text) : undefined
