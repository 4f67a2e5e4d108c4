// The message that the address names, for who comes from a search: shown in the midst of the page, and marked.
import { useEffect } from 'react'
import { useRoute } from '#renderer/router.ts'
import { focusCall, focusSoon } from '#renderer/shell/focus.ts'

/** `ids`: of the messages that are shown. Undefined: none of them is meant. */
export function useFoundMessage(conversationId: string, ids: readonly string[]): string | undefined {
  const route = useRoute()
  const at = route.page === 'chat' && route.id === conversationId ? route.at : undefined
  const call = route.page === 'chat' ? route.call : undefined
  const there = at !== undefined && ids.includes(at)
  useEffect(() => {
    if (there && call !== undefined) focusSoon(() => focusCall(call))
  }, [there, call])
  return there ? at : undefined
}
