// Whether the model sees a tool in the chat that was open last, on top of what counts everywhere. Other chats say it in
// their own list of tools: of many chats a page knows only the newest.
import { isServerOff, isToolOff } from '#app/chat/tool-switches.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { useCurrentChat } from '../use-current-chat.ts'

interface InChatSwitchProps {
  readonly server: string
  readonly tool: string
}

export function InChatSwitch({ server, tool }: InChatSwitchProps) {
  const { go } = useActions()
  const chat = useCurrentChat()
  if (!chat) return null
  const { id, title, tools } = chat
  const withServer = isServerOff(tools, server)
  return (
    <Switch
      checked={!isToolOff(tools, server, tool)}
      disabled={withServer}
      label={withServer ? t`Off with “${server}” in “${title}”` : t`In “${title}” too`}
      onChange={(on) => go('conversation.switchTool', { id, server, tool, on })}
    />
  )
}
