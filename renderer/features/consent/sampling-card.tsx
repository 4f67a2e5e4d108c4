// "notes wants an answer from your model": all that would be sent, and to whom. The answer is shown before it is
// handed over (the next request).

import { Fragment, useRef } from 'react'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { promptTokens, type SamplingMessage, textsOf } from '#app/consent/sampling.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useModels } from '#renderer/stores/react.tsx'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Field, Select, TextInput } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { LongText } from './argument-list.tsx'
import { AskFrame } from './ask-frame.tsx'
import { SamplingDay } from './sampling-day.tsx'
import { SamplingFooter } from './sampling-footer.tsx'
import { EditedText, MessageParts, OfferedTools } from './sampling-parts.tsx'
import { StandingChoice, standingAnswer, useStanding } from './sampling-standing.tsx'
import { modelHelp, wishLines } from './sampling-words.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { type PromptDraft, usePromptDraft } from './use-prompt-draft.ts'
import { useSamplingDraft } from './use-sampling-draft.ts'
import { Why } from './why.tsx'
import { useWhyWords } from './why-words.ts'

const hasImage = ({ parts }: SamplingMessage): boolean =>
  parts.some((part) => part.type === 'image' || (part.type === 'tool-result' && part.content.some(({ type }) => type === 'image')))

export function SamplingCard({ request }: { readonly request: ConsentRequestOf<'sampling'> }) {
  const { server, tools, toolChoice, maxTokens, day } = request
  const trusted = request.trusted === true
  const draft = usePromptDraft(request)
  const { systemPrompt, messages } = draft.prompt
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const models = useModels((state) => state.models)
  const [{ model = request.model, longest = String(maxTokens) }, keep] = useSamplingDraft(request.id)
  const [standing, setStanding] = useStanding(day)
  const whyWords = useWhyWords(request)
  const arming = useArming(card, JSON.stringify([request, model, draft.editing, standing.scope]))
  const most = Number(longest)
  const tooLong = !(Number.isInteger(most) && most >= 1 && most <= maxTokens)
  const lasts = standingAnswer(standing, { step: 'requests', trusted, now: Date.now() })
  const blocked = busy || draft.wordless || tooLong || typeof lasts === 'string'
  const chosen = models.find((one) => one.id === model)
  const texts = [systemPrompt ?? '', ...textsOf(messages), ...(tools.length > 0 ? [JSON.stringify(tools)] : [])]
  const hidden = anyHidden([...texts, ...tools.flatMap(({ name, description = '' }) => [name, description])])
  const tokens = promptTokens(draft.prompt, tools)
  const over = day !== undefined && !tooLong && day.used + tokens + most > day.budget.tokensPerDay
  const blind = chosen?.images === false && messages.some(hasImage)
  const allow = (): void => {
    if (blocked || !arming.mayPress()) return
    answer({
      kind: 'allow',
      ...lasts,
      model,
      ...(draft.edit && { prompt: draft.edit }),
      ...(most === maxTokens ? {} : { maxTokens: most }),
    })
  }
  const deny = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      headActions={
        !draft.editing && <IconButton label={t`Edit the prompt (E)`} icon="edit" small data-focus-back="" onClick={draft.begin} />
      }
      onAllow={allow}
      onDeny={deny}
      onEdit={draft.begin}
      footer={
        <SamplingFooter
          arming={arming}
          allowWords={tx`Send to ${chosen?.name ?? model}`}
          plain={hidden || over}
          blocked={blocked}
          problem={typeof lasts === 'string' ? lasts : undefined}
          onAllow={allow}
          onDeny={deny}
        />
      }
    >
      <p className="dim">{tx`Step 1 of 2: read what is sent. You’ll see the answer before ${<ServerName name={server} />} does.`}</p>
      {draft.editing && <EditedPrompt draft={draft} server={server} />}
      {systemPrompt !== undefined && draft.editing && (
        <EditedText label={t`System prompt`} text={systemPrompt} onText={draft.writeSystem} />
      )}
      {systemPrompt !== undefined && !draft.editing && (
        <div className="field">
          <span className="label">{tx`System prompt ${<span className="req">{tx`by ${<ServerName name={server} />}`}</span>}`}</span>
          <LongText text={systemPrompt} label={t`system prompt`} />
        </div>
      )}
      {messages.map((message, index) => (
        <MessageParts
          key={String(index)}
          message={message}
          onText={
            draft.editing
              ? (part, text) => {
                  draft.write(index, part, text)
                }
              : undefined
          }
        />
      ))}
      {tools.length > 0 && <OfferedTools server={server} tools={tools} />}
      {tools.length > 0 && toolChoice !== 'auto' && (
        <p className="help">
          {toolChoice === 'required' ? t`“${server}” wants the model to use one of them.` : t`The model may use none of them.`}
        </p>
      )}
      {blind && (
        <Notice tone="warn" title={t`This model sees no pictures.`}>
          {t`It is only told that there is one. Choose another model to have them read.`}
        </Notice>
      )}
      <div className="grid2">
        <Field label={t`Model`} help={<Revealed text={modelHelp(request, models.filter(({ ai }) => ai).length)} />}>
          {(ids) => (
            <Select {...ids} value={model} onChange={(event) => keep({ model: event.target.value })}>
              {!chosen && <option value={model}>{model}</option>}
              {models.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.ai ? one.name : t`${one.name} (no AI)`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={t`Longest answer`}
          note={t`tokens`}
          help={t`“${server}” asked for ${numberWords(maxTokens)}.`}
          error={tooLong ? t`A whole number from 1 to ${numberWords(maxTokens)}.` : undefined}
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="num"
              inputMode="numeric"
              value={longest}
              onChange={(event) => keep({ longest: event.target.value.trim() })}
            />
          )}
        </Field>
      </div>
      <dl className="kv">
        {wishLines(request.wishes, chosen).map(({ label, value, note }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="mono">
                <Revealed text={value} />
              </span>{' '}
              {note !== '' && <span className="dim">{note}</span>}
            </dd>
          </Fragment>
        ))}
        <dt>{t`It takes, at most`}</dt>
        <dd className="num">
          {tx`${numberWords(tokens + (tooLong ? maxTokens : most))} tokens, ${numberWords(tokens)} of them the prompt`}
        </dd>
        {day && <SamplingDay server={server} day={day} />}
      </dl>
      {over && (
        <Notice tone="warn" title={t`This goes beyond what you give “${server}” for a day.`}>
          {t`Sent now, it counts as your word for this once. The limit stands on the page of the server.`}
        </Notice>
      )}
      {day && (
        <StandingChoice
          server={server}
          step="requests"
          trusted={trusted}
          inConversation={request.conversationId !== undefined}
          value={standing}
          problem={typeof lasts === 'string' ? lasts : undefined}
          onChange={setStanding}
        />
      )}
      <Why>{tx`${whyWords} It sees none of your chats and no other server’s data.`}</Why>
    </AskFrame>
  )
}

function EditedPrompt({ draft, server }: { readonly draft: PromptDraft; readonly server: string }) {
  return (
    <p className="row">
      {draft.edited && <Badge tone="ink">{t`edited by you`}</Badge>}
      {draft.wordless && <span className="err">{t`A message needs words.`}</span>}
      <Button size="sm" variant="ghost" onClick={draft.undo}>
        {tx`Back to what ${<ServerName name={server} />} wrote`}
      </Button>
    </p>
  )
}
