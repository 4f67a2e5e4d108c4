// Quick entry: a question from anywhere, answered below it. The desktop app shows this page in a small window, which is as high as the
// page; links leave it for the main window. It decides no request: what waits is reviewed in the whole app.

import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { hasExtras } from '#app/chat/drafts.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { useScrolls } from '#renderer/features/consent/request/use-seen.ts'
import { composerId, focusComposer } from '#renderer/navigation/focus.ts'
import { useSendKey } from '#renderer/navigation/shortcuts.ts'
import { navigate } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import {
  useActions,
  useConnection,
  useConsent,
  useConversation,
  useConversations,
  useDraft,
  useDraftExtras,
  useModels,
  useSettings,
  useShallow,
  useStores,
  useTranscript,
  useWaiting,
} from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { TextBox } from '#renderer/ui/field.tsx'
import { Dot, Icon } from '#renderer/ui/icon.tsx'
import { insertText } from '#renderer/ui/lib/insert-text.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { listen } from '#renderer/ui/lib/listen.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Menu, MenuRadio } from '#renderer/ui/menu.tsx'
import { DraftExtrasView } from '../chat/attachments/attachment-views.tsx'
import { AttachButton, classifyPaste, DropTarget } from '../chat/attachments/drop-target.tsx'
import { useAttaching } from '../chat/attachments/use-attaching.ts'
import { SendButtons, useSend } from '../chat/composer/composer.tsx'
import { MessageList } from '../chat/message-list.tsx'
import { MessageMenus } from '../chat/messages/message-menus.tsx'
import { useChatSeen, useEndAnnounced } from '../chat/open-chat.tsx'
import { canChat, ModelPicker } from '../chat/settings/model-picker.tsx'
import { useBeginningChat } from '../chat/settings/new-chat-choices.ts'
import { TurnBar } from '../chat/transcript-view.tsx'
import './quick-entry.css'

/** The one draft of this window, whichever chat it goes to. */
const draftId = ''
const toChat = (id: string): void => navigate({ page: 'quick', id }, { replace: true })

export function QuickEntryPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversation(id, (one) => one)
  const actions = useActions()
  const electron = useConnection((state) => state.about?.shell.kind === 'electron')
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['page'] = 'quick'
    return () => {
      delete dataset['page']
    }
  }, [])
  const hide = useEffectEvent(() => {
    if (electron) void actions.attempt('app.hideQuickEntry', {})
  })
  useEffect(
    () =>
      listen(window, {
        focus: () => focusComposer(),
        keydown(event: KeyboardEvent) {
          if (event.key === 'Escape' && !event.defaultPrevented && !isTyping(event)) hide()
        },
      }),
    [],
  )
  return (
    <main className="quick">
      <h1 className="sr">{t`Quick entry`}</h1>
      <Question conversation={conversation} />
      {conversation && <Answer conversation={conversation} />}
      <NoModel />
      <Waiting />
    </main>
  )
}

/** Chat that changed last, which Shift+Enter goes on with. */
const useLastChat = (): Conversation | undefined =>
  useConversations(({ list }) =>
    list.reduce<Conversation | undefined>(
      (last, one) => (one.archivedAt === undefined && (!last || one.updatedAt > last.updatedAt) ? one : last),
      undefined,
    ),
  )

function Question({ conversation }: { readonly conversation: Conversation | undefined }) {
  const { drafts } = useStores()
  const text = useDraft(draftId)
  const extras = useDraftExtras(draftId)
  const attaching = useAttaching(draftId)
  const field = useRef<HTMLTextAreaElement>(null)
  const begins = useBeginningChat()
  const standard = useSettings((state) => state.settings.defaultModel)
  const last = useLastChat()
  const model = conversation?.model ?? begins.choice.model ?? standard
  const place = { draftId, onSent: toChat }
  const { send } = useSend(conversation?.id, conversation?.activity, model, begins, place)
  const { send: sendToLast } = useSend(last?.id, last?.activity, undefined, undefined, place)
  const canSend = (text.trim() !== '' || hasExtras(extras)) && attaching.pending.length === 0
  const sendNow = (): void => {
    if (canSend) send()
  }
  const onSendKey = useSendKey(sendNow)
  const canContinue = !conversation && last !== undefined
  return (
    <>
      <DropTarget onFiles={attaching.addFiles} />
      <div className="quick-question">
        <Icon name="assent" />
        <TextBox
          field={field}
          id={composerId}
          aria-label={t`Message`}
          spellCheck
          rows={1}
          placeholder={t`Write a message`}
          value={text}
          autoFocus
          onChange={(event) => drafts.set(draftId, event.target.value)}
          onPaste={(event) => {
            const pasted = classifyPaste(event.clipboardData)
            if (pasted.kind !== 'files') return
            event.preventDefault()
            void attaching.addFiles(pasted.files)
          }}
          onKeyDown={(event) => {
            if (isTyping(event)) return
            if (event.key === 'Enter' && event.shiftKey && canContinue) {
              event.preventDefault()
              if (canSend) sendToLast()
            } else onSendKey(event)
          }}
        />
        <PasteButton field={field} />
      </div>
      <DraftExtrasView draftId={draftId} model={model} attaching={attaching} />
      <div className="quick-tools">
        <AttachButton onFiles={attaching.addFiles} />
        <ModelPicker conversationId={conversation?.id} model={model} begins={conversation ? undefined : begins} />
        <ChatPick conversation={conversation} />
        <span className="grow" />
        {canContinue && (
          <span className="help wide-only cut">
            <kbd>⇧⏎</kbd> {t`Continue`} “{last.title}”
          </span>
        )}
        <SendButtons conversationId={conversation?.id} busy={isBusy(conversation?.activity)} canSend={canSend} onSend={sendNow} />
      </div>
    </>
  )
}

