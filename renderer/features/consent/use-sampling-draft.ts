// What the person makes of a question to the model, or of its answer, before it goes on: kept while the request waits, so
// that a look at another page loses nothing.

import { useRequestDraft, useStores } from '#renderer/stores/react.tsx'
import type { SamplingDraft } from '#renderer/stores/request-drafts.ts'

const nothing: SamplingDraft = {}

export function useSamplingDraft(requestId: string) {
  const { requestDrafts } = useStores()
  const draft = useRequestDraft(requestId)
  const sampling = draft.sampling ?? nothing
  const keep = (change: Partial<SamplingDraft>): void => requestDrafts.set(requestId, { ...draft, sampling: { ...sampling, ...change } })
  return [sampling, keep] as const
}
