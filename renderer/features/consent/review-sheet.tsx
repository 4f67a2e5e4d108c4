import { FormSheet } from './form-sheet.tsx'
import { ToolCallSheet } from './tool-call-sheet.tsx'
import type { Review } from './use-review.ts'

/** To be keyed by the request: another one starts with nothing chosen, and with the pause before Allow. */
export function ReviewSheet({ review }: { readonly review: Review }) {
  const { request } = review
  return request.kind === 'tool-call' ? (
    <ToolCallSheet request={request} review={review} />
  ) : (
    <FormSheet request={request} review={review} />
  )
}
