// "ledger wants to open a page": the whole address, the domain that gets the visit, and what is not known.
import { useRef } from 'react'
import { isPunycode } from '#app/consent/domain.ts'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { addressParts, WebAddress } from '#renderer/ui/web-address.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { AskFrame } from './ask-frame.tsx'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'

export function UrlCard({ request }: { readonly request: ConsentRequestOf<'elicitation-url'> }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const arming = useArming(card, request.url)
  const parts = addressParts(request.url)
  const lookAlike = isPunycode(request.url)
  const hidden = anyHidden(request.url)
  const blocked = busy || !parts
  const allow = (): void => {
    if (!blocked && arming.mayPress()) answer({ kind: 'allow', scope: 'once' })
  }
  const decline = (): void => answer({ kind: 'deny' })
  const dismiss = (): void => answer({ kind: 'cancel' })
  return (
    <AskFrame
      request={request}
      card={card}
      beside={<Badge className="wide-only">leaves Assent</Badge>}
      onAllow={allow}
      onDeny={decline}
      onEscape={dismiss}
      footer={
        <>
          <AllowButton arming={arming} plain={lookAlike || hidden} blocked={blocked} chord={allowChord} onPress={allow}>
            Open in browser <Icon name="external" small />
          </AllowButton>
          <DenyButton chord={denyChord} onPress={decline}>
            Decline
          </DenyButton>
          <CopyButton text={request.url} label="Copy address" />
          <span className="grow" />
          <NotNow onPress={dismiss} />
        </>
      }
    >
      {request.message !== '' && (
        <p className="dim">
          “<Revealed text={request.message} />”
        </p>
      )}
      <WebAddress url={request.url} />
      {parts ? (
        <dl className="kv">
          <dt>Goes to</dt>
          <dd className="strong">{parts.domain}</dd>
          <dt>Know this</dt>
          <dd className="dim">
            {request.server} chose this address and doesn’t see what you type there, unless the page is its own. Assent hasn’t loaded the
            page.
          </dd>
        </dl>
      ) : (
        <Notice tone="bad" title="This is not a web address.">
          Assent only opens pages that begin with http or https.
        </Notice>
      )}
      {lookAlike && (
        <Notice tone="warn" title="It uses letters of another alphabet.">
          Some of them look like Latin ones. Read it letter by letter.
        </Notice>
      )}
    </AskFrame>
  )
}
