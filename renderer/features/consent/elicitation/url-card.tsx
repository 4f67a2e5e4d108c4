// "ledger wants to open a page": the whole address, the domain that gets the visit, whether it is the server's own, and what
// is not known.
import { useRef } from 'react'
import { comparePage, foreignLetters, type PageDomain } from '#app/consent/display/page-domain.ts'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import { unicodeHost } from '#app/text/punycode.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Badge } from '#renderer/ui/badges.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { anyHidden } from '#renderer/ui/lib/has-hidden-text.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { addressParts, WebAddress } from '#renderer/ui/web-address.tsx'
import { AllowButton, DenyButton, SkipButton } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame } from '../request/request-frame.tsx'
import { allowChord, denyChord } from '../request/request-keys.ts'
import { useAnswer } from '../request/use-answer.ts'
import { useArming } from '../request/use-arming.ts'

export function UrlCard({ request }: { readonly request: ConsentRequestOf<'elicitation-url'> }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const arming = useArming(card, request.url)
  const parts = addressParts(request.url)
  const own = useServers((state) => state.list.find(({ name }) => name === request.server)?.definition)
  const compared = comparePage(request.url, own && 'url' in own ? own.url : undefined)
  const letters = foreignLetters(request.url)
  const wrong = letters.length > 0 || anyHidden(request.url) || (compared.kind === 'other' && compared.looksLike)
  const blocked = busy || !parts
  const allow = (): void => {
    if (!blocked && arming.mayPress()) answer({ kind: 'allow', scope: 'once' })
  }
  const decline = (): void => answer({ kind: 'deny' })
  const dismiss = (): void => answer({ kind: 'cancel' })
  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      beside={<Badge className="wide-only">{t`leaves Assent`}</Badge>}
      onAllow={allow}
      onDeny={decline}
      onEscape={dismiss}
      footer={
        <>
          <AllowButton arming={arming} plain={wrong} blocked={blocked} chord={allowChord} onPress={allow}>
            {t`Open in browser`} <Icon name="external" small />
          </AllowButton>
          <DenyButton chord={denyChord} onPress={decline}>
            {t`Decline`}
          </DenyButton>
          <CopyButton text={request.url} label={t`Copy address`} />
          <span className="grow" />
          <SkipButton onPress={dismiss} />
        </>
      }
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
          <dd className="dim">{tx`${domainWords(request.server, compared)} Assent hasn’t loaded the page.`}</dd>
        </dl>
      ) : (
        <Notice tone="bad" title={t`This is not a web address.`}>
          {t`Assent only opens pages that begin with http or https.`}
        </Notice>
      )}
      {compared.kind === 'other' && compared.looksLike && (
        <Notice tone="bad" title={t`${unicodeHost(compared.page)} is made to look like “${compared.server}”.`}>
          {t`They are two domains. Open it only if you know why its name is so near.`}
        </Notice>
      )}
      {letters.length > 0 && (
        <Notice tone="warn" title={t`It uses letters of another alphabet.`}>
          {tx`Some look like Latin ones: ${letters.map(({ letter, code }) => (
            <span key={code} className="mono">
              {letter} {code}{' '}
            </span>
          ))}`}
        </Notice>
      )}
    </ConsentRequestFrame>
  )
}

function domainWords(server: string, compared: PageDomain): string {
  switch (compared.kind) {
    case 'no-address':
      return t`“${server}” chose this address, and has none of its own to compare it with. Whose page it is, Assent can’t tell.`
    case 'same-host':
      return t`This is “${server}”’s own address: what you type there, “${server}” gets.`
    case 'same-ending':
      return t`“${server}”’s own address ends in ${compared.domain} too, so it may get what you type there. Assent compares that ending and knows no more.`
    case 'other':
      return t`This is not “${server}”’s own domain (${compared.server}). “${server}” chose it; whose it is, Assent can’t tell.`
    default:
      return assertNever(compared)
  }
}
