// What a person does to a message, with what they are told of it. What became of the chat is the host's to say.
import type { ConversationActivity } from '#app/chat/conversation.ts'
import { editKey } from '#app/chat/drafts.ts'
import { quoteMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import { composerId, focusComposer, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useConversations, useStores, useTranscripts } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import { announce, showToast } from '#renderer/stores/view-state.ts'

/** An answer is being written, or waits for the person in the midst of it. */
const isBusy = (activity: ConversationActivity | undefined): boolean => activity?.kind === 'working' || activity?.kind === 'waiting'

export const useBusy = (conversationId: string): boolean =>
  useConversations((state) => isBusy(state.list.find(({ id }) => id === conversationId)?.activity))

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

/** A menu that closes gives focus back to its button: first that, then this. */
const toComposer = (then = (): void => {}): void =>
  focusSoon(() => {
    const focused = document.querySelector('[role="menu"]') === null && focusComposer()
    if (focused) then()
    return focused
  })

type Parts = Pick<Stores, 'actions' | 'conversations' | 'drafts' | 'view'>

/** An answer that does not end by then is told by the host, which refuses. */
const END_MS = 5000

/** Stops the answer that is being written, if there is one, and resolves once it has ended. */
async function stopAnswer({ actions, conversations }: Parts, id: string): Promise<void> {
  const isOver = (): boolean => !isBusy(conversations.getState().list.find((one) => one.id === id)?.activity)
  if (isOver()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopListening = conversations.subscribe(() => isOver() && resolve())
  const timer = setTimeout(resolve, END_MS)
  actions.stop(id)
  await promise
  stopListening()
  clearTimeout(timer)
}

export function messageActions(stores: Parts, conversationId: string) {
  const { actions, drafts, view } = stores
  const restore = (ids: string[]): void => actions.go('message.restore', { conversationId, ids })
  return {
    /** False: it was not taken, which is said; the words are kept. */
    async edit(messageId: string, text: string): Promise<boolean> {
      await stopAnswer(stores, conversationId)
      if (!(await actions.ask('message.edit', { conversationId, messageId, text }))) return false
      drafts.set(editKey(messageId), '')
      toComposer()
      return true
    },
    async answerAgain(messageId: string, model?: string): Promise<void> {
      if (!(await actions.ask('message.regenerate', { conversationId, messageId, ...(model === undefined ? {} : { model }) }))) return
      toComposer()
    },
    async remove(messageId: string, role: 'user' | 'assistant'): Promise<void> {
      const done = await actions.ask('message.delete', { conversationId, messageId })
      if (!done) return
      const what = role === 'assistant' ? t`Answer deleted.` : done.ids.length > 1 ? t`Question and answer deleted.` : t`Message deleted.`
      showToast(view, what, { action: { label: t`Undo`, run: () => restore(done.ids) } })
      toComposer()
    },
    restore,
    async fork(messageId: string): Promise<void> {
      const done = await actions.ask('message.fork', { conversationId, messageId })
      if (!done) return
      navigate({ page: 'chat', id: done.conversationId })
      announce(view, t`A new chat goes on from here.`)
    },
    async copy(text: string): Promise<void> {
      if (await actions.copy(text)) announce(view, t`Copied.`)
    },
    /** Into the composer, below what is there. */
    quote(text: string): void {
      const begun = drafts.read(conversationId).trimEnd()
      drafts.set(conversationId, `${begun === '' ? '' : `${begun}\n\n`}${quoteMarkdown(text)}\n\n`)
      toComposer(() => {
        const composer = document.getElementById(composerId)
        if (composer instanceof HTMLTextAreaElement) composer.setSelectionRange(composer.value.length, composer.value.length)
      })
    },
  }
}
