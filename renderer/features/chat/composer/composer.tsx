// The composer: the text of a message with its attachments, the pickers of the chat, and sending. Enter sends, Shift+Enter breaks
// the line; during IME composition Enter belongs to the input method. A message that cannot be sent yet waits visibly.

import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ConversationActivity } from '#app/chat/conversation.ts'
import { type DraftExtras, hasExtras, noExtras } from '#app/chat/drafts.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { composerId, focusComposer } from '#renderer/navigation/focus.ts'
import { useSendKey } from '#renderer/navigation/shortcuts.ts'
import { navigate } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useActions, useConnection, useDraft, useDraftExtras, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { TextBox } from '#renderer/ui/field.tsx'
import { Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { insertText } from '#renderer/ui/lib/insert-text.ts'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { HighlightMatch, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { DraftExtrasView } from '../attachments/attachment-views.tsx'
import { AttachButton, classifyPaste, DropTarget } from '../attachments/drop-target.tsx'
import { type Attaching, useAttaching } from '../attachments/use-attaching.ts'
import { AssistantPick } from '../settings/assistants.tsx'
import { ModePicker } from '../settings/mode-picker.tsx'
import { ModelPicker } from '../settings/model-picker.tsx'
import type { BeginningChat } from '../settings/new-chat-choices.ts'
import { ToolPick } from '../tools/tool-picker.tsx'
import { type MentionMenu, type MentionOption, useMentionChoice, useMentionMenu } from './mention-rows.tsx'

const mentionListId = 'mentions'
const mentionId = (index: number): string => `mention-${index}`
const icons = { resource: 'file', template: 'edit', prompt: 'text', saved: 'chat' } as const

/** List of mentions above the composer. The focus stays in the text, which names the active option. The texts come from servers. */
function MentionList({ menu, onChoose }: { readonly menu: MentionMenu; readonly onChoose: (mention: MentionOption) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const { trigger, found, active } = menu
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls for another active option
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [active])
  if (!trigger || !found) return null
  const { options } = menu
  const { offers, unknown } = found
  const isPrompt = trigger.kind === 'prompt'
  return (
    <div className="mention-menu">
      <div ref={list} id={mentionListId} className="mention-list" role="listbox" aria-label={isPrompt ? t`Prompts` : t`Resources`}>
        {options.map((mention, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the focus and handles the keys
          <div
            key={keyOf(mention)}
            id={mentionId(index)}
            className="mention"
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => menu.setActive(index)}
            onClick={() => onChoose(mention)}
          >
            <Icon name={icons[mention.kind]} small />
            <span className="mention-name">
              <HighlightMatch text={isPrompt ? `/${nameOf(mention)}` : nameOf(mention)} query={trigger.query} />
            </span>
            <VisibleText className="mention-about" text={aboutOf(mention)} />
            {mention.kind === 'saved' ? (
              <span className="faint saved">{t`Saved`}</span>
            ) : (
              <>
                <ServerMark name={mention.server} />
                <VisibleText className="faint" text={mention.server} />
              </>
            )}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="help mention-note">{tx`Nothing found.`}</p>}
      {found.found > offers.length && <p className="help mention-note">{t`${offers.length} of ${formatNumber(found.found)}`}</p>}
      {unknown.slice(0, 3).map((server) => (
        <UnlistedServer key={server} name={server} />
      ))}
    </div>
  )
}

/** Server whose offers are not known: it has not run, or did not start. */
function UnlistedServer({ name }: { readonly name: string }) {
  const { go } = useActions()
  const failed = useServers((state) => state.list.some((one) => one.name === name && one.state.kind === 'failed'))
  return (
    <p className="row help mention-note">
      <span className="grow">
        {failed ? tx`${<ServerName name={name} />} did not start.` : tx`${<ServerName name={name} />} has not run yet.`}
      </span>
      <SmallButton onMouseDown={(event) => event.preventDefault()} onClick={() => go('server.start', { name })}>
        {failed ? t`Try again` : t`Start`}
      </SmallButton>
    </p>
  )
}

const nameOf = (mention: MentionOption): string => (mention.kind === 'saved' ? mention.prompt.name : mention.name)
const keyOf = (mention: MentionOption): string =>
  mention.kind === 'saved'
    ? `saved ${mention.prompt.id}`
    : `${mention.server} ${mention.kind} ${mention.kind === 'resource' ? mention.uri : mention.name}`
const aboutOf = (mention: MentionOption): string =>
  mention.kind === 'saved'
    ? (mention.prompt.text.trim().split('\n', 1)[0] ?? '').slice(0, 200)
    : (mention.title ?? mention.description ?? (mention.kind === 'resource' ? mention.uri : ''))

type Send = ReturnType<typeof useSend>

interface SendPlace {
  /** Draft that is sent; default: that of the chat. */
  readonly draftId?: string
  /** Default: a new chat is shown. */
  readonly onSent?: (conversationId: string) => void
}

const toChat = (id: string): void => navigate({ page: 'chat', id })

/**
 * Sends from the composer. A message to a working model joins its turn. Without a host it waits and goes by itself later; the draft
 * stays until the host has it. `model`, `begins`: for a new chat; an open chat has its own at the host.
 */
export function useSend(
  conversationId: string | undefined,
  activity: ConversationActivity | undefined,
  model?: string,
  begins?: BeginningChat,
  { draftId = conversationId ?? '', onSent = conversationId === undefined ? toChat : undefined }: SendPlace = {},
) {
  const { actions, drafts, draftExtras } = useStores()
  const open = useConnection(({ status }) => status === 'open')
  const [waiting, setWaiting] = useState(false)

  const sendNow = async (text: string, extras: DraftExtras): Promise<void> => {
    setWaiting(false)
    const outcome = await actions.attempt('chat.send', {
      text,
      ...(conversationId === undefined ? { model, ...beginningOf(begins) } : { conversationId }),
      ...(extras.attachments.length > 0 && { attachments: extras.attachments }),
      ...(extras.prompt && { prompt: extras.prompt }),
      ...(extras.servers && { servers: extras.servers }),
    })
    if (!outcome.ok) {
      if (drafts.read(draftId) === '') drafts.set(draftId, text)
      return actions.sayFailure(outcome.error)
    }
    if (drafts.read(draftId) === text) drafts.set(draftId, '')
    if (extras !== noExtras && draftExtras.read(draftId) === extras) draftExtras.change(draftId, () => noExtras)
    begins?.forget()
    onSent?.(outcome.value.conversationId)
  }

  const send = (given?: string): void => {
    const text = given ?? drafts.read(draftId)
    // A given example goes without the attachments of a draft.
    const extras = given === undefined ? draftExtras.read(draftId) : noExtras
    if (text.trim() === '' && !hasExtras(extras)) return
    if (open) void sendNow(text, extras)
    else {
      if (given !== undefined) drafts.set(draftId, given)
      setWaiting(true)
    }
  }

  const sendWaiting = useEffectEvent((kind: ConversationActivity['kind'] | undefined) => {
    const text = drafts.read(draftId)
    const extras = draftExtras.read(draftId)
    const empty = text.trim() === '' && !hasExtras(extras)
    // The person looks at a turn that stopped first.
    if (empty || kind === 'failed' || kind === 'interrupted' || kind === 'paused') setWaiting(false)
    else void sendNow(text, extras)
  })
  const kind = activity?.kind
  useEffect(() => {
    if (waiting && open) sendWaiting(kind)
  }, [waiting, open, kind])

  return { waiting, send, dontSend: () => setWaiting(false) }
}

const beginningOf = (begins: BeginningChat | undefined) =>
  defined({
    folderId: begins?.folderId,
    assistantId: begins?.choice.assistantId,
    second: begins?.choice.second,
    consentMode: begins?.choice.consentMode,
    // With an assistant the host would switch off what the person switched on.
    tools: begins?.choice.tools ?? (begins?.choice.assistantId === undefined ? undefined : { servers: [], tools: {} }),
  })

/** Sends once all attachments are read. `stayed`: one of them failed meanwhile, so the message was not sent. */
function useSendWhenRead({ send }: Send, { pending, missed }: Pick<Attaching, 'pending' | 'missed'>): Send & { readonly stayed: boolean } {
  /** Value of `missed` when the message began to wait. */
  const [since, setSince] = useState<number | undefined>(undefined)
  const isReading = pending.length > 0
  const waiting = since === missed
  const sendRead = useEffectEvent(() => {
    setSince(undefined)
    send()
  })
  useEffect(() => {
    if (waiting && !isReading) sendRead()
  }, [waiting, isReading])
  return {
    waiting,
    stayed: since !== undefined && !waiting,
    send() {
      setSince(isReading ? missed : undefined)
      if (!isReading) send()
    },
    dontSend: () => setSince(undefined),
  }
}

interface ComposerProps {
  readonly conversationId?: string | undefined
  readonly activity?: ConversationActivity | undefined
  readonly model: string
  readonly begins?: BeginningChat
  readonly send: Send
  readonly placeholder: string
  /** Dock of what waits for the chat, joined to the composer. */
  readonly dock?: ReactNode
  /** Line below the box. */
  readonly hints?: ReactNode
}

export function Composer({ conversationId, activity, model, begins, send, placeholder, dock, hints }: ComposerProps) {
  const { drafts } = useStores()
  const draftId = conversationId ?? ''
  const text = useDraft(draftId)
  const extras = useDraftExtras(draftId)
  const attaching = useAttaching(draftId)
  const field = useRef<HTMLTextAreaElement>(null)
  /** Set during IME composition, when nothing is offered. */
  const composing = useRef<boolean>(false)
  const mentions = useMentionChoice(draftId, field, attaching)
  const menu = useMentionMenu(field, mentions.choose)
  const listed = menu.found !== undefined && menu.options.length > 0
  const canSend = text.trim() !== '' || hasExtras(extras) || attaching.pending.length > 0
  const whenRead = useSendWhenRead(send, attaching)
  const sendNow = (): void => {
    if (canSend) whenRead.send()
  }
  const onSendKey = useSendKey(sendNow)

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = classifyPaste(event.clipboardData)
    if (pasted.kind === 'text') return
    event.preventDefault()
    if (pasted.kind === 'files') void attaching.addFiles(pasted.files)
    if (pasted.kind === 'long-text') void attaching.addText(pasted.text, () => field.current && insertText(field.current, pasted.text))
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isTyping(event) && !menu.onKey(event)) onSendKey(event)
  }

  return (
    <div className="compose">
      <DropTarget onFiles={attaching.addFiles} />
      {mentions.dialog}
      <MentionList
        menu={menu}
        onChoose={(mention) => {
          menu.close()
          if (menu.trigger) mentions.choose(mention, menu.trigger)
        }}
      />
      {dock}
      <div className="composer">
        <DraftExtrasView draftId={draftId} model={model} attaching={attaching} />
        <TextBox
          field={field}
          id={composerId}
          aria-label={t`Message`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={listed ? mentionListId : undefined}
          aria-activedescendant={listed ? mentionId(menu.active) : undefined}
          spellCheck
          rows={1}
          placeholder={placeholder}
          value={text}
          autoFocus
          onChange={(event) => {
            send.dontSend()
            whenRead.dontSend()
            drafts.set(draftId, event.target.value)
            if (!composing.current) menu.update()
          }}
          onKeyDown={onKeyDown}
          onSelect={() => !composing.current && menu.update()}
          onCompositionStart={() => {
            composing.current = true
          }}
          onCompositionEnd={() => {
            composing.current = false
            menu.update()
          }}
          onBlur={menu.close}
          onPaste={onPaste}
        />
        {whenRead.waiting && <WaitLine onDontSend={whenRead.dontSend}>{t`Sent when the attachments are read.`}</WaitLine>}
        {whenRead.stayed && <p className="row help warntext" role="status">{t`Not sent: an attachment failed.`}</p>}
        {send.waiting && <WaitLine onDontSend={send.dontSend}>{t`Sent when the connection is back.`}</WaitLine>}
        <div className="tools">
          <AttachButton onFiles={attaching.addFiles} />
          {begins && <AssistantPick begins={begins} />}
          <ModelPicker conversationId={conversationId} model={model} begins={begins} />
          <ModePicker conversationId={conversationId} begins={begins} />
          {/* The last one: it appears once servers have listed their tools, and must not move a button under the pointer. */}
          <ToolPick conversationId={conversationId} model={model} begins={begins} />
          <SendButtons conversationId={conversationId} busy={isBusy(activity)} canSend={canSend} onSend={sendNow} />
        </div>
      </div>
      {hints}
    </div>
  )
}

interface SendButtonsProps {
  readonly conversationId: string | undefined
  readonly busy: boolean
  readonly canSend: boolean
  readonly onSend: () => void
}

export function SendButtons({ conversationId, busy, canSend, onSend }: SendButtonsProps) {
  const { stop } = useActions()
  return (
    <>
      {busy && conversationId !== undefined && (
        <button
          type="button"
          className="send stop"
          aria-label={t`Stop the answer`}
          title={t`Stop`}
          onClick={() => {
            stop(conversationId)
            // The button disappears with the focus in it.
            focusComposer()
          }}
        >
          <Icon name="stop" />
        </button>
      )}
      {(!busy || canSend) && (
        <button
          type="button"
          className={canSend ? 'send go' : 'send'}
          aria-label={busy ? t`Send at the next step` : t`Send`}
          title={busy ? t`Send at the next step` : t`Send`}
          aria-disabled={!canSend}
          onClick={onSend}
        >
          <Icon name="send" />
        </button>
      )}
    </>
  )
}

function WaitLine({ onDontSend, children }: { readonly onDontSend: () => void; readonly children: string }) {
  return (
    <p className="row help" role="status">
      <Icon name="clock" small />
      {children}
      <SmallGhostButton onClick={onDontSend}>{t`Don’t send`}</SmallGhostButton>
    </p>
  )
}
