// One request of any kind with all that is needed to answer it, for a chat and for the Requests page.

import type { ConfigImportRequest, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { useModels } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Field, TextArea } from '#renderer/ui/field.tsx'
import { Badge, ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice } from '#renderer/ui/notice.tsx'
import { anyHidden, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { FormCard, FormSheet } from './elicitation/form-card.tsx'
import { UrlCard } from './elicitation/url-card.tsx'
import { CommandLineView } from './launch/command-line-view.tsx'
import { LaunchCard } from './launch/launch-card.tsx'
import { launchDiff } from './launch/launch-diff.ts'
import { useWhyLabel, WhyAsked } from './request/request-frame.tsx'
import type { Review } from './request/use-review.ts'
import { YesNoRequest } from './request/yes-no-request.tsx'
import { RootsCard } from './roots-card.tsx'
import { SamplingCard, useSamplingDraft } from './sampling/sampling-card.tsx'
import { rowsFor, useSamplingRule, WantedCalls } from './sampling/sampling-parts.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { LongText } from './tool-call/argument-list.tsx'
import { ChangedParts } from './tool-call/diff-view.tsx'
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

/** Servers of another application's config file. A yes writes them; each launch is a request of its own. */
function ConfigImportCard({ request }: { readonly request: ConfigImportRequest }) {
  const { servers } = request
  const hidden = anyHidden(JSON.parse(JSON.stringify(servers)))
  return (
    <YesNoRequest
      request={request}
      content={request.id}
      plain={hidden}
      yes={servers.length === 1 ? t`Take it over` : t`Take over ${servers.length} servers`}
      no={t`Don’t take over`}
    >
      {hidden && (
        <BadNotice title={t`They hold a character that can’t be seen.`}>
          {t`It is spelled out where it stands. Take it over only if you know why it is there.`}
        </BadNotice>
      )}
      {servers.map((server) => (
        <ImportedServer key={server.name} server={server} />
      ))}
      <WhyAsked>
        {t`You asked for it. They are written to servers.json, and nothing starts: each is asked for by itself before it first runs. If you refuse, nothing is written.`}
      </WhyAsked>
    </YesNoRequest>
  )
}

function ImportedServer({ server }: { readonly server: ConfigImportRequest['servers'][number] }) {
  const { name, from, file, target, secrets, replaces } = server
  return (
    <section className="stack" aria-label={name}>
      <div className="row wrap">
        <ServerMark name={name} />
        <VisibleText as="b" text={name} />
        {replaces ? <Badge tone="warn">{t`replaces the one here`}</Badge> : null}
        {secrets.length > 0 ? (
          <Badge>{secrets.length === 1 ? t`1 secret into the secret store` : t`${secrets.length} secrets into the secret store`}</Badge>
        ) : null}
        <span className="help mono wrap-any">
          {from}: <VisibleText text={file} />
        </span>
      </div>
      {target ? <CommandLineView target={target} /> : <p className="help">{t`It comes with Assent.`}</p>}
      {replaces?.target && target ? <ChangedParts parts={launchDiff(replaces.target, target).changed} /> : null}
    </section>
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
