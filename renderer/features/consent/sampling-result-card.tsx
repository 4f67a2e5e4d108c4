// The model's answer before the server gets it. What is in the box is what is handed over.

import { useId, useRef } from 'react'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { formatDuration } from '#app/text.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useModels } from '#renderer/stores/react.tsx'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { LongText } from './argument-list.tsx'
import { AskFrame } from './ask-frame.tsx'
import { SamplingFooter } from './sampling-footer.tsx'
import { WantedCalls } from './sampling-parts.tsx'
import { StandingChoice, standingAnswer, useStanding } from './sampling-standing.tsx'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { useSamplingDraft } from './use-sampling-draft.ts'
import { Why } from './why.tsx'
import { useWhyWords } from './why-words.ts'

export function SamplingResultCard({ request }: { readonly request: ConsentRequestOf<'sampling-result'> }) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const [{ answer: edited }, keep] = useSamplingDraft(request.id)
  const { calls, server, took, sent = [], day } = request
  const trusted = request.trusted === true
  const [standing, setStanding] = useStanding(day)
  const whyWords = useWhyWords(request)
  const lasts = standingAnswer(standing, { step: 'answers', trusted, now: Date.now() })
  const blocked = busy || typeof lasts === 'string'
  const wordless = calls.length > 0 && request.text === ''
  const arming = useArming(card, JSON.stringify([request.text, calls, edited === undefined, standing.scope]))
  const model = useModels((state) => state.models.find((one) => one.id === request.model)?.name ?? request.model)
  const text = edited ?? request.text
  const allow = (): void => {
    if (!blocked && arming.mayPress()) answer({ kind: 'allow', ...lasts, ...(text !== request.text && { text }) })
  }
  const keepBack = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      headActions={
        edited === undefined &&
        !wordless && <IconButton label={t`Edit the answer (E)`} icon="edit" small onClick={() => keep({ answer: request.text })} />
      }
      onAllow={allow}
      onDeny={keepBack}
      {...(wordless ? {} : { onEdit: () => keep({ answer: text }) })}
      footer={
        <SamplingFooter
          arming={arming}
          allowWords={t`Hand it over`}
          denyWords={t`Keep it back`}
          plain={anyHidden([text, ...calls.flatMap(({ name, input }) => [name, JSON.stringify(input)])])}
          blocked={blocked}
          problem={typeof lasts === 'string' ? lasts : undefined}
          onAllow={allow}
          onDeny={keepBack}
        />
      }
    >
      <p className="dim">{tx`Step 2 of 2. Until you hand it over, ${<ServerName name={request.server} />} has received nothing.`}</p>
      {!wordless && (
        <div className="field">
          <label htmlFor={id}>
            {tx`Answer ${(
              <span className="req">
                {model}
                {took && ` · ${t`${numberWords(took.tokens)} tokens with the prompt`} · ${formatDuration(took.durationMs)}`}
              </span>
            )} ${text !== request.text && <Badge tone="ink">{t`edited by you`}</Badge>}`}
          </label>
          {edited === undefined ? (
            <LongText text={text} label={t`answer`} />
          ) : (
            <TextArea
              id={id}
              mono
              rows={Math.min(16, text.split('\n').length + 1)}
              value={edited}
              onChange={(event) => keep({ answer: event.target.value })}
            />
          )}
        </div>
      )}
      <WantedCalls server={server} calls={calls} />
      {calls.length > 0 && (
        <p className="help">{tx`Handed over, ${<ServerName name={server} />} may run this at once, and ask again with what came of it.`}</p>
      )}
      {sent.length > 0 && (
        <details className="sec">
          <summary>{t`What was sent`}</summary>
          {sent.map((one, index) => (
            <LongText key={String(index)} text={one} label={t`what was sent`} />
          ))}
        </details>
      )}
      {day && calls.length === 0 && (
        <StandingChoice
          server={server}
          step="answers"
          trusted={trusted}
          inConversation={request.conversationId !== undefined}
          value={standing}
          problem={typeof lasts === 'string' ? lasts : undefined}
          onChange={setStanding}
        />
      )}
      {request.why.kind !== 'server-asks' && <Why>{whyWords}</Why>}
    </AskFrame>
  )
}
