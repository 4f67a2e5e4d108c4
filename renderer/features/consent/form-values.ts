// What stands in a form at first, and what of it would be sent. An empty text or number is no answer.
import type { ElicitationField } from '#app/consent/elicitation.ts'
import type { Json, JsonObject } from '#app/json.ts'
import type { FormValue, FormValues } from '#renderer/stores/form-draft.ts'

export function proposedValues(fields: readonly ElicitationField[]): FormValues {
  return Object.fromEntries(fields.flatMap((field) => (field.kind === 'unsupported' ? [] : [[field.name, proposed(field)]])))
}

function proposed(field: Exclude<ElicitationField, { kind: 'unsupported' }>): FormValue {
  switch (field.kind) {
    case 'boolean':
      return field.default ?? false
    case 'choices':
      return field.default ?? []
    case 'number':
      return field.default === undefined ? '' : String(field.default)
    case 'text':
    case 'choice':
      // What looks like a secret is never filled in beforehand.
      return field.secret ? '' : (field.default ?? '')
  }
}

function sentAs(field: ElicitationField, value: FormValue): Json | undefined {
  if (field.kind === 'choices') return Array.isArray(value) && (value.length > 0 || field.required) ? [...value] : undefined
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined
  if (value === '') return undefined
  // What is no number stays text, so that the check can say so.
  if (field.kind === 'number') return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
  return value
}

export function toContent(fields: readonly ElicitationField[], values: FormValues): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.name]
      const sent = value === undefined ? undefined : sentAs(field, value)
      return sent === undefined ? [] : [[field.name, sent]]
    }),
  )
}
