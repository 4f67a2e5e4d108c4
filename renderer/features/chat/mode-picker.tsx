// How this chat asks before tool calls. None of the choices lets everything run.
import { useState } from 'react'
import type { ConsentMode } from '#app/consent/mode.ts'
import { t } from '#app/words/translate.ts'
import { navigate } from '#renderer/router.ts'
import { findComposer } from '#renderer/shell/focus.ts'
import { useActions, useConversations, useSettings } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'
import { ChatFolders } from './chat-folders.tsx'
import { modes, modeWords } from './mode-words.ts'
import type { BeginningChat } from './new-choice.ts'

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
    <button type="button" className="pick" title={t`How this chat asks`} aria-label={t`How this chat asks: ${modeWords[mode].name}`}>
      <Icon name="shield" small />
      <span className="cut wide-only">{modeWords[mode].name}</span>
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <>
      {folders && conversationId !== undefined && <ChatFolders conversationId={conversationId} onClose={() => setFolders(false)} />}
      <Menu side="top" trigger={trigger} backTo={findComposer}>
        <MenuRadio
          label={t`How this chat asks`}
          value={mode}
          onChange={(value) => choose(value as ConsentMode)}
          choices={modes.map((one) => ({ value: one, label: modeWords[one].name, help: modeWords[one].help }))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => navigate({ page: 'record' })}>{t`See your rules`}</MenuItem>
        {conversationId !== undefined && <MenuItem onSelect={() => setFolders(true)}>{t`Folders of this chat`}</MenuItem>}
      </Menu>
    </>
  )
}
