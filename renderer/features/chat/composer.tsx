// Where the person writes. Enter sends, Shift+Enter breaks the line; while an input method composes, Enter is its own.
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import type { Activity } from '#app/chat/conversation.ts'
import { hasExtras } from '#app/chat/draft-extras.ts'
import { t } from '#app/words/translate.ts'
import { composerId, focusComposer } from '#renderer/shell/focus.ts'
import { useActions, useDraft, useDraftExtras, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { insertText } from '#renderer/ui/insert-text.ts'
import { TextBox } from '#renderer/ui/text-box.tsx'
import { isTyping } from '#renderer/ui/typing.ts'
import { AttachButton } from './attachments/attach-button.tsx'
import { DraftExtrasView } from './attachments/draft-extras-view.tsx'
import { DropTarget } from './attachments/drop-target.tsx'
import { classifyPaste } from './attachments/pasted.ts'
import { useAttaching } from './attachments/use-attaching.ts'
import { useSendWhenRead } from './attachments/use-send-when-read.ts'
import { OfferList, offerId, offerListId } from './composer/offer-menu.tsx'
import { useOfferChoice } from './composer/offers.tsx'
import { useOfferMenu } from './composer/use-offer-menu.ts'
import { isSendKey } from './messages/send-key.ts'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import type { BeginningChat } from './new-choice.ts'
import { AddServerPick } from './server-pick.tsx'
import { ToolPick } from './tools/tool-pick.tsx'
import type { Send } from './use-send.ts'

interface ComposerProps {
  readonly conversationId: string | undefined
  readonly activity: Activity | undefined
  readonly model: string
  /** Of a chat that has not begun. */
  readonly begins?: BeginningChat
  readonly send: Send
  readonly placeholder: string
}

export function Composer({ conversationId, activity, model, begins, send, placeholder }: ComposerProps) {
  const actions = useActions()
  const { drafts } = useStores()
  const draftId = conversationId ?? ''
  const text = useDraft(draftId)
  const busy = activity?.kind === 'working' || activity?.kind === 'waiting'
  const extras = useDraftExtras(draftId)
  const attaching = useAttaching(draftId)
  const field = useRef<HTMLTextAreaElement>(null)
  /** While an input method composes, nothing is offered. */
  const composing = useRef<boolean>(false)
  const offers = useOfferChoice(draftId, field, attaching)
  const menu = useOfferMenu(field, offers.choose)
  const listed = menu.found !== undefined && menu.found.offers.length > 0
  const canSend = text.trim() !== '' || hasExtras(extras) || attaching.pending.length > 0
  const whenRead = useSendWhenRead(send, attaching)
  const sendNow = (): void => {
    if (canSend) whenRead.send()
  }

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = classifyPaste(event.clipboardData)
    if (pasted.kind === 'text') return
    event.preventDefault()
    if (pasted.kind === 'files') attaching.addFiles(pasted.files)
    if (pasted.kind === 'long-text') attaching.addText(pasted.text, () => field.current && insertText(field.current, pasted.text))
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isTyping(event) || menu.onKey(event) || event.key !== 'Enter') return
    if (event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isSendKey(event)) sendNow()
  }

  return (
    <div className="compose">
      <DropTarget onFiles={attaching.addFiles} />
      {offers.dialog}
      <OfferList
        menu={menu}
        onChoose={(offer) => {
          menu.close()
          if (menu.trigger) offers.choose(offer, menu.trigger)
        }}
      />
      <div className="composer">
        <DraftExtrasView draftId={draftId} model={model} attaching={attaching} />
        <TextBox
          field={field}
          id={composerId}
          aria-label={t`Message`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={listed ? offerListId : undefined}
          aria-activedescendant={listed ? offerId(menu.active) : undefined}
          spellCheck
          rows={1}
          placeholder={placeholder}
          value={text}
          autoFocus
          onChange={(event) => {
            send.dontSend()
            whenRead.dontSend()
            drafts.set(draftId, event.target.value)
            if (!composing.current) menu.look()
          }}
          onKeyDown={onKeyDown}
          onSelect={() => !composing.current && menu.look()}
          onCompositionStart={() => {
            composing.current = true
          }}
          onCompositionEnd={() => {
            composing.current = false
            menu.look()
          }}
          onBlur={menu.close}
          onPaste={onPaste}
        />
        {whenRead.waiting && <WaitLine onDontSend={whenRead.dontSend}>{t`It goes as soon as what you attach has been read.`}</WaitLine>}
        {whenRead.stayed && <p className="row help warntext" role="status">{t`Not sent yet: something of it is not attached.`}</p>}
        {send.waiting && <WaitLine onDontSend={send.dontSend}>{t`It waits, and goes when the connection is back.`}</WaitLine>}
        <div className="tools">
          <AttachButton onFiles={attaching.addFiles} />
          <ModelPicker conversationId={conversationId} model={model} begins={begins} />
          <ToolPick conversationId={conversationId} model={model} begins={begins} />
          <ModePicker conversationId={conversationId} begins={begins} />
          {conversationId === undefined && <AddServerPick />}
          {busy && conversationId !== undefined && (
            <button
              type="button"
              className="send stop"
              aria-label={t`Stop the answer`}
              title={t`Stop`}
              onClick={() => {
                actions.stop(conversationId)
                // The button goes, and with it what had focus.
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
              aria-label={busy ? t`Send: given at the next step` : t`Send`}
              title={busy ? t`Given at the next step` : t`Send`}
              aria-disabled={!canSend}
              onClick={sendNow}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function WaitLine({ onDontSend, children }: { readonly onDontSend: () => void; readonly children: string }) {
  return (
    <p className="row help" role="status">
      <Icon name="clock" small />
      {children}
      <Button size="sm" variant="ghost" onClick={onDontSend}>
        {t`Don’t send`}
      </Button>
    </p>
  )
}
