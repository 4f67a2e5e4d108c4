// Sending from the composer. While the model is at work a message joins the turn. One that cannot go now (the host is
// away) waits, is said to wait, and goes by itself as soon as it can; the draft stays until the host has it.
import { useCallback, useEffect, useState } from 'react'
import type { Activity } from '#app/chat/conversation.ts'
import { navigate } from '#renderer/router.ts'
import { useConnection, useSettings, useStores } from '#renderer/stores/react.tsx'

export interface Send {
  readonly waiting: boolean
  readonly send: (text?: string) => void
  readonly dontSend: () => void
}

export function useSend(conversationId: string | undefined, activity: Activity | undefined, model: string): Send {
  const { actions, drafts } = useStores()
  const open = useConnection((state) => state.link === 'open')
  const welcomed = useSettings((state) => state.settings.welcomed)
  const [waiting, setWaiting] = useState(false)
  const draftId = conversationId ?? ''

  const sendNow = useCallback(
    async (text: string): Promise<void> => {
      setWaiting(false)
      const outcome = await actions.attempt('chat.send', { text, model, ...(conversationId !== undefined && { conversationId }) })
      if (!outcome.ok) {
        // Whatever happened, the words are still in the composer.
        if (drafts.read(draftId) === '') drafts.set(draftId, text)
        return actions.sayFailure(outcome.error)
      }
      if (drafts.read(draftId) === text) drafts.set(draftId, '')
      if (!welcomed) actions.set({ welcomed: true })
      if (conversationId === undefined) navigate({ page: 'chat', id: outcome.value.conversationId })
    },
    [actions, conversationId, draftId, drafts, model, welcomed],
  )

  const send = useCallback(
    (given?: string) => {
      const text = given ?? drafts.read(draftId)
      if (text.trim() === '') return
      if (open) void sendNow(text)
      else {
        if (given !== undefined) drafts.set(draftId, given)
        setWaiting(true)
      }
    },
    [drafts, draftId, open, sendNow],
  )

  const kind = activity?.kind
  useEffect(() => {
    if (!waiting || !open) return
    const text = drafts.read(draftId)
    // A turn that failed or was cut off is the person's to look at first.
    if (text.trim() === '' || kind === 'failed' || kind === 'interrupted' || kind === 'paused') setWaiting(false)
    else void sendNow(text)
  }, [waiting, open, kind, drafts, draftId, sendNow])

  return { waiting, send, dontSend: () => setWaiting(false) }
}
