// The parts of a sampling message, and the answers below both steps of a sampling request. Images are drawn from the bytes that
// would be sent; nothing is fetched.
import { type ReactNode, useId } from 'react'
import type { SamplingCall, SamplingContent, SamplingMessage, SamplingPart, SamplingTool } from '#app/consent/sampling.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { TextArea } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, SkipButton } from '../request/answer-buttons.tsx'
import type { Arming } from '../request/use-arming.ts'
import { ArgumentList, LongText } from '../tool-call/argument-list.tsx'

interface SamplingFooterProps {
  readonly arming: Arming
  readonly allowWords: ReactNode
  /** Default: Deny. */
  readonly denyWords?: string
  /** Allow is not highlighted. */
  readonly plain: boolean
  readonly blocked: boolean
  /** Missing part of the rule. */
  readonly problem: string | undefined
  readonly onAllow: () => void
  readonly onDeny: () => void
}

export const SamplingFooter = ({ arming, allowWords, denyWords, plain, blocked, problem, onAllow, onDeny }: SamplingFooterProps) => (
  <>
    <AllowButton arming={arming} plain={plain} blocked={blocked} onPress={onAllow}>
      {allowWords}
    </AllowButton>
    <DenyButton onPress={onDeny}>{denyWords}</DenyButton>
    <span className="grow help">{problem}</span>
    <SkipButton />
  </>
)

interface MessagePartsProps {
  readonly message: SamplingMessage
  /** Makes the texts of the message editable. */
  readonly onText?: ((part: number, text: string) => void) | undefined
}

export function MessageParts({ message, onText }: MessagePartsProps) {
  return message.parts.map((part, index) =>
    part.type === 'text' && onText ? (
      <EditedText key={String(index)} label={textLabel(message.role)} text={part.text} onText={(text) => onText(index, text)} />
    ) : (
      <div key={String(index)} className="field">
        <span className="label">{partLabel(message.role, part)}</span>
        <PartBody part={part} />
      </div>
    ),
  )
}

const textLabel = (role: SamplingMessage['role']): string =>
  role === 'user' ? t`Message to the model` : t`Answer put in the model’s mouth`

/** A text box whose content is sent as it stands. */
export function EditedText({ label, text, onText }: { readonly label: string; readonly text: string; onText(text: string): void }) {
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

function partLabel(role: SamplingMessage['role'], part: SamplingPart): ReactNode {
  if (part.type === 'tool-use') return tx`Call put in the model’s mouth ${<VisibleText className="mono" text={part.name} />}`
  if (part.type !== 'tool-result') return textLabel(role)
  return tx`What the server says its tool gave ${part.isError && <Badge tone="danger">{t`failed`}</Badge>}`
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

/** Tools that the model may ask the server to run. */
export const OfferedTools = ({ server, tools }: { readonly server: string; readonly tools: readonly SamplingTool[] }) => (
  <div className="field">
    <span className="label">
      {tools.length === 1 ? t`1 tool` : t`${tools.length} tools`}{' '}
      <span className="req">{tools.length === 1 ? t`by “${server}”, which alone runs it` : t`by “${server}”, which alone runs them`}</span>
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

/** Tool calls in the model's answer, which the server would run. */
export function WantedCalls({ server, calls }: { readonly server: string; readonly calls: readonly SamplingCall[] }) {
  return calls.map((call) => (
    <div key={call.id} className="field">
      <span className="label">{tx`Asks ${<ServerName name={server} />} to run ${<VisibleText className="mono" text={call.name} />}`}</span>
      <ArgumentList value={call.input} />
    </div>
  ))
}
