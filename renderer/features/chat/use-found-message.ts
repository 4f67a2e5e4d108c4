// The message that the address names, for who comes from a search: shown in the midst of the page, and marked. One that is
// not among those shown stands before them, or lies on another branch, which is shown then.
import { useEffect, useRef } from 'react'
import { useRoute } from '#renderer/router.ts'
import { focusCall, focusSoon } from '#renderer/shell/focus.ts'
import { useActions, useStores, useTranscripts } from '#renderer/stores/react.tsx'

/** `ids`: of the messages that are shown; none while they are being read. Undefined: none of them is meant. */
export function useFoundMessage(conversationId: string, ids: readonly string[]): string | undefined {
  const route = useRoute()
  const actions = useActions()
  const { transcripts } = useStores()
  const asked = useRef<string | undefined>(undefined)
  const at = route.page === 'chat' && route.id === conversationId ? route.at : undefined
  const call = route.page === 'chat' ? route.call : undefined
  const there = at !== undefined && ids.includes(at)
  const earlier = useTranscripts((state) => {
    const transcript = state.byConversation[conversationId]
    return transcript?.kind === 'ready' && transcript.earlier > 0
  })
  const missing = at !== undefined && ids.length > 0 && !there
  const elsewhere = missing && !earlier
  useEffect(() => {
    if (missing && earlier) transcripts.wantWhole(conversationId)
  }, [missing, earlier, transcripts, conversationId])
  useEffect(() => {
    if (!elsewhere || asked.current === at) return
    asked.current = at
    actions.go('message.show', { conversationId, messageId: at })
  }, [elsewhere, at, conversationId, actions])
  useEffect(() => {
    if (there && call !== undefined) focusSoon(() => focusCall(call))
  }, [there, call])
  return there ? at : undefined
}
