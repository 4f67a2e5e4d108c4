// One request of any kind with all that is needed to answer it, for a chat and for the Requests page.

import { useRef, useState } from 'react'
import { whySentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest, ConsentRequestOf, ConsentScope, SignInRequest } from '#app/consent/request.ts'
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import { clientLabels, type SignInFacts, signInFacts } from '#app/consent/sign-in-warnings.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { McpAppPermission, OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import type { RefusedDomain } from '#app/mcp-apps/csp-domains.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { useModels } from '#renderer/stores/store-hooks.tsx'
import type { McpAppRequest } from '#renderer/stores/view-state.ts'
import { CopyButton, IconButton } from '#renderer/ui/button.tsx'
import { Field, RadioList, TextArea } from '#renderer/ui/field.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { AddressName, addressParts, anyHidden, ServerName, SourceName, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'
import type { DockRequest } from './dock/questions.ts'
import { FormCard, FormSheet } from './elicitation/form-card.tsx'
import { UrlCard } from './elicitation/url-card.tsx'
import { ConfigImportCard } from './launch/config-import-card.tsx'
import { LaunchCard } from './launch/launch-card.tsx'
import { AllowButton, DenyButton } from './request/answer-buttons.tsx'
import { AskFrame, useWhyLabel, WhyAsked } from './request/request-frame.tsx'
import { useArming } from './request/use-arming.ts'
import type { Review } from './request/use-review.ts'
import { YesNoRequest } from './request/yes-no-request.tsx'
import { SamplingCard, useSamplingDraft } from './sampling/sampling-card.tsx'
import { rowsFor, useSamplingRule, WantedCalls } from './sampling/sampling-parts.tsx'
import { ArgumentValue, LongText } from './tool-call/argument-list.tsx'
import { ToolCallCard, ToolCallSheet } from './tool-call/tool-call-card.tsx'
import { ToolChangedCard } from './tool-call/tool-changed-card.tsx'

// OAuth sign-in (MCP, "Authorization"): authorization server, scopes, and the resource that gets the tokens. Nothing opens before the yes.

function SignInCard({ request }: { readonly request: SignInRequest }) {
  const { server, resource, issuer, url, client } = request
  const facts = signInFacts(request)
  const hidden = anyHidden([issuer, resource, url, ...request.scopes, ...request.granted])
  return (
    <YesNoRequest
      request={request}
      content={[url, issuer, resource, ...request.scopes].join('\n')}
      beside={<Badge className="wide-only">{t`leaves Assent`}</Badge>}
      plain={facts.lookAlike || hidden || facts.otherPage !== undefined}
      impossible={!addressParts(url)}
      yes={
        <>
          {t`Open in browser`} <Icon name="external" small />
        </>
      }
      no={t`Don’t sign in`}
      actions={<CopyButton text={url} label={t`Copy address`} />}
    >
      <p className="dim">
        {tx`You type your password on this page, not in Assent. Assent gets tokens to use ${<ServerName name={server} />} for you.`}
      </p>
      <WebAddress url={url} />
      <dl className="kv">
        <Fact label={t`You sign in at`}>
          <AddressName url={issuer} />
        </Fact>
        <Fact label={t`Tokens only for`}>
          <AddressName url={resource} />
        </Fact>
        <Fact label={t`Scopes`}>
          <Scopes scopes={facts.scopes} server={server} />
        </Fact>
        <Fact label={t`Client`} className="dim">
          {clientLabels()[client]}
        </Fact>
      </dl>
      <Warnings facts={facts} server={server} hidden={hidden} />
      <WhyAsked>{whySentence(request.why)}</WhyAsked>
    </YesNoRequest>
  )
}

const badges = {
  asked: null,
  new: <Badge tone="warn">{t`new`}</Badge>,
  granted: <Badge>{t`granted`}</Badge>,
}

