// The quiet row under a message: it shows when the pointer or the focus is there, always where nothing hovers, and what
// versions there are shows always. While a turn runs, its own answer has none.
import { messagesMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/words/translate.ts'
import { formatDollars } from '#renderer/features/usage/use-words.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { SharedMenuTrigger } from '#renderer/ui/menu.tsx'
import { formatCount } from '../server-summary.ts'
import { useMessageMenus } from './message-menus.tsx'
import { type AnswerUse, answerMessages, answerUse, endsAnswer, versionShown, versionsOf } from './places.ts'
import { useBusy } from './use-busy.ts'
import { useReadTranscript, useTranscript } from './use-transcript.ts'
import { VersionSwitch } from './version-switch.tsx'

interface FootProps {
  readonly conversationId: string
  readonly messageId: string
  /** The path ends with this message. */
  readonly last: boolean
}

type VersionsProps = Pick<FootProps, 'conversationId' | 'messageId'> & { readonly of: 'question' | 'answer' }

function Versions({ conversationId, messageId, of }: VersionsProps) {
  const current = useTranscript(conversationId, (transcript) => versionShown(transcript, messageId))
  const versions = useTranscript(conversationId, (transcript) => (current === undefined ? undefined : versionsOf(transcript, current)))
  if (current === undefined || versions === undefined) return null
  return <VersionSwitch conversationId={conversationId} versions={versions} current={current} of={of} />
}

export function AnswerFoot(props: FootProps) {
  const { conversationId, messageId, last } = props
  const ends = useTranscript(conversationId, (transcript) => endsAnswer(transcript, messageId))
  const busy = useBusy(conversationId)
  return ends && !(last && busy) ? <AnswerRow {...props} /> : null
}

function AnswerRow({ conversationId, messageId }: FootProps) {
  const menus = useMessageMenus()
  const read = useReadTranscript(conversationId)
  const use = useTranscript(conversationId, (transcript) => wordsOfUse(answerUse(transcript, messageId)))
  const copied = (): string => {
    const transcript = read()
    return transcript ? messagesMarkdown(answerMessages(transcript, messageId), { calls: false }) : ''
  }
  const payload = { messageId, role: 'assistant' } as const
  return (
    <div className="message-foot">
      <Versions conversationId={conversationId} messageId={messageId} of="answer" />
      <CopyButton label={t`Copy answer`} text={copied} />
      <SharedMenuTrigger handle={menus.again} payload={payload} trigger={<IconButton small label={t`Answer again`} icon="refresh" />} />
      <SharedMenuTrigger
        handle={menus.more}
        payload={payload}
        trigger={<IconButton small label={t`More about this answer`} icon="more" />}
      />
      {use && (
        <span className="num" title={t`Tokens of this answer, as the provider counted them`}>
          {use}
        </span>
      )}
    </div>
  )
}

function wordsOfUse(use: AnswerUse | undefined): string | undefined {
  if (!use) return undefined
  const { read, written, cost } = use
  return t`${formatCount(read)} tokens read, ${formatCount(written)} written${cost === undefined || cost === 0 ? '' : `, ${formatDollars(cost)}`}`
}

export function QuestionFoot({
  conversationId,
  messageId,
  last,
  text,
  onEdit,
}: FootProps & { readonly text: string; readonly onEdit: () => void }) {
  const menus = useMessageMenus()
  const busy = useBusy(conversationId)
  const payload = { messageId, role: 'user' } as const
  return (
    <div className="message-foot">
      <IconButton small label={t`Edit message`} icon="edit" data-stays data-edit={messageId} onClick={onEdit} />
      <CopyButton label={t`Copy message`} text={text} />
      {last && !busy && (
        <SharedMenuTrigger handle={menus.again} payload={payload} trigger={<IconButton small label={t`Answer this`} icon="refresh" />} />
      )}
      <SharedMenuTrigger
        handle={menus.more}
        payload={payload}
        trigger={<IconButton small label={t`More about this message`} icon="more" />}
      />
      <Versions conversationId={conversationId} messageId={messageId} of="question" />
    </div>
  )
}
