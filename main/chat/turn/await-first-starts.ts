// A turn is not answered without the tools of a server that waits for its first start: it waits until the server has started,
// has failed or was denied, or until the person says to answer without it. What they said holds for that chat in this run of
// Assent, so that no server that nobody answers for holds every turn of it.
import type { Conversation } from '#app/chat/conversation.ts'
import { orAborted } from '#main/base/abort.ts'
import type { ChatContext } from '../chat-context.ts'
import { folderOf, isServerOffered } from '../tools/tool-choice.ts'
import type { ActivityTracker } from '../turn-activity.ts'

export interface FirstStarts {
  /** Rejects when the signal aborts. */
  wait(conversation: Conversation, turn: { readonly signal: AbortSignal; readonly activity: ActivityTracker }): Promise<void>
  /** The turn of the conversation waits no longer. Nothing when it does not wait. */
  answerWithout(conversationId: string): void
}

export function createFirstStarts({ servers, store }: Pick<ChatContext, 'servers' | 'store'>): FirstStarts {
  /** By conversation: servers that its turns do without. */
  const aside = new Map<string, Set<string>>()
  const waiting = new Map<string, () => void>()
  return {
    async wait(conversation, { signal, activity }) {
      const { id } = conversation
      const folder = folderOf(store, conversation)
      const without = aside.get(id) ?? new Set<string>()
      const release = new AbortController()
      let names: readonly string[] = []
      waiting.set(id, () => {
        aside.set(id, without)
        for (const name of names) without.add(name)
        release.abort()
      })
      const listed = servers.listed({
        conversationId: id,
        signal: AbortSignal.any([signal, release.signal]),
        wanted: (name) => !without.has(name) && isServerOffered(conversation, folder, name),
        onWaiting(awaited) {
          names = awaited.map(({ name }) => name)
          activity.awaiting(awaited)
        },
      })
      try {
        await orAborted(listed, signal)
      } finally {
        waiting.delete(id)
        activity.awaiting([])
      }
    },
    answerWithout: (conversationId) => waiting.get(conversationId)?.(),
  }
}
