// Slots filled in: what the person says takes the place of `{field}`; a secret becomes a reference, which the secret
// store answers when the server starts. Registry text that looks like such a reference itself would reach for secrets and
// variables of this computer: it is refused.
import type { InputDeclaration } from '../input.ts'
import { inputReference, referencesIn, unknownReference } from '../references.ts'
import type { Slot, SlotField } from './slots.ts'

/** By slot, each time that it is there, by field. Of a secret: '' for none, anything else to be asked for it. */
export type Filled = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>

export const emptyInstance = (slot: Slot): Record<string, string> =>
  Object.fromEntries(slot.fields.map((field) => [field.id, field.secret && field.required ? 'ask' : field.initial]))

/** What the form begins with. */
export const initialFilled = (slots: readonly Slot[]): Filled =>
  Object.fromEntries(slots.filter(({ fields }) => fields.length > 0).map((slot) => [slot.id, [emptyInstance(slot)]]))

const instancesOf = (slot: Slot, filled: Filled): readonly Readonly<Record<string, string>>[] =>
  slot.fields.length === 0 ? [{}] : (filled[slot.id] ?? [emptyInstance(slot)])

/** What a field has to say and does not; `slot field` of each. */
export function missingIn(
  slots: readonly Slot[],
  filled: Filled,
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
export function valuesOfSlot(slot: Slot, filled: Filled, asking: Asking): string[] {
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
