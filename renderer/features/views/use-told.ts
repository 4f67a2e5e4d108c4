// What a view wants the model to know: one attachment of the message that is being written, which the person sees and can take
// away. Each new word of the view replaces its last one; none at all takes it back.
import { useCallback, useRef, useState } from 'react'
import { type Attachment, attachmentLimits } from '#app/chat/attachment.ts'
import { useStores } from '#renderer/stores/react.tsx'

export function useTold(conversationId: string, viewId: string): readonly [told: boolean, tell: (words: string) => Promise<void>] {
  const { link, draftExtras } = useStores()
  const [told, setTold] = useState(false)
  const last = useRef<string | undefined>(undefined)
  const tell = useCallback(
    async (words: string): Promise<void> => {
      const added = words === '' ? undefined : (await link.request('view.tell', { id: viewId, words })).attachment
      const before = last.current
      const others = (attachments: readonly Attachment[]): Attachment[] => attachments.filter(({ id }) => id !== before)
      if (added && others(draftExtras.read(conversationId).attachments).length >= attachmentLimits.count)
        throw new Error('The message has as many attachments as it takes.')
      last.current = added?.id
      draftExtras.change(conversationId, (extras) => ({
        ...extras,
        attachments: [...others(extras.attachments), ...(added ? [added] : [])],
      }))
      setTold(added !== undefined)
    },
    [link, draftExtras, conversationId, viewId],
  )
  return [told, tell]
}
