// One request of any kind with all that is needed to answer it, for a chat and for the Requests page.

import type { ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { useModels } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Field, TextArea } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { anyHidden, ServerName } from '#renderer/ui/visible-text.tsx'
import { FormCard, FormSheet } from './elicitation/form-card.tsx'
import { UrlCard } from './elicitation/url-card.tsx'
import { ConfigImportCard } from './launch/config-import-card.tsx'
import { LaunchCard } from './launch/launch-card.tsx'
import { useWhyLabel, WhyAsked } from './request/request-frame.tsx'
import type { Review } from './request/use-review.ts'
import { YesNoRequest } from './request/yes-no-request.tsx'
import { RootsCard } from './roots-card.tsx'
import { SamplingCard, useSamplingDraft } from './sampling/sampling-card.tsx'
import { rowsFor, useSamplingRule, WantedCalls } from './sampling/sampling-parts.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { LongText } from './tool-call/argument-list.tsx'
import { ToolCallCard, ToolCallSheet } from './tool-call/tool-call-card.tsx'
import { ToolChangedCard } from './tool-call/tool-changed-card.tsx'

/** Step 2 of a sampling request: the model's answer, before the server gets it. The text in the box is what is handed over. */
function SamplingResultCard({ request }: { readonly request: ConsentRequestOf<'sampling-result'> }) {
  const [{ answer: edited }, keep] = useSamplingDraft(request.id)
  const { calls, server, took, sent = [] } = request
  const rule = useSamplingRule({ request, step: 'answers' })
  const whyWords = useWhyLabel(request)
  const wordless = calls.length > 0 && request.text === ''
  const model = useModels((state) => state.models.find((one) => one.id === request.model)?.name ?? request.model)
  const text = edited ?? request.text
  return (
    <YesNoRequest
      request={request}
      content={JSON.stringify([request.text, calls, edited === undefined, rule.scope])}
      headActions={
        edited === undefined &&
        !wordless && <IconButton label={t`Edit the answer (E)`} icon="edit" small onClick={() => keep({ answer: request.text })} />
      }
      onEdit={wordless ? undefined : () => keep({ answer: text })}
      allowed={{ scope: 'once', ...rule.answer, ...(text !== request.text && { text }) }}
      plain={anyHidden([text, ...calls.flatMap(({ name, input }) => [name, JSON.stringify(input)])])}
      impossible={rule.answer === undefined}
      yes={t`Hand it over`}
      no={t`Keep it back`}
      problem={rule.problem}
      skip="wait"
    >
      <p className="dim">{tx`Step 2 of 2. Until you hand it over, ${<ServerName name={request.server} />} has received nothing.`}</p>
      {!wordless && (
        <Field
          label={tx`Answer ${(
            <span className="req">
              {model}
              {took && ` · ${t`${formatNumber(took.tokens)} tokens with the prompt`} · ${formatDuration(took.durationMs)}`}
            </span>
          )} ${text !== request.text && <Badge tone="ink">{t`edited by you`}</Badge>}`}
        >
          {(ids) =>
            edited === undefined ? (
              <LongText text={text} label={t`answer`} />
            ) : (
              <TextArea {...ids} mono rows={rowsFor(text)} value={edited} onChange={({ target }) => keep({ answer: target.value })} />
            )
          }
        </Field>
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
      {calls.length === 0 && rule.choice}
      {request.why.kind !== 'server-asks' && <WhyAsked>{whyWords}</WhyAsked>}
    </YesNoRequest>
  )
}

export function ConsentCard({ request }: { readonly request: ConsentRequest }) {
  switch (request.kind) {
    case 'tool-call':
      return <ToolCallCard request={request} />
    case 'launch':
      return <LaunchCard request={request} />
    case 'elicitation-form':
      return <FormCard request={request} />
    case 'elicitation-url':
      return <UrlCard request={request} />
    case 'sign-in':
      return <SignInCard request={request} />
    case 'sampling':
      return <SamplingCard request={request} />
    case 'sampling-result':
      return <SamplingResultCard request={request} />
    case 'roots':
      return <RootsCard request={request} />
    case 'tool-changed':
      return <ToolChangedCard request={request} />
    case 'config-import':
      return <ConfigImportCard request={request} />
  }
}

/** The request under review, beside its chat. Key it by the request: another one starts with nothing chosen, and with the pause. */
export function ReviewSheet({ review }: { readonly review: Review }) {
  const { request } = review
  return request.kind === 'tool-call' ? (
    <ToolCallSheet request={request} review={review} />
  ) : (
    <FormSheet request={request} review={review} />
  )
}
