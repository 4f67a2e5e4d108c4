// Where the person writes. Enter sends, Shift+Enter breaks the line; while an input method composes, Enter is its own.
import type { ClipboardEvent, KeyboardEvent } from 'react'
import type { Activity } from '#app/chat/conversation.ts'
import { composerId } from '#renderer/shell/focus.ts'
import { useActions, useDraft, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { isSendKey, isTyping } from './messages/send-key.ts'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import { AddServerPick } from './server-pick.tsx'
import { ToolPick } from './tools/tool-pick.tsx'
import type { Send } from './use-send.ts'

interface ComposerProps {
  readonly conversationId: string | undefined
  readonly activity: Activity | undefined
  readonly model: string
  readonly send: Send
  readonly placeholder: string
}

export function Composer({ conversationId, activity, model, send, placeholder }: ComposerProps) {
  const actions = useActions()
  const { drafts } = useStores()
  const draftId = conversationId ?? ''
  const text = useDraft(draftId)
  const busy = activity?.kind === 'working' || activity?.kind === 'waiting'
  const canSend = text.trim() !== ''

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isTyping(event) || event.key !== 'Enter') return
    if (event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isSendKey(event)) send.send()
  }

  return (
    <div className="compose">
      <div className="composer">
        <textarea
          id={composerId}
          aria-label="Message"
          rows={1}
          placeholder={placeholder}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: a chat is for writing; nothing else on its page may take focus
          autoFocus
          onChange={(event) => {
            send.dontSend()
            drafts.set(draftId, event.target.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={pastePlain}
        />
        {send.waiting && <WaitLine send={send} />}
        <div className="tools">
          <ModelPicker conversationId={conversationId} model={model} />
          <ToolPick conversationId={conversationId} model={model} />
          <ModePicker conversationId={conversationId} />
          {conversationId === undefined && <AddServerPick />}
          {busy && conversationId !== undefined && (
            <button
              type="button"
              className="send stop"
              aria-label="Stop the answer"
              title="Stop"
              onClick={() => actions.stop(conversationId)}
            >
              <Icon name="stop" />
            </button>
          )}
          {(!busy || canSend) && (
            <button
              type="button"
              className={canSend ? 'send go' : 'send'}
              aria-label={busy ? 'Send: given at the next step' : 'Send'}
              title={busy ? 'Given at the next step' : 'Send'}
              aria-disabled={!canSend}
              onClick={() => send.send()}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function WaitLine({ send }: { readonly send: Send }) {
  return (
    <p className="row help" role="status">
      <Icon name="clock" small />
      It waits, and goes when the connection is back.
      <Button size="sm" variant="ghost" onClick={send.dontSend}>
        Don’t send
      </Button>
    </p>
  )
}

/** Files and rich text bring their plain text, nothing else. */
function pastePlain(event: ClipboardEvent<HTMLTextAreaElement>): void {
  if (event.clipboardData.types.includes('text/plain')) return
  event.preventDefault()
}
