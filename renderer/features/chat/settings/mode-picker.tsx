// Picker of the chat's mode: how it asks before tool calls. No mode lets every call run. Its menu leads to the chat's roots too.
import { useState } from 'react'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { findComposer } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useConversation, useConversations, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'
import type { PickerProps } from './new-chat-choices.ts'

export const modeLabels: Record<ConsentMode, { readonly name: string; readonly help?: string }> = {
  rules: { name: t`Ask unless a rule decides` },
  'ask-all': { name: t`Always ask` },
  'ask-writes': { name: t`Ask before changes`, help: t`Read-only tools of trusted servers run.` },
  'rules-only': { name: t`Never ask`, help: t`Deny what no rule allows.` },
}
export const modes = Object.keys(modeLabels) as readonly ConsentMode[]

/** Dialog with the roots that servers are told of in the course of this chat, in place of all others. */
function ChatRoots({ conversationId, onClose }: { readonly conversationId: string; readonly onClose: () => void }) {
  const roots = useConversation(conversationId, (conversation) => conversation.roots)
  const folders = useFolders({ kind: 'conversation', id: conversationId }, roots)
  const title = t`Shared folders`
  return (
    <Dialog onClose={onClose} title={title}>
      <p className="lede">{t`Shared with servers after you allow it.`}</p>
      <FolderList folders={folders} title={title} none={t`None. Those in Settings apply.`} />
    </Dialog>
  )
}

export function ModePicker({ conversationId, begins }: Omit<PickerProps, 'model'>) {
  const { set, go } = useActions()
  const [showsRoots, setShowsRoots] = useState(false)
  const standard = useSettings((state) => state.settings.consentMode)
  const own = useConversation(conversationId, ({ consentMode }) => consentMode)
  const folder = useConversations((state) => state.folders.find(({ id }) => id === begins?.folderId))
  const mode = conversationId === undefined ? (begins?.choice.consentMode ?? folder?.consentMode ?? standard) : (own ?? 'rules')
  const choose = (next: ConsentMode): void => {
    if (conversationId !== undefined) go('conversation.setConsentMode', { id: conversationId, mode: next })
    else if (begins?.folderId !== undefined) begins.change({ consentMode: next })
    else set({ consentMode: next })
  }
  const trigger = (
    <button type="button" className="pick" title={t`How this chat asks`} aria-label={t`How this chat asks: ${modeLabels[mode].name}`}>
      <Icon name="shield" small />
      <span className="cut wide-only">{modeLabels[mode].name}</span>
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <>
      {showsRoots && conversationId !== undefined && <ChatRoots conversationId={conversationId} onClose={() => setShowsRoots(false)} />}
      <Menu side="top" trigger={trigger} backTo={findComposer}>
        <MenuRadio
          label={t`How this chat asks`}
          value={mode}
          onChange={(value) => choose(value as ConsentMode)}
          choices={modes.map((value) => ({ value, label: modeLabels[value].name, help: modeLabels[value].help }))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => navigate({ page: 'activity', tab: 'rules' })}>{t`See your rules`}</MenuItem>
        {conversationId !== undefined && <MenuItem onSelect={() => setShowsRoots(true)}>{t`Shared folders`}</MenuItem>}
      </Menu>
    </>
  )
}
