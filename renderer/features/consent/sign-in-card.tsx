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
          {t`Open the browser`} <Icon name="external" small />
        </>
      }
      no={t`Don’t sign in`}
      actions={<CopyButton text={url} label={t`Copy address`} />}
    >
      <p className="dim">
        {tx`Your browser would open this page. Assent doesn’t see what you type there, nor does ${<ServerName name={server} />} unless the page is its own. Assent then gets tokens that let it use ${<ServerName name={server} />} in your name.`}
      </p>
      <WebAddress url={url} />
      <dl className="kv">
        <Fact label={t`You sign in at`}>
          <AddressName url={issuer} />
        </Fact>
        <Fact label={t`Tokens go to`}>
          <AddressName url={resource} /> <span className="dim">{t`and nowhere else`}</span>
        </Fact>
        <Fact label={t`It asks for`}>
          <Scopes scopes={facts.scopes} server={server} />
        </Fact>
        <Fact label={t`It knows Assent`} className="dim">
          {clientLabels()[client]}
        </Fact>
      </dl>
      <Warnings facts={facts} server={server} hidden={hidden} />
      <WhyAsked>{tx`${whySentence(request.why)} Nothing opens before you say so, and you can sign out again.`}</WhyAsked>
    </YesNoRequest>
  )
}

const badges = {
  asked: null,
  new: <Badge tone="warn">{t`new`}</Badge>,
  granted: <Badge>{t`granted before`}</Badge>,
}

function Scopes({ scopes, server }: { readonly scopes: SignInFacts['scopes']; readonly server: string }) {
  if (scopes.length === 0)
    return (
      <span className="dim">{tx`${<ServerName name={server} />} did not say what. The page may; whatever you grant there, Assent can use.`}</span>
    )
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
      <WarnNotice title={t`“${server}” is at ${otherDomain.server}, the sign-in at ${otherDomain.issuer}.`}>
        {tx`Many services sign people in elsewhere. Go on if you have an account at ${otherDomain.issuer} and expect ${<ServerName name={server} />} to use it.`}
      </WarnNotice>
    )}
    {otherPage && (
      <BadNotice title={t`The page is of ${otherPage.page}, not of ${otherPage.issuer}.`}>
        {t`The issuer names a page of another domain. Type no password there unless you know why.`}
      </BadNotice>
    )}
    {lookAlike && (
      <WarnNotice title={t`It uses letters of another alphabet.`}>
        {t`Some of them look like Latin ones. Read it letter by letter.`}
      </WarnNotice>
    )}
    {hidden && (
      <BadNotice title={t`It holds a character that can’t be seen.`}>
        {t`It is spelled out where it stands. A real sign-in has no need of one.`}
      </BadNotice>
    )}
  </>
)
