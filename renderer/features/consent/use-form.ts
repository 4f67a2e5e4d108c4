// One form as it is filled in: kept while its request waits, so that a look at another page, or at another step, loses nothing.
import { type ElicitationField, validateElicitation } from '#app/consent/elicitation.ts'
import type { FormDraft, FormValue, FormValues } from '#renderer/stores/form-draft.ts'
import { useRequestDraft, useStores } from '#renderer/stores/react.tsx'
import { proposedValues, toContent } from './form-values.ts'
import type { FormRequest } from './use-form-steps.ts'

export interface Form {
  readonly values: FormValues
  /** By field: of what was changed, and of everything once it was tried to go on. */
  readonly errors: Readonly<Record<string, string>>
  write(name: string, value: FormValue): void
  /** Shows all that is wrong; how many answers are. */
  check(): number
}

export function useForm(request: FormRequest, fields: readonly ElicitationField[]): Form {
  const { requestDrafts } = useStores()
  const draft = useRequestDraft(request.id)
  const form: FormDraft = draft.form ?? { values: proposedValues(fields), changed: [], checked: false }
  const checked = validateElicitation(request.requestedSchema, toContent(fields, form.values))
  const all = checked.ok ? {} : checked.errors
  const isSaid = (name: string): boolean => form.checked || form.changed.includes(name)
  const keep = (change: Partial<FormDraft>): void => requestDrafts.set(request.id, { ...draft, form: { ...form, ...change } })
  return {
    values: form.values,
    errors: Object.fromEntries(Object.entries(all).filter(([name]) => isSaid(name))),
    write: (name, value) =>
      keep({ values: { ...form.values, [name]: value }, changed: form.changed.includes(name) ? form.changed : [...form.changed, name] }),
    check() {
      keep({ checked: true })
      return Object.keys(all).length
    },
  }
}