function Scopes({ scopes, server }: { readonly scopes: SignInFacts['scopes']; readonly server: string }) {
  if (scopes.length === 0)
    return <span className="dim">{tx`${<ServerName name={server} />} names none. Assent can use whatever you grant there.`}</span>
  return (
    <ul className="sign-in-scopes">
      {scopes.map(({ name, standing }) => (
        <li key={name}>
          <VisibleText className={standing === 'granted' ? 'mono dim' : 'mono'} text={name} />
          {badges[standing]}
        </li>
      ))}
    </ul>
  )
}

type WarningsProps = { readonly facts: SignInFacts; readonly server: string; readonly hidden: boolean }

const Warnings = ({ facts: { otherDomain, otherPage, lookAlike }, server, hidden }: WarningsProps) => (
  <>
    {otherDomain && (
      <WarnNotice title={t`The server is at ${otherDomain.server}, the sign-in at ${otherDomain.issuer}.`}>
        {tx`Go on only if ${<ServerName name={server} />} may use your account at ${otherDomain.issuer}.`}
      </WarnNotice>
    )}
    {otherPage && (
      <BadNotice title={t`The page is of ${otherPage.page}, not of ${otherPage.issuer}.`}>
        {t`Type no password there unless you know why.`}
      </BadNotice>
    )}
    {lookAlike && <WarnNotice title={t`Letters of another alphabet`}>{t`Read it letter by letter.`}</WarnNotice>}
    {hidden && <BadNotice title={t`Hidden characters`}>{t`They are spelled out. Go on only if you know why they are there.`}</BadNotice>}
  </>
)

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
      yes={t`Send answer`}
      no={t`Don’t send`}
      problem={rule.problem}
    >
      <p className="dim">{tx`Step 2 of 2: the answer. ${<ServerName name={request.server} />} has not received it.`}</p>
      {!wordless && (
        <Field
          label={tx`Answer ${(
            <span className="req">
              {model}
              {took && ` · ${t`${formatNumber(took.tokens)} tokens`} · ${formatDuration(took.durationMs)}`}
            </span>
          )} ${text !== request.text && <Badge tone="ink">{t`edited by you`}</Badge>}`}
        >
          {(ids) =>
            edited === undefined ? (
              <LongText text={text} label={t`Answer`} />
            ) : (
              <TextArea {...ids} mono rows={rowsFor(text)} value={edited} onChange={({ target }) => keep({ answer: target.value })} />
            )
          }
        </Field>
      )}
      <WantedCalls server={server} calls={calls} />
      {calls.length > 0 && (
        <p className="help">{tx`${<ServerName name={server} />} may run this at once, and ask again with the result.`}</p>
      )}
      {sent.length > 0 && (
        <details className="sec">
          <summary>{t`What was sent`}</summary>
          {sent.map((one, index) => (
            <LongText key={String(index)} text={one} label={t`What was sent`} />
          ))}
        </details>
      )}
      {calls.length === 0 && rule.choice}
      {request.why.kind !== 'server-asks' && <WhyAsked>{whyWords}</WhyAsked>}
    </YesNoRequest>
  )
}

/** A request for roots (MCP, "Roots"): the folders, those that are new to the server, and those that are left out since they are gone. */
function RootsCard({ request }: { readonly request: ConsentRequestOf<'roots'> }) {
  const os = useOs()
  const [scope, setScope] = useState<ConsentScope>('once')
  const { server, roots, agreed = [], missing = [] } = request
  const told = (isOld: boolean): string[] =>
    roots.filter(({ uri }) => agreed.includes(uri) === isOld).map(({ uri }) => pathOfFileUri(uri, os))
  const [fresh, old] = [told(false), told(true)]
  const paths = [...fresh, ...old]
  const gone = <VisibleText className="mono wrap-any" text={missing.join(', ')} />
  return (
    <YesNoRequest
      request={request}
      content={[...paths, scope].join('\n')}
      allowed={{ scope }}
      plain={anyHidden(paths)}
      yes={tx`Share with ${<ServerName name={server} />}`}
      no={t`Don’t share`}
    >
      <dl className="args">
        <Folders label={old.length > 0 ? t`new` : undefined} paths={fresh} />
        <Folders label={t`shared before`} paths={old} />
      </dl>
      {missing.length > 0 && (
        <WarnNotice title={t`Folders that you chose are missing`}>
          {tx`Not shared with ${<ServerName name={server} />}: ${gone}.`}
        </WarnNotice>
      )}
      <RadioList
        label={t`How long to allow it`}
        value={scope}
        choices={[
          { value: 'once', label: t`Once` },
          ...(request.conversationId === undefined ? [] : [{ value: 'conversation', label: t`For this chat` } as const]),
          { value: 'always', label: t`Always`, help: t`Asks again when a folder is added.` },
        ]}
        onChange={setScope}
      />
      <WhyAsked>{tx`${<ServerName name={server} />} sees the paths. Its sandbox decides what it can read.`}</WhyAsked>
    </YesNoRequest>
  )
}

