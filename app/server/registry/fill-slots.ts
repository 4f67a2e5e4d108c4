// Slots of a registry entry: its arguments, variables and headers, with the fields that the person fills in. A value replaces `{field}`;
// a secret becomes a reference to an input. Registry text that looks like such a reference is refused.
import { defined } from '#app/or-else.ts'
import type { InputDeclaration } from '../inputs/input.ts'
import { inputReference, referencesIn, unknownReference } from '../inputs/variable-references.ts'
import type { RegistryArgument, RegistryInput, RegistryTemplate } from './registry-entry.ts'

export interface SlotField {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly required: boolean
  /** True for a secret: it is asked for apart and goes into the secret store. */
  readonly secret: boolean
  readonly format: RegistryInput['format']
  readonly choices?: readonly string[]
  readonly initial: string
}

export interface Slot {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly option?: string
  /** Text in which `{field}` stands for the value of a field; empty when the option stands alone. */
  readonly template: string
  readonly fields: readonly SlotField[]
  readonly repeated: boolean
}

/** Options that never take a value, whatever the entry says. */
const switches = /^(?:-[itdPy]|-it|-ti|--(?:interactive|tty|rm|init|privileged|read-only|detach|yes|publish-all))$/

/** Id of the field of a slot that is one value. */
const onlyField = 'value'
const braces = /\{([^{}]+)\}/g

const fieldOf = (id: string, label: string, input: RegistryInput): SlotField => ({
  id,
  label,
  ...defined({
    description: input.description || undefined,
    placeholder: input.placeholder || undefined,
    choices: input.choices?.length ? input.choices : undefined,
  }),
  required: input.isRequired,
  secret: input.isSecret,
  format: input.format,
  initial: input.isSecret ? '' : (input.default ?? ''),
})

type Placed = Pick<Slot, 'id' | 'label' | 'option'> & Partial<Pick<Slot, 'repeated'>>

/** Makes the slot of an environment variable, a header, or the value of an argument. */
export function slotOf(placed: Placed, input: RegistryTemplate): Slot {
  const { repeated = false, ...common } = { ...placed, ...defined({ description: input.description || undefined }) }
  // The person cannot change a value that the entry sets, but for the variables in it.
  if (input.value !== undefined) {
    const { template, fields } = withVariables(input.value, input.variables)
    return { ...common, template, fields, repeated: repeated && fields.length > 0 }
  }
  return { ...common, template: `{${onlyField}}`, fields: [fieldOf(onlyField, placed.label, input)], repeated }
}

/** Puts variables with a value of their own in, and makes fields of the others. Unknown ones stay as they are written. */
export function withVariables(value: string, variables: Readonly<Record<string, RegistryInput>>) {
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
  // An option such as `--rm` about whose value the entry says nothing takes none.
  const bare = argument.description === undefined && argument.placeholder === undefined && !argument.isSecret
  const alone = open && argument.format === 'string' && (bare || switches.test(name))
  return alone
    ? { ...placed, ...(argument.description ? { description: argument.description } : {}), template: '', fields: [], repeated: false }
    : slotOf(placed, argument)
}

/** Values by slot, occurrence and field. That of a secret is '' for none, or any text for one that is asked for. */
export type SlotValues = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>

export const emptyInstance = (slot: Slot): Record<string, string> =>
  Object.fromEntries(slot.fields.map((field) => [field.id, field.secret && field.required ? 'ask' : field.initial]))

export const initialSlotValues = (slots: readonly Slot[]): SlotValues =>
  Object.fromEntries(slots.filter(({ fields }) => fields.length > 0).map((slot) => [slot.id, [emptyInstance(slot)]]))

const instancesOf = (slot: Slot, filled: SlotValues): readonly Readonly<Record<string, string>>[] =>
  slot.fields.length === 0 ? [{}] : (filled[slot.id] ?? [emptyInstance(slot)])

/** Lists required fields without a value, by slot and occurrence. */
export function missingIn(slots: readonly Slot[], filled: SlotValues) {
  return slots.flatMap((slot) =>
    instancesOf(slot, filled).flatMap((instance, at) =>
      slot.fields
        .filter((field) => field.required && !field.secret && (instance[field.id] ?? '').trim() === '')
        .map((field) => ({ slot: slot.id, at, field: field.id })),
    ),
  )
}

/** Collects the inputs to be asked for, each under an id of its own. */
export interface Asking {
  /** Start of each id, so that no entry can name a value of another server. */
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
    ...defined({ description, default: field.initial || undefined, options: field.choices && [...field.choices] }),
  })
  return inputReference(id)
}

/** Returns the text of each occurrence of a slot; none when it is left out. */
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

/** Finds registry text of a slot that would be read as a reference. */
export const referenceInSlot = (slot: Slot): string | undefined =>
  referenceIn(slot.option ?? '') ??
  referenceIn(slot.template) ??
  // Parts may make a reference only once they are joined.
  referenceIn(put(slot.template, (id) => slot.fields.find((field) => field.id === id)?.initial)) ??
  slot.fields.map(({ initial, choices = [] }) => [initial, ...choices].map(referenceIn).find(Boolean)).find(Boolean)

export const referenceIn = (text: string): string | undefined =>
  referencesIn(text).length > 0 || unknownReference(text) !== undefined ? (/\$\{[^{}]*\}/.exec(text)?.[0] ?? text) : undefined
