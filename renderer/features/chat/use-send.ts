// Sending from the composer. While the model is at work a message joins the turn. One that cannot go now (the host is
// away) waits, is said to wait, and goes by itself as soon as it can; the draft stays until the host has it.
import { useCallback, useEffect, useState } from 'react'
import type { Activity } from '#app/chat/conversation.ts'
import { type DraftExtras, hasExtras, noExtras } from '#app/chat/draft-extras.ts'
import { navigate } from '#renderer/router.ts'
import { useConnection, useSettings, useStores } from '#renderer/stores/react.tsx'
import type { BeginningChat } from './new-choice.ts'

export interface Send {
  readonly waiting: boolean
  readonly send: (text?: string) => void
  readonly dontSend: () => void
}

/**
 * `model` and `begins`: what a new one begins with. One that is open has its own, which the host knows best: a choice of the
 * person's may be under way to it.
 */
export function useSend(conversationId: string | undefined, activity: Activity | undefined, model?: string, begins?: BeginningChat): Send {
  const { actions, drafts, draftExtras } = useStores()
  const open = useConnection((state) => state.link === 'open')
  const welcomed = useSettings((state) => state.settings.welcomed)
  const [waiting, setWaiting] = useState(false)
  const draftId = conversationId ?? ''

  const sendNow = useCallback(
    async (text: string, extras: DraftExtras): Promise<void> => {
      setWaiting(false)
      const outcome = await actions.attempt('chat.send', {
        text,
        ...(conversationId === undefined ? { model, ...beginningOf(begins) } : { conversationId }),
        ...(extras.attachments.length > 0 && { attachments: extras.attachments }),
        ...(extras.prompt && { prompt: extras.prompt }),
      })
      if (!outcome.ok) {
        // Whatever happened, the words are still in the composer.
        if (drafts.read(draftId) === '') drafts.set(draftId, text)
        return actions.sayFailure(outcome.error)
      }
      if (drafts.read(draftId) === text) drafts.set(draftId, '')
      if (extras !== noExtras && draftExtras.read(draftId) === extras) draftExtras.change(draftId, () => noExtras)
      begins?.forget()
      if (!welcomed) actions.set({ welcomed: true })
      if (conversationId === undefined) navigate({ page: 'chat', id: outcome.value.conversationId })
    },
    [actions, conversationId, draftId, drafts, draftExtras, begins, model, welcomed],
  )

  const send = useCallback(
    (given?: string) => {
      const text = given ?? drafts.read(draftId)
      // What is offered to be tried goes as it is, without what somebody has begun.
      const extras = given === undefined ? draftExtras.read(draftId) : noExtras
      if (text.trim() === '' && !hasExtras(extras)) return
      if (open) void sendNow(text, extras)
      else {
        if (given !== undefined) drafts.set(draftId, given)
        setWaiting(true)
      }
    },
    [drafts, draftExtras, draftId, open, sendNow],
  )

  const kind = activity?.kind
  useEffect(() => {
    if (!waiting || !open) return
    const text = drafts.read(draftId)
    const extras = draftExtras.read(draftId)
    const empty = text.trim() === '' && !hasExtras(extras)
    // A turn that failed or was cut off is the person's to look at first.
    if (empty || kind === 'failed' || kind === 'interrupted' || kind === 'paused') setWaiting(false)
    else void sendNow(text, extras)
  }, [waiting, open, kind, drafts, draftExtras, draftId, sendNow])

  return { waiting, send, dontSend: () => setWaiting(false) }
}

const beginningOf = (begins: BeginningChat | undefined) => {
  const { folderId, choice: { consentMode, tools } = {} } = begins ?? {}
  return { ...(folderId !== undefined && { folderId }), ...(consentMode && { consentMode }), ...(tools && { tools }) }
}
