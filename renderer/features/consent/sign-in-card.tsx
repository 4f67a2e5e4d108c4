// OAuth sign-in (MCP, "Authorization"): authorization server, scopes, and the resource that gets the tokens. Nothing opens before the yes.

import { whySentence } from '#app/consent/display/request-title.ts'
import type { SignInRequest } from '#app/consent/request.ts'
import { clientLabels, type SignInFacts, signInFacts } from '#app/consent/sign-in-warnings.ts'
import { t } from '#app/i18n/translate.ts'
import { CopyButton } from '#renderer/ui/button.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { AddressName, addressParts, anyHidden, ServerName, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'
import { WhyAsked } from './request/request-frame.tsx'
import { YesNoRequest } from './request/yes-no-request.tsx'

export function SignInCard({ request }: { readonly request: SignInRequest }) {
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
