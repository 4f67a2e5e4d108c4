// The menus of all messages of a chat: two, each drawn once, whichever message opens it.
import { createContext, type ReactNode, use, useState } from 'react'
import { messagesMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/words/translate.ts'
import { useConversations, useModels, useStores } from '#renderer/stores/react.tsx'
import { createMenuHandle, type MenuHandle, MenuItem, MenuSeparator, SharedMenu } from '#renderer/ui/menu.tsx'
import { ModelName } from '../model-picker.tsx'
import { messageActions } from './message-actions.ts'
import { answerMessages } from './places.ts'
import { selectionInAnswer } from './selection.ts'
import { useReadTranscript } from './use-transcript.ts'

interface MenuOf {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
}

interface Handles {
  readonly more: MenuHandle<MenuOf>
  readonly again: MenuHandle<MenuOf>
}

const HandlesContext = createContext<Handles | undefined>(undefined)

export function useMessageMenus(): Handles {
  const handles = use(HandlesContext)
  if (!handles) throw new TypeError('useMessageMenus outside MessageMenus')
  return handles
}

export function MessageMenus({ conversationId, children }: { readonly conversationId: string; readonly children: ReactNode }) {
  const [handles] = useState((): Handles => ({ more: createMenuHandle(), again: createMenuHandle() }))
  return (
    <HandlesContext value={handles}>
      {children}
      <SharedMenu handle={handles.again}>{(of) => <AgainItems conversationId={conversationId} of={of} />}</SharedMenu>
      <SharedMenu handle={handles.more}>{(of) => <MoreItems conversationId={conversationId} of={of} />}</SharedMenu>
    </HandlesContext>
  )
}

interface ItemsProps {
  readonly conversationId: string
  readonly of: MenuOf
}

function AgainItems({ conversationId, of }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const current = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.model)
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const others = models.filter(({ id }) => id !== current)
  return (
    <>
      <MenuItem onSelect={() => void act.answerAgain(of.messageId)}>{t`Answer again`}</MenuItem>
      {others.length > 0 && <MenuSeparator />}
      {others.map((model) => (
        <MenuItem key={model.id} onSelect={() => void act.answerAgain(of.messageId, model.id)}>
          <span className="row">
            {t`with`} <ModelName model={model} provider={providers.find(({ id }) => id === model.provider)} />
          </span>
        </MenuItem>
      ))}
    </>
  )
}

function MoreItems({ conversationId, of }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const read = useReadTranscript(conversationId)
  const answer = (): ReturnType<typeof answerMessages> => {
    const transcript = read()
    return transcript ? answerMessages(transcript, of.messageId) : []
  }
  const hasCalls = of.role === 'assistant' && answer().some(({ parts }) => parts.some((part) => part.kind === 'tool-call'))
  const words = (): string => {
    const message = read()?.messages[of.messageId]
    if (message?.role === 'user') return message.text
    return messagesMarkdown(answer(), { calls: false })
  }
  return (
    <>
      <MenuItem onSelect={() => act.quote(selectionInAnswer()?.text ?? words())}>{t`Quote`}</MenuItem>
      <MenuItem onSelect={() => void act.copy(words())}>{t`Copy as Markdown`}</MenuItem>
      {hasCalls && (
        <MenuItem onSelect={() => void act.copy(messagesMarkdown(answer(), { calls: true }))}>{t`Copy with tool calls`}</MenuItem>
      )}
      <MenuItem onSelect={() => void act.fork(of.messageId)}>{t`Go on in a new chat`}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void act.remove(of.messageId, of.role)}>
        {of.role === 'assistant' ? t`Delete answer` : t`Delete with its answer`}
      </MenuItem>
    </>
  )
}
