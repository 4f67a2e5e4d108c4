// "notes wants an answer from your model": all that would be sent, and to whom. The answer is shown before it is
// handed over (the next request).
import { useRef, useState } from 'react'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { estimateTokens } from '#app/text.ts'
import { useModels } from '#renderer/stores/react.tsx'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Field, Select } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { LongText } from './argument-list.tsx'
import { AskFrame } from './ask-frame.tsx'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { Why } from './why.tsx'

export function SamplingCard({ request }: { readonly request: ConsentRequestOf<'sampling'> }) {
  const { server, systemPrompt, messages, hints, maxTokens } = request
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const models = useModels((state) => state.models)
  const [model, setModel] = useState(request.model)
  const arming = useArming(card, `${JSON.stringify(request)} ${model}`)
  const chosen = models.find((one) => one.id === model)
  const hidden = anyHidden([systemPrompt ?? '', ...messages.map((message) => message.text)])
  const tokens = estimateTokens([systemPrompt ?? '', ...messages.map((message) => message.text)].join('\n'))
  const allow = (): void => {
    if (!busy && arming.mayPress()) answer({ kind: 'allow', scope: 'once', model })
  }
  const deny = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      onAllow={allow}
      onDeny={deny}
      footer={
        <>
          <AllowButton arming={arming} plain={hidden} blocked={busy} chord={allowChord} onPress={allow}>
            Send to {chosen?.name ?? model}
          </AllowButton>
          <DenyButton chord={denyChord} onPress={deny} />
          <span className="grow" />
          <NotNow />
        </>
      }
    >
      <p className="dim">Step 1 of 2: read what is sent. You’ll see the answer before {server} does.</p>
      {systemPrompt !== undefined && (
        <div className="field">
          <span className="label">
            System prompt <span className="req">by {server}</span>
          </span>
          <LongText text={systemPrompt} label="system prompt" />
        </div>
      )}
      {messages.map((message, index) => (
        <div key={String(index)} className="field">
          <span className="label">{message.role === 'user' ? 'Message' : 'Answer put in the model’s mouth'}</span>
          <LongText text={message.text} label="message" />
        </div>
      ))}
      <div className="grid2">
        <Field
          label="Model"
          help={<Revealed text={hints.length > 0 ? `${server} hints at “${hints.join('”, “')}”.` : `${server} doesn’t mind which.`} />}
        >
          {(ids) => (
            <Select {...ids} value={model} onChange={(event) => setModel(event.target.value)}>
              {!chosen && <option value={model}>{model}</option>}
              {models.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.ai ? one.name : `${one.name} (no AI)`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <dl className="kv">
          <dt>It is about</dt>
          <dd className="num">{tokens.toLocaleString()} tokens</dd>
          <dt>Longest answer</dt>
          <dd className="num">{maxTokens.toLocaleString()} tokens</dd>
        </dl>
      </div>
      <Why>{server} asks for this itself. It sees none of your chats and no other server’s data.</Why>
    </AskFrame>
  )
}
