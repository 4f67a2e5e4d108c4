// "ledger asks you for an answer": its form, checked while the person types. Nothing is sent that they did not write or
// choose, except what the server proposed and they left standing. Of several forms that came together one is shown at a
// time; they go back and forth, and all of them are sent with the last. Its sheet has the same beside the chat.
import { useRef } from 'react'
import { navigate } from '#renderer/router.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ConsentRequestFrame } from '../request/request-frame.tsx'
import { reviewChord } from '../request/request-keys.ts'
import {
  FormButtons,
  FormFields,
  FormMessage,
  type FormRequest,
  type FormSteps,
  StepBadge,
  useFormAnswer,
  useFormSteps,
} from './form-parts.tsx'

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
    <ConsentRequestFrame
      request={request}
      card={card}
      beside={<StepBadge request={request} />}
      headActions={
        review && (
          <Button variant="ghost" size="sm" onClick={review}>
            {tx`Enlarge ${<ChordKeys chord={reviewChord} />}`}
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
      <FormMessage request={request} />
      <FormFields request={request} answer={answer} />
    </ConsentRequestFrame>
  )
}
