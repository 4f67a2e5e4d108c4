// What a package or a remote lets the person say: each argument, variable or header is a slot, with the fields that it is
// made of. A slot without fields is fixed. Pure: filling them in is `fill.ts`.
import type { RegistryArgument, RegistryInput, RegistryTemplate } from './entry.ts'

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
export const onlyField = 'value'
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
