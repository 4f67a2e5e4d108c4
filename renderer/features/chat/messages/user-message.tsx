// A message of the person (shown, queued, edited in place), and the row of actions under questions and answers. The row shows on
// hover or focus, its versions always; the answer of a running turn has none.

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { editKey, withWordsOf } from '#app/chat/drafts.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { messagesMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { formatDollars } from '#renderer/features/usage/usage-labels.ts'
import { focusSoon, takeFocus } from '#renderer/navigation/focus.ts'
import { useSendKey } from '#renderer/navigation/shortcuts.ts'
import { useActions, useDraft, useStores, useTranscript } from '#renderer/stores/store-hooks.tsx'
import { Button, CopyButton, IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { TextBox } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { LongVisibleText, VisibleText } from '#renderer/ui/visible-text.tsx'
import { AttachmentList } from '../attachments/attachment-views.tsx'
import {
  type AnswerUsage,
  answerMessages,
  answerUsage,
  endsAnswer,
  MenuButton,
  messageActions,
  useBusy,
  useReadTranscript,
  versionShown,
  versionsOf,
} from './message-menus.tsx'
import { ReadAloudButton } from './read-aloud.tsx'

interface FootProps {
  readonly conversationId: string
  readonly messageId: string
  readonly last: boolean
}

type VersionsProps = Pick<FootProps, 'conversationId' | 'messageId'> & { readonly of: 'question' | 'answer' }

type Step = 'previous' | 'next'

/** Switches between versions, "‹ 2 / 3 ›"; none for one version. The host says which one is shown; the focus stays on the switch. */
function Versions({ conversationId, messageId, of }: VersionsProps) {
  const actions = useActions()
  const current = useTranscript(conversationId, (transcript) => versionShown(transcript, messageId))
  const versions = useTranscript(conversationId, (transcript) => (current === undefined ? undefined : versionsOf(transcript, current)))
  if (current === undefined || versions === undefined) return null
  const at = versions.indexOf(current)

  const go = async (step: Step): Promise<void> => {
    const target = versions[step === 'next' ? at + 1 : at - 1]
    if (target === undefined || !(await actions.ask('message.show', { conversationId, messageId: target }))) return
    actions.announce(t`Version ${versions.indexOf(target) + 1} of ${versions.length}`)
    const button = `[data-versions-of="${CSS.escape(target)}"] [data-step="${step}"]`
    focusSoon(() => takeFocus(document.querySelector<HTMLElement>(button)))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') void go('previous')
    else if (event.key === 'ArrowRight') void go('next')
    else return
    event.preventDefault()
  }
  const stepButton = (step: Step, label: string, isEnd: boolean) => (
    <IconButton
      small
      label={label}
      icon={step === 'next' ? 'chevron-right' : 'chevron-left'}
      data-step={step}
      aria-disabled={isEnd}
      onClick={() => void go(step)}
    />
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      role="group"
      aria-label={t`Versions of this ${of}`}
      className="versions"
      data-versions-of={current}
      data-stays
      onKeyDown={onKeyDown}
    >
      {stepButton('previous', t`Previous version`, at <= 0)}
      <span className="num">
        <span className="sr">{t`Version`} </span>
        {at + 1} / {versions.length}
      </span>
      {stepButton('next', t`Next version`, at === versions.length - 1)}
    </div>
  )
}

export function AnswerFoot(props: FootProps) {
  const { conversationId, messageId, last } = props
  const ends = useTranscript(conversationId, (transcript) => endsAnswer(transcript, messageId))
  const busy = useBusy(conversationId)
  return ends && !(last && busy) ? <AnswerRow {...props} /> : null
}

function AnswerRow({ conversationId, messageId }: FootProps) {
  const read = useReadTranscript(conversationId)
  const usage = useTranscript(conversationId, (transcript) => usageLabel(answerUsage(transcript, messageId)))
  const copied = (): string => {
    const transcript = read()
    return transcript ? messagesMarkdown(answerMessages(transcript, messageId), { calls: false }) : ''
  }
  const target = { messageId, role: 'assistant' } as const
  return (
    <div className="message-foot">
      <Versions conversationId={conversationId} messageId={messageId} of="answer" />
      <CopyButton label={t`Copy answer`} text={copied} />
      <ReadAloudButton text={copied} />
      <MenuButton menu="again" target={target} label={t`Regenerate`} />
      <MenuButton menu="more" target={target} label={t`More about this answer`} />
      {usage && <span className="num">{usage}</span>}
    </div>
  )
}

export function usageLabel(usage: AnswerUsage | undefined): string | undefined {
  if (!usage) return undefined
  const { read, written, cost } = usage
  return t`${formatCount(read)} tokens read, ${formatCount(written)} written${cost === undefined || cost === 0 ? '' : `, ${formatDollars(cost)}`}`
}

type QuestionFootProps = FootProps & { readonly text: string; readonly onEdit: () => void }

function QuestionFoot({ conversationId, messageId, last, text, onEdit }: QuestionFootProps) {
  const busy = useBusy(conversationId)
  const target = { messageId, role: 'user' } as const
  return (
    <div className="message-foot">
      <IconButton small label={t`Edit message`} icon="edit" data-stays data-edit={messageId} onClick={onEdit} />
      <CopyButton label={t`Copy message`} text={text} />
      {last && !busy && <MenuButton menu="again" target={target} label={t`Answer this`} />}
      <MenuButton menu="more" target={target} label={t`More about this message`} />
      <Versions conversationId={conversationId} messageId={messageId} of="question" />
    </div>
  )
}

function SentExtras({ message: { attachments = [], prompt } }: { readonly message: UserMessage }) {
  if (attachments.length === 0 && !prompt) return null
  return (
    <div className="sent-extras">
      {prompt && (
        <p className="row help">
          <Icon name="text" small />
          <span>
            {tx`From the prompt ${<VisibleText text={prompt.name} />} of ${<VisibleText text={prompt.server} />}`}
            {prompt.turns && `, ${t`Answer written by the server`}`}
            {prompt.edited && `, ${t`edited by you`}`}
          </span>
        </p>
      )}
      <AttachmentList attachments={attachments} />
    </div>
  )
}

/** Line under a message that the working model has not read yet, with a way to take it back. */
function QueuedMessageLine({ message }: { readonly message: UserMessage }) {
  const { id, conversationId, attachments = [], prompt, sources = [] } = message
  const actions = useActions()
  const { drafts, draftExtras } = useStores()
  const busy = useBusy(conversationId)
  const takeBack = async (): Promise<void> => {
    const done = await actions.ask('chat.withdraw', { conversationId, messageId: id })
    if (!done) return
    if (done.text === null) return actions.toast(t`Already sent to the model.`)
    const begun = drafts.read(conversationId)
    drafts.set(conversationId, begun === '' ? done.text : `${done.text}\n${begun}`)
    const servers = [...(prompt ? [prompt.server] : []), ...sources.flatMap(({ from }) => (from.kind === 'server' ? [from.server] : []))]
    if (attachments.length + servers.length > 0)
      draftExtras.change(conversationId, (extras) => {
        const restored = { ...extras, attachments: [...attachments, ...extras.attachments] }
        return withWordsOf(restored, servers)
      })
    actions.announce(t`Removed. It is in the composer.`)
  }
  return (
    <p className="row help steered">
      <Icon name="clock" small />
      {busy ? t`Queued.` : t`Not sent.`}
      <SmallGhostButton onClick={() => void takeBack()}>{t`Remove`}</SmallGhostButton>
    </p>
  )
}

/** Edits a message in its place. The text is kept as a draft of that message. Enter sends, Shift+Enter breaks the line, Escape cancels. */
function EditMessage({ message, onClose }: { readonly message: UserMessage; readonly onClose: (how: 'sent' | 'cancelled') => void }) {
  const stores = useStores()
  const { drafts } = stores
  const key = editKey(message.id)
  const text = useDraft(key)
  const busy = useBusy(message.conversationId)
  const [sending, setSending] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (drafts.read(key) === '') drafts.set(key, message.text)
    const element = box.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [drafts, key, message.text])

  const canSend = text.trim() !== '' && !sending
  const send = async (): Promise<void> => {
    if (!canSend) return
    setSending(true)
    const sent = await messageActions(stores, message.conversationId).edit(message.id, text)
    if (sent) onClose('sent')
    else setSending(false)
  }
  const cancel = (): void => {
    drafts.set(key, '')
    onClose('cancelled')
  }
  const onSendKey = useSendKey(() => void send())
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isTyping(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      cancel()
    } else onSendKey(event)
  }
  return (
    <div className="edit-message">
      <TextBox
        field={box}
        aria-label={t`Edit message`}
        rows={1}
        value={text}
        onChange={(event) => drafts.set(key, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <p className="help grow">{busy ? t`Sending stops the running answer.` : null}</p>
        <SmallGhostButton onClick={cancel}>{t`Cancel`}</SmallGhostButton>
        <Button size="sm" variant="primary" aria-disabled={!canSend} onClick={() => void send()}>
          {t`Send`}
        </Button>
      </div>
    </div>
  )
}

export function UserMessageView({ message, last }: { readonly message: UserMessage; readonly last: boolean }) {
  const { id, conversationId } = message
  const { drafts } = useStores()
  // A draft from before a reload is edited further.
  const [editing, setEditing] = useState(() => drafts.read(editKey(id)) !== '')
  if (editing) {
    return (
      <EditMessage
        message={message}
        onClose={(how) => {
          setEditing(false)
          if (how === 'cancelled') focusSoon(() => takeFocus(document.querySelector<HTMLElement>(`[data-edit="${CSS.escape(id)}"]`)))
        }}
      />
    )
  }
  return (
    <div className="asked" data-message={id}>
      <SentExtras message={message} />
      {message.text !== '' && (
        <p className="said">
          <span className="sr">{t`You`} </span>
          <LongVisibleText text={message.text} copyTakesAll />
        </p>
      )}
      {message.steered === 'waiting' ? (
        <QueuedMessageLine message={message} />
      ) : (
        <QuestionFoot conversationId={conversationId} messageId={id} last={last} text={message.text} onEdit={() => setEditing(true)} />
      )}
    </div>
  )
}
