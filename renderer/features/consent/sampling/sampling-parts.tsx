// The parts of a message that a server puts to a model, each as what it is. Pictures are drawn from the bytes that came and
// that would be sent; nothing is fetched. The foot of both steps of a question to the model: what goes on, what keeps it back,
// what is still missing.
import { type ReactNode, useId } from 'react'
import type { SamplingCall, SamplingContent, SamplingMessage, SamplingPart, SamplingTool } from '#app/consent/sampling.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Badge } from '#renderer/ui/badges.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, SkipButton } from '../request/answer-buttons.tsx'
import type { Arming } from '../request/use-arming.ts'
import { ArgumentList, LongText } from '../tool-call/argument-list.tsx'

interface SamplingFooterProps {
  readonly arming: Arming
  readonly allowWords: ReactNode
  /** Default: Deny. */
  readonly denyWords?: string
  /** Allowing it is not the button to press. */
  readonly plain: boolean
  readonly blocked: boolean
  /** Of how long it counts: what is missing. */
  readonly problem: string | undefined
  readonly onAllow: () => void
  readonly onDeny: () => void
}

export function SamplingFooter({ arming, allowWords, denyWords, plain, blocked, problem, onAllow, onDeny }: SamplingFooterProps) {
  return (
    <>
      <AllowButton arming={arming} plain={plain} blocked={blocked} onPress={onAllow}>
        {allowWords}
      </AllowButton>
      <DenyButton onPress={onDeny}>{denyWords}</DenyButton>
      <span className="grow help">{problem}</span>
      <SkipButton />
    </>
  )
}

interface MessagePartsProps {
  readonly message: SamplingMessage
  /** Given: its texts are edited. */
  readonly onText?: ((part: number, text: string) => void) | undefined
}

export function MessageParts({ message, onText }: MessagePartsProps) {
  return message.parts.map((part, index) =>
    part.type === 'text' && onText ? (
      <EditedText
        key={String(index)}
        label={textLabel(message.role)}
        text={part.text}
        onText={(text) => {
          onText(index, text)
        }}
      />
    ) : (
      <div key={String(index)} className="field">
        <PartLabel role={message.role} part={part} />
        <PartBody part={part} />
      </div>
    ),
  )
}

const textLabel = (role: SamplingMessage['role']): string =>
  role === 'user' ? t`Message to the model` : t`Answer put in the model’s mouth`

interface EditedTextProps {
  readonly label: string
  readonly text: string
  onText(text: string): void
}

/** What is in the box is what is sent. */
export function EditedText({ label, text, onText }: EditedTextProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <TextArea
        id={id}
        mono
        rows={Math.min(16, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  )
}

function PartLabel({ role, part }: { readonly role: SamplingMessage['role']; readonly part: SamplingPart }) {
  switch (part.type) {
    case 'tool-use':
      return <span className="label">{tx`Call put in the model’s mouth ${<VisibleText className="mono" text={part.name} />}`}</span>
    case 'tool-result':
      return (
        <span className="label">{tx`What the server says its tool gave ${part.isError && <Badge tone="danger">{t`failed`}</Badge>}`}</span>
      )
    default:
      return <span className="label">{textLabel(role)}</span>
  }
}

function PartBody({ part }: { readonly part: SamplingPart }) {
  switch (part.type) {
    case 'tool-use':
      return <ArgumentList value={part.input} />
    case 'tool-result':
      return (
        <>
          {part.content.map((one, index) => (
            <Content key={String(index)} content={one} />
          ))}
          {part.structured !== undefined && <LongText text={JSON.stringify(part.structured, null, 2)} label={t`structured result`} />}
        </>
      )
    default:
      return <Content content={part} />
  }
}

function Content({ content }: { readonly content: SamplingContent }) {
  if (content.type === 'text') return <LongText text={content.text} label={t`message`} />
  const { mimeType, data } = content
  const size = formatBytes(Math.floor((data.replace(/=+$/, '').length * 3) / 4))
  return <img className="result-image" src={`data:${mimeType};base64,${data}`} alt={t`For the model, ${mimeType}, ${size}`} />
}

/** The tools that the model may ask the server to run. */
export function OfferedTools({ server, tools }: { readonly server: string; readonly tools: readonly SamplingTool[] }) {
  return (
    <div className="field">
      <span className="label">
        {tools.length === 1 ? t`1 tool` : t`${tools.length} tools`}{' '}
        <span className="req">
          {tools.length === 1 ? t`by “${server}”, which alone runs it` : t`by “${server}”, which alone runs them`}
        </span>
      </span>
      {tools.map((tool) => (
        <div key={tool.name} className="sec">
          <VisibleText className="mono strong" text={tool.name} />
          {tool.description && <LongText text={tool.description} label={t`what ${tool.name} does`} />}
          <LongText text={JSON.stringify(tool.inputSchema, null, 2)} label={t`arguments of ${tool.name}`} />
        </div>
      ))}
    </div>
  )
}

/** What the model wants the server to do. */
export function WantedCalls({ server, calls }: { readonly server: string; readonly calls: readonly SamplingCall[] }) {
  return calls.map((call) => (
    <div key={call.id} className="field">
      <span className="label">{tx`Asks ${<ServerName name={server} />} to run ${<VisibleText className="mono" text={call.name} />}`}</span>
      <ArgumentList value={call.input} />
    </div>
  ))
}
