// How this chat asks before tool calls. None of the choices lets everything run.
import { useState } from 'react'
import type { ConsentMode } from '#app/consent/mode.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useConversations, useSettings } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'
import { ChatFolders } from './chat-folders.tsx'
import { modes, modeWords } from './mode-words.ts'

/** Without a conversation: a new chat, which asks as the settings say. */
export function ModePicker({ conversationId }: { readonly conversationId: string | undefined }) {
  const { set, go } = useActions()
  const [folders, setFolders] = useState(false)
  const standard = useSettings((state) => state.settings.consentMode)
  const own = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.consentMode)
  const mode = conversationId === undefined ? standard : (own ?? 'rules')
  const choose = (next: ConsentMode): void =>
    conversationId === undefined ? set({ consentMode: next }) : go('conversation.setConsentMode', { id: conversationId, mode: next })
  const trigger = (
    <button type="button" className="pick" title="How this chat asks" aria-label={`How this chat asks: ${modeWords[mode].name}`}>
      <Icon name="shield" small />
      <span className="cut wide-only">{modeWords[mode].name}</span>
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <>
      {folders && conversationId !== undefined && <ChatFolders conversationId={conversationId} onClose={() => setFolders(false)} />}
      <Menu side="top" trigger={trigger}>
        <MenuRadio
          label="How this chat asks"
          value={mode}
          onChange={(value) => choose(value as ConsentMode)}
          choices={modes.map((one) => ({ value: one, label: modeWords[one].name, help: modeWords[one].help }))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => navigate({ page: 'record' })}>See your rules</MenuItem>
        {conversationId !== undefined && <MenuItem onSelect={() => setFolders(true)}>Folders of this chat</MenuItem>}
      </Menu>
    </>
  )
}
