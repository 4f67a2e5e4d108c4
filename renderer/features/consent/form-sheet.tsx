// A form beside the chat that it came from, with room for all of its fields.
import { useEffect, useRef } from 'react'
import { FormButtons, FormFields, FormWords, StepBadge } from './form-parts.tsx'
import { SheetFrame } from './sheet-frame.tsx'
import { useFormAnswer } from './use-form-answer.ts'
import { type FormRequest, useFormSteps } from './use-form-steps.ts'
import type { Review } from './use-review.ts'

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
      <FormWords request={request} />
      <FormFields request={request} answer={answer} />
    </SheetFrame>
  )
}