function Folders({ label, paths }: { readonly label: string | undefined; readonly paths: readonly string[] }) {
  const [only] = paths
  if (only === undefined) return null
  return (
    <Fact label={label ?? t`Folders`}>
      <ArgumentValue at="" value={paths.length === 1 ? only : [...paths]} />
    </Fact>
  )
}

type Reach = Pick<OpenedMcpApp, 'domains' | 'refused' | 'refusedPermissions'>

const refusalLabels: Readonly<Record<RefusedDomain['why'], string>> = {
  'not-an-origin': t`not one host`,
  insecure: t`not encrypted`,
  wildcard: t`wider than one domain`,
  private: t`in your own network`,
  'too-many': t`too many to check`,
  frames: t`embeds pages`,
  origin: t`its own address`,
}
const permissionLabels: Readonly<Record<McpAppPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'place',
  clipboardWrite: 'clipboard',
}

export function McpAppReach({ domains: { connect, resource }, refused, refusedPermissions }: Reach) {
  return (
    <dl className="kv">
      <Places label={t`Talks to`} sources={connect} />
      <Places label={t`Loads from`} sources={resource} />
      {refused.length + refusedPermissions.length > 0 && (
        <Fact label={t`Refused`}>
          <ul className="plain-list">
            {refused.map(({ text, why }) => (
              <li key={`${why} ${text}`}>
                <VisibleText className="mono" text={text} /> <span className="dim">{refusalLabels[why]}</span>
              </li>
            ))}
            {refusedPermissions.length > 0 && <li>{tx`your ${refusedPermissions.map((name) => permissionLabels[name]).join(', ')}`}</li>}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

const Places = ({ label, sources }: { readonly label: string; readonly sources: readonly string[] }) =>
  sources.length > 0 && (
    <Fact label={label}>
      <ul className="plain-list">
        {sources.map((source) => (
          <li key={source}>
            <SourceName source={source} />
          </li>
        ))}
      </ul>
    </Fact>
  )

/** An MCP App that reaches the network: its hosts, and what it does not get. */
function McpAppCard({ request: { id, server, tool, app, answer } }: { readonly request: McpAppRequest }) {
  const card = useRef<HTMLElement>(null)
  const arming = useArming(card, app.fingerprint)
  const show = (): void => {
    if (arming.mayPress()) answer(true)
  }
  return (
    <AskFrame
      ids={[id]}
      card={card}
      mark={<ServerMark name={server} />}
      title={tx`${<ServerName name={server} />} has a view for ${<VisibleText className="mono tool-name" text={tool} />}`}
      onAllow={show}
      onDeny={() => answer(false)}
      footer={
        <>
          <AllowButton arming={arming} onPress={() => answer(true)}>
            {t`Show it`}
          </AllowButton>
          <DenyButton onPress={() => answer(false)}>{t`Don’t show it`}</DenyButton>
        </>
      }
    >
      <McpAppReach {...app} />
    </AskFrame>
  )
}

export const DockCard = ({ request }: { readonly request: DockRequest }) =>
  'app' in request ? <McpAppCard request={request} /> : <ConsentCard request={request} />

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