/**
 * Reads the clipboard, by this press alone: the app pastes, as its keys do; a browser asks the person. Where that is refused, the field has
 * the focus for a paste by hand.
 */
function PasteButton({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const { attempt } = useActions()
  const electron = useConnection((state) => state.about?.shell.kind === 'electron')
  const paste = async (): Promise<void> => {
    focusComposer()
    if (electron) return void (await attempt('app.pasteQuickEntry', {}))
    const text = await navigator.clipboard.readText().catch(() => '')
    if (field.current && text !== '') insertText(field.current, text)
  }
  return (
    <SmallGhostButton icon="plus" onClick={() => void paste()}>
      {t`Paste`}
    </SmallGhostButton>
  )
}

/** Most chats that can be gone on with. */
const mostChats = 6

function ChatPick({ conversation }: { readonly conversation: Conversation | undefined }) {
  const recent = useConversations(
    useShallow(({ list }) =>
      list
        .filter(({ archivedAt, id }) => archivedAt === undefined || id === conversation?.id)
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, mostChats),
    ),
  )
  const trigger = (
    <button type="button" className="pick" title={t`Chat`}>
      <Icon name="chat" small />
      <span className="cut">{conversation?.title ?? t`New chat`}</span>
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <Menu trigger={trigger} backTo={() => document.getElementById(composerId)}>
      <MenuRadio
        label={t`Chat`}
        value={conversation?.id ?? ''}
        onChange={(id) => navigate({ page: 'quick', ...(id !== '' && { id }) }, { replace: true })}
        choices={[{ value: '', label: t`New chat` }, ...recent.map(({ id, title }) => ({ value: id, label: title }))]}
      />
    </Menu>
  )
}

/** The latest question’s answer. */
function Answer({ conversation }: { readonly conversation: Conversation }) {
  const { id, activity } = conversation
  const { transcripts } = useStores()
  const box = useRef<HTMLDivElement | null>(null)
  const scrolls = useScrolls(box)
  useEffect(() => transcripts.open(id), [transcripts, id])
  useChatSeen(conversation)
  useEndAnnounced(activity)
  const ids = useTranscript(
    id,
    useShallow(({ ids: all, messages }) => all.slice(all.findLastIndex((one) => messages[one]?.role === 'user') + 1)),
  )
  return (
    <section className="quick-answer" aria-label={t`Answer`}>
      <div className="quick-scroll" ref={box} tabIndex={scrolls ? 0 : undefined}>
        <MessageMenus conversationId={id}>
          <MessageList conversationId={id} ids={ids ?? []} box={box} found={undefined} sought={undefined} />
        </MessageMenus>
        <TurnBar id={id} activity={activity} last={ids?.at(-1)} />
      </div>
      <Line>
        <span className="grow" />
        <SmallLink to={{ page: 'chat', id }}>{t`Open chat`}</SmallLink>
      </Line>
    </section>
  )
}

const Line = ({ className = '', children }: { readonly className?: string; readonly children: ReactNode }) => (
  <p className={`quick-line ${className}`}>{children}</p>
)

/** Says that no model is there yet; the start page’s first step connects one. */
function NoModel() {
  const none = useModels((state) => !state.models.some((one) => one.ai && canChat(one)))
  const welcomed = useSettings((state) => state.settings.welcomed)
  if (!none) return null
  return (
    <Line>
      <Icon name="model" small />
      <span className="grow">{t`No models yet.`}</span>
      <SmallLink to={welcomed ? { page: 'settings', tab: 'models' } : { page: 'chat' }}>{t`Connect`}</SmallLink>
    </Line>
  )
}

function Waiting() {
  const count = useWaiting()
  const chats = useConsent((state) => new Set(state.requests.map((one) => one.conversationId ?? '')).size)
  if (count === 0) return null
  return (
    <Line className="waits">
      <Dot tone="you" />
      <span className="grow">
        {tx`${<b>{formatNumber(count)}</b>} waiting`}
        {chats > 1 && <span className="faint"> · {t`${chats} {chat|chats}`}</span>}
      </span>
      <SmallLink variant="ghost" to={{ page: 'requests' }}>{t`Review in Assent`}</SmallLink>
    </Line>
  )
}
