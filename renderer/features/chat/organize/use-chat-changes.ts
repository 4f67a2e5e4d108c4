// Changes of one or many chats, each with a toast that can undo it as a whole.
import { useMemo } from 'react'
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

export const chatCount = (count: number): string => t`${formatNumber(count)} {chat|chats}`

/** Text of the toast; undefined: the change is visible by itself. */
function chatChangeLabel(change: ChatChange, count: number, folderName: string | undefined): string | undefined {
  const chats = count === 1 ? t`Chat` : chatCount(count)
  switch (change.kind) {
    case 'archive':
      return t`${chats} archived.`
    case 'unarchive':
      return t`${chats} unarchived.`
    case 'delete':
      return t`${chats} deleted.`
    case 'restore':
      return t`${chats} restored.`
    case 'move':
      return change.folderId === null ? t`${chats} removed from the folder.` : t`${chats} moved to “${folderName ?? ''}”.`
    case 'pin':
    case 'unpin':
      return undefined
  }
}

export function useChatChanges() {
  const { actions, conversations } = useStores()
  return useMemo(() => {
    const undo = (id: string): void => actions.go('conversation.undo', { undo: id })

    /** Resolves to the number of changed chats; undefined (with a toast): failed. */
    async function changeAll(choice: ChatChoice, change: ChatChange): Promise<number | undefined> {
      const done = await actions.ask('conversation.change', { choice, change })
      if (!done) return undefined
      const target = change.kind === 'move' ? change.folderId : null
      const name = conversations.getState().folders.find(({ id }) => id === target)?.name
      const label = chatChangeLabel(change, done.changed, name)
      const undoId = done.undo
      if (label !== undefined && undoId !== null) actions.toast(label, { action: { label: t`Undo`, run: () => undo(undoId) } })
      return done.changed
    }
    return {
      changeAll,
      /** Changes chats; where the open chat is deleted, a new one takes its place. */
      async change(ids: readonly string[], change: ChatChange): Promise<void> {
        const done = await changeAll({ kind: 'these', ids: [...ids] }, change)
        const route = parseRoute(window.location.hash)
        if (done && change.kind === 'delete' && route.page === 'chat' && route.id !== undefined && ids.includes(route.id))
          navigate({ page: 'chat' })
      },
      async removeFolder(id: string, name: string): Promise<void> {
        const done = await actions.ask('chatFolder.remove', { id })
        if (done) actions.toast(t`Folder “${name}” deleted. Its chats stay.`, { action: { label: t`Undo`, run: () => undo(done.undo) } })
      },
    }
  }, [actions, conversations])
}
export type ChatChanges = ReturnType<typeof useChatChanges>
