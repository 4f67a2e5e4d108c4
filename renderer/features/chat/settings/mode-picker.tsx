// How this chat asks before tool calls. None of the choices lets everything run. The folders of one chat: servers are told of
// them in its course, in place of all others.

import { useState } from 'react'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { findComposer } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useConversations, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'
import { modeLabels, modes } from './mode-labels.ts'
import type { BeginningChat } from './new-chat-choices.ts'

const title = t`Folders of this chat`

function ChatRoots({ conversationId, onClose }: { readonly conversationId: string; readonly onClose: () => void }) {
  const roots = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.roots)
  const folders = useFolders({ kind: 'conversation', id: conversationId }, roots)
  return (
    <Dialog open onClose={onClose} title={title}>
      <p className="lede">
        {t`A server that asks in the course of this chat is told of these once you agree, and of no others. They count from the next tool call on.`}
      </p>
      <FolderList folders={folders} title={title} none={t`None of its own: those of the server, or in Settings, count.`} />
    </Dialog>
  )
}

interface ModePickerProps {
  /** Undefined: a new chat, which asks as the settings say, or its folder. */
  readonly conversationId: string | undefined
  readonly begins?: BeginningChat | undefined
}

export function ModePicker({ conversationId, begins }: ModePickerProps) {
  const { set, go } = useActions()
  const [folders, setFolders] = useState(false)
  const standard = useSettings((state) => state.settings.consentMode)
  const own = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.consentMode)
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
      {folders && conversationId !== undefined && <ChatRoots conversationId={conversationId} onClose={() => setFolders(false)} />}
      <Menu side="top" trigger={trigger} backTo={findComposer}>
        <MenuRadio
          label={t`How this chat asks`}
          value={mode}
          onChange={(value) => choose(value as ConsentMode)}
          choices={modes.map((one) => ({ value: one, label: modeLabels[one].name, help: modeLabels[one].help }))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => navigate({ page: 'record' })}>{t`See your rules`}</MenuItem>
        {conversationId !== undefined && <MenuItem onSelect={() => setFolders(true)}>{t`Folders of this chat`}</MenuItem>}
      </Menu>
    </>
  )
}
