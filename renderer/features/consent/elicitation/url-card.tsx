// URL elicitation (MCP 2025-11-25, "Elicitation", URL mode): the whole address, its domain, and whether that is the server's own.
import { comparePage, foreignLetters, type PageDomain } from '#app/consent/display/page-domain.ts'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { CopyButton } from '#renderer/ui/button.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { addressParts, anyHidden, VisibleText, WebAddress } from '#renderer/ui/visible-text.tsx'
import { YesNoRequest } from '../request/yes-no-request.tsx'

export function UrlCard({ request }: { readonly request: ConsentRequestOf<'elicitation-url'> }) {
  const parts = addressParts(request.url)
  const own = useServers((state) => state.list.find(({ name }) => name === request.server)?.definition)
  const compared = comparePage(request.url, own && 'url' in own ? own.url : undefined)
  const letters = foreignLetters(request.url)
  const wrong = letters.length > 0 || anyHidden([request.url, request.message]) || (compared.kind === 'other' && compared.looksLike)
  return (
    <YesNoRequest
      request={request}
      content={request.url}
      beside={<Badge className="wide-only">{t`leaves Assent`}</Badge>}
      plain={wrong}
      impossible={!parts}
      yes={
        <>
          {t`Open in browser`} <Icon name="external" small />
        </>
      }
      no={t`Decline`}
      actions={<CopyButton text={request.url} label={t`Copy address`} />}
      cancellable
    >
      {request.message !== '' && (
        <p className="dim">
          “<VisibleText text={request.message} />”
        </p>
      )}
      <WebAddress url={request.url} />
      {parts ? (
        <dl className="kv">
          <dt>{t`Goes to`}</dt>
          <dd className="strong">{parts.domain}</dd>
          <dt>{t`Why this matters`}</dt>
          <dd className="dim">{tx`${domainWords(request.server, compared)} Not loaded yet.`}</dd>
        </dl>
      ) : (
        <BadNotice title={t`This is not a web address.`}>{t`Only http and https addresses without a password are opened.`}</BadNotice>
      )}
      {compared.kind === 'other' && compared.looksLike && (
        <BadNotice title={t`${compared.page} looks like ${compared.server}.`}>
          {t`They are two domains. Open it only if you expect this one.`}
        </BadNotice>
      )}
      {letters.length > 0 && (
        <WarnNotice title={t`Letters of another alphabet`}>
          {tx`Some look like Latin ones: ${letters.map(({ letter, code }) => (
            <span key={code} className="mono">
              {letter} {code}{' '}
            </span>
          ))}`}
        </WarnNotice>
      )}
    </YesNoRequest>
  )
}

function domainWords(server: string, compared: PageDomain): string {
  switch (compared.kind) {
    case 'no-address':
      return t`Chosen by “${server}”. Assent cannot tell whose page it is.`
    case 'same-host':
      return t`This is the address of “${server}”: it gets what you type there.`
    case 'same-ending':
      return t`“${server}” is also at ${compared.domain}, and may get what you type.`
    case 'other':
      return t`Not the domain of “${server}” (${compared.server}). Assent cannot tell whose it is.`
    default:
      return assertNever(compared)
  }
}
