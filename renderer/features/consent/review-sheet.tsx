import { useEffect, useRef } from 'react'
import {
  FormButtons,
  FormFields,
  FormMessage,
  type FormRequest,
  StepBadge,
  useFormAnswer,
  useFormSteps,
} from './elicitation/form-parts.tsx'
import { SheetFrame } from './request/review-sheet-frame.tsx'
import type { Review } from './request/use-review.ts'
import { ToolCallSheet } from './tool-call/tool-call-sheet.tsx'

// A form beside the chat that it came from, with room for all of its fields.

function FormSheet({ request, review }: { readonly request: FormRequest; readonly review: Review }) {
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

/** To be keyed by the request: another one starts with nothing chosen, and with the pause before Allow. */
export function ReviewSheet({ review }: { readonly review: Review }) {
  const { request } = review
  return request.kind === 'tool-call' ? (
    <ToolCallSheet request={request} review={review} />
  ) : (
    <FormSheet request={request} review={review} />
  )
}
