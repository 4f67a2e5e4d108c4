// The card of a form elicitation, and its sheet beside the chat, which has room for all fields.
import { useEffect, useRef } from 'react'
import { navigate } from '#renderer/router.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ConsentRequestFrame } from '../request/request-frame.tsx'
import { reviewChord } from '../request/request-keys.ts'
import { SheetFrame } from '../request/review-sheet-frame.tsx'
import type { Review } from '../request/use-review.ts'
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

export function FormSheet({ request, review }: { readonly request: FormRequest; readonly review: Review }) {
  const footer = useRef<HTMLElement>(null)
  const steps = useFormSteps(request, { follower: review.follower, onGo: review.show })
  const answer = useFormAnswer(request, steps, footer)
  const { shown, go } = steps
  useEffect(() => {
    // The card is that of the same step when the sheet closes.
    if (!shown) go(request.id)
  })
  return (
    <SheetFrame
      review={review}
      detail={<StepBadge request={request} />}
      onAllow={answer.goOn}
      onDeny={answer.decline}
      footerRef={footer}
      footer={<FormButtons request={request} answer={answer} steps={steps} sheet />}
    >
      <FormMessage request={request} />
      <FormFields request={request} answer={answer} />
    </SheetFrame>
  )
}
