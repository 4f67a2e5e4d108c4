// Actions of the person on messages, with their toasts and announcements. The host changes the chat.
import type { KeyboardEvent } from 'react'
import { editKey } from '#app/chat/drafts.ts'
import { quoteMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import { findComposer, focusComposer, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useConversation, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import { announce, showToast } from '#renderer/stores/view-state.ts'

/** Whether a turn of the conversation runs or waits for the person. */
export const useBusy = (conversationId: string): boolean => useConversation(conversationId, ({ activity }) => isBusy(activity)) ?? false

/** Returns a function for event handlers that reads the current transcript. */
export function useReadTranscript(conversationId: string): () => ReadyTranscript | undefined {
  const { transcripts } = useStores()
  return () => transcripts.ready(conversationId)
}

/** Focuses the composer after a closing menu has given the focus back to its button. */
const toComposer = (then = (): void => {}): void =>
  focusSoon(() => {
    const focused = document.querySelector('[role="menu"]') === null && focusComposer()
    if (focused) then()
    return focused
  })

type MessageContext = Pick<Stores, 'actions' | 'conversations' | 'drafts' | 'view'>

/** Wait for the end of an answer in milliseconds; after it the host refuses the edit. */
const END_MS = 5000

/** Stops the answer that is being written, if there is one, and resolves once it has ended. */
async function stopAnswer({ actions, conversations }: MessageContext, id: string): Promise<void> {
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

export function messageActions(stores: MessageContext, conversationId: string) {
  const { actions, drafts, view } = stores
  const restore = (ids: string[]): void => actions.go('message.restore', { conversationId, ids })
  return {
    /** Replaces a message; false (with a toast): refused, the text is kept. */
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
    quote(text: string): void {
      const begun = drafts.read(conversationId).trimEnd()
      drafts.set(conversationId, `${begun === '' ? '' : `${begun}\n\n`}${quoteMarkdown(text)}\n\n`)
      toComposer(() => {
        const composer = findComposer()
        if (composer instanceof HTMLTextAreaElement) composer.setSelectionRange(composer.value.length, composer.value.length)
      })
    },
  }
}

/** Whether the key sends: Enter alone. Command or Control with Enter allows a request, and must not send by accident. */
export const isSendKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.repeat && !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
