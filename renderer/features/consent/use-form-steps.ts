// Several forms that came in one result are steps: one of them is shown, each keeps what was written in it, and all are
// answered with the last. A form that came alone is its own only step.
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { elicitationFields, validateElicitation } from '#app/consent/elicitation.ts'
import type { ConsentAnswer, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import type { Json } from '#app/json.ts'
import { focusRequest, focusRequestSoon } from '#renderer/shell/focus.ts'
import { useConsent, useShallow, useStores } from '#renderer/stores/react.tsx'
import { proposedValues, toContent } from './form-values.ts'
import { type AnswerFollower, useAnswer } from './use-answer.ts'

export type FormRequest = ConsentRequestOf<'elicitation-form'>

export interface FormSteps {
  /** This one is the step that is shown. */
  readonly shown: boolean
  readonly busy: boolean
  /** Ids of the steps beside it that still wait. */
  readonly back: string | undefined
  readonly next: string | undefined
  go(id: string): void
  /** This one alone. */
  answer(answer: ConsentAnswer): void
  /** All of them, each with what stands in it. Where one is wrong, it is shown in place of that. */
  send(): void
  /** All of them are left without an answer. */
  dismiss(): void
  focus(): void
}

const isOfGroup = (one: ConsentRequest, request: FormRequest): one is FormRequest =>
  one.id === request.id || (one.kind === 'elicitation-form' && one.step !== undefined && one.step.group === request.step?.group)

interface FormStepsOptions {
  readonly follower?: AnswerFollower
  /** Told which step is to be shown. */
  readonly onGo?: (id: string) => void
}

export function useFormSteps(request: FormRequest, { follower, onGo }: FormStepsOptions = {}): FormSteps {
  const { actions, requestDrafts } = useStores()
  const { busy, answer } = useAnswer(request, follower)
  const [sending, setSending] = useState(false)
  const open = useConsent(useShallow((state) => state.requests.filter((one) => isOfGroup(one, request))))
  const group = [...open].sort((a, b) => (a.step?.index ?? 0) - (b.step?.index ?? 0))
  const chosen = useStore(requestDrafts.store, ({ byRequest }) => group.find(({ id }) => byRequest[id]?.shown)?.id)
  const at = group.findIndex(({ id }) => id === request.id)
  const late = useStore(requestDrafts.store, ({ left }) => {
    const answered = request.step && left[request.step.group]
    return answered !== undefined && !answered.includes(request.id)
  })
  const draftOf = (id: string) => requestDrafts.store.getState().byRequest[id] ?? {}

  const go = (id: string): void => {
    for (const one of group) {
      const { shown: _, ...draft } = draftOf(one.id)
      requestDrafts.set(one.id, one.id === id ? { ...draft, shown: true } : draft)
    }
    onGo?.(id)
    focusRequestSoon(id)
  }
  const contentOf = (one: FormRequest) => {
    const fields = elicitationFields(one.requestedSchema)
    return validateElicitation(one.requestedSchema, toContent(fields, draftOf(one.id).form?.values ?? proposedValues(fields)))
  }
  /** This one last: with it the focus moves on. */
  const answerAll = async (answerTo: (one: FormRequest) => ConsentAnswer): Promise<void> => {
    if (sending || busy) return
    setSending(true)
    for (const one of group) if (one.id !== request.id) await actions.answer(one.id, answerTo(one))
    setSending(false)
    answer(answerTo(request))
  }

  const dismiss = (): void => {
    if (request.step)
      requestDrafts.leave(
        request.step.group,
        group.map(({ id }) => id),
      )
    void answerAll(() => ({ kind: 'cancel' }))
  }
  // It was on its way as the others were left.
  useEffect(() => {
    if (late) answer({ kind: 'cancel' })
  }, [late, answer])

  return {
    shown: (chosen ?? group[0]?.id ?? request.id) === request.id,
    busy: busy || sending,
    back: group[at - 1]?.id,
    next: group[at + 1]?.id,
    go,
    answer,
    send() {
      const wrong = group.find((one) => !contentOf(one).ok)
      if (wrong !== undefined) {
        const { form } = draftOf(wrong.id)
        if (form) requestDrafts.set(wrong.id, { ...draftOf(wrong.id), form: { ...form, checked: true } })
        return go(wrong.id)
      }
      void answerAll((one) => {
        const checked = contentOf(one)
        return { kind: 'allow', scope: 'once', content: (checked.ok ? checked.content : {}) as Record<string, Json> }
      })
    },
    dismiss,
    focus: () => void focusRequest(request.id),
  }
}
