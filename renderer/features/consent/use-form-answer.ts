// All that answers a form, for its card and its sheet alike: what was written, what of it is wrong, and the ways to answer.
import { type RefObject, useMemo } from 'react'
import { type ElicitationField, elicitationFields } from '#app/consent/elicitation.ts'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { type Arming, useArming } from './use-arming.ts'
import { type Form, useForm } from './use-form.ts'
import type { FormRequest, FormSteps } from './use-form-steps.ts'

export interface FormAnswer {
  readonly fields: readonly ElicitationField[]
  readonly form: Form
  readonly arming: Arming
  /** How many answers are to be corrected, as far as that is said yet. */
  readonly wrong: number
  /** To the next step; from the last one everything is sent. */
  readonly goOn: () => void
  readonly decline: () => void
}

export const wrongWords = (count: number): string => (count === 1 ? t`1 answer to correct` : t`${count} answers to correct`)

/** `place`: what must stand still before it can be sent. */
export function useFormAnswer(request: FormRequest, steps: FormSteps, place: RefObject<HTMLElement | null>): FormAnswer {
  const { view } = useStores()
  const fields = useMemo(() => elicitationFields(request.requestedSchema), [request.requestedSchema])
  const form = useForm(request, fields)
  const arming = useArming(place, JSON.stringify([request.message, request.requestedSchema, steps.next === undefined]))
  return {
    fields,
    form,
    arming,
    wrong: Object.keys(form.errors).length,
    goOn() {
      const left = form.check()
      if (left > 0) announce(view, wrongWords(left))
      else if (steps.next !== undefined) steps.go(steps.next)
      else if (arming.mayPress()) steps.send()
    },
    decline: () => steps.answer({ kind: 'deny' }),
  }
}
