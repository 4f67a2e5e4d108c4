// "ledger asks you for an answer": its form, checked while the person types. Nothing is sent that they did not write or
// choose, except what the server proposed and they left standing. Of several forms that came together one is shown at a
// time; they go back and forth, and all of them are sent with the last. Its sheet has the same beside the chat.
import { useRef } from 'react'
import { navigate } from '#renderer/router.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AskFrame } from './ask-frame.tsx'
import { FormButtons, FormFields, FormWords, StepBadge } from './form-parts.tsx'
import { reviewChord } from './request-keys.ts'
import { useFormAnswer } from './use-form-answer.ts'
import { type FormRequest, type FormSteps, useFormSteps } from './use-form-steps.ts'

export function FormCard({ request }: { readonly request: FormRequest }) {
  const steps = useFormSteps(request)
  return steps.shown ? <FormStepCard request={request} steps={steps} /> : null
}

function FormStepCard({ request, steps }: { readonly request: FormRequest; readonly steps: FormSteps }) {
  const card = useRef<HTMLElement>(null)
  const answer = useFormAnswer(request, steps, card)
  const { id, conversationId } = request
  const review = conversationId === undefined ? undefined : () => navigate({ page: 'chat', id: conversationId, review: id })
  return (
    <AskFrame
      request={request}
      card={card}
      beside={<StepBadge request={request} />}
      headActions={
        review && (
          <Button variant="ghost" size="sm" onClick={review}>
            {tx`Enlarge ${<Keys chord={reviewChord} />}`}
          </Button>
        )
      }
      onAllow={answer.goOn}
      onDeny={answer.decline}
      onReview={review}
      onEscape={steps.dismiss}
      onEscapeWriting={steps.focus}
      footer={<FormButtons request={request} answer={answer} steps={steps} />}
    >
      <FormWords request={request} />
      <FormFields request={request} answer={answer} />
    </AskFrame>
  )
}
