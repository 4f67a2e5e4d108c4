import { useStores, useTranscripts } from '#renderer/stores/react.tsx'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'

/** What `select` finds in the transcript; it has to be the same value while nothing of it changed. */
export function useTranscript<T>(conversationId: string, select: (transcript: ReadyTranscript) => T): T | undefined {
  return useTranscripts((state) => {
    const transcript = state.byConversation[conversationId]
    return transcript?.kind === 'ready' ? select(transcript) : undefined
  })
}

/** For handlers: the transcript as it is when they run. */
export function useReadTranscript(conversationId: string): () => ReadyTranscript | undefined {
  const { transcripts } = useStores()
  return () => {
    const transcript = transcripts.store.getState().byConversation[conversationId]
    return transcript?.kind === 'ready' ? transcript : undefined
  }
}
