// A turn waits for servers that start for the first time, until each has started, failed or been denied, or until the person says to
// answer without them. That holds for the conversation in this run of Assent, so that an unanswered start does not block every turn.
import type { Conversation } from '#app/chat/conversation.ts'
import { orAborted } from '#main/base/abort.ts'
import type { ChatContext } from '../chat-context.ts'
import { folderOf, isServerOffered } from '../tools/tool-choice.ts'
import type { TurnFrame } from '../turn-activity.ts'

export type FirstStarts = ReturnType<typeof createFirstStarts>

export function createFirstStarts({ servers, store }: Pick<ChatContext, 'servers' | 'store'>) {
  /** Servers that a conversation's turns do not wait for, by conversation. */
  const skipped = new Map<string, Set<string>>()
  /** Turns that wait, by conversation: of two answers beside each other both do. */
  const waiting = new Map<string, Set<() => void>>()
  return {
    /** @throws {HostError} when the signal aborts */
    async wait(conversation: Conversation, { signal, activity }: TurnFrame): Promise<void> {
      const { id } = conversation
      const folder = folderOf(store, conversation)
      const without = skipped.get(id) ?? new Set<string>()
      const release = new AbortController()
      let names: readonly string[] = []
      const onWithout = (): void => {
        skipped.set(id, without)
        for (const name of names) without.add(name)
        release.abort()
      }
      const all = waiting.get(id) ?? new Set()
      waiting.set(id, all.add(onWithout))
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
        all.delete(onWithout)
        if (all.size === 0) waiting.delete(id)
        activity.awaiting([])
      }
    },
    answerWithout(conversationId: string): void {
      for (const onWithout of waiting.get(conversationId) ?? []) onWithout()
    },
  }
}
