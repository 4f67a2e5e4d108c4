// "linear wants you to sign in at auth.example.com": whose page it is, what is asked for, and the one place that gets
// the tokens. The browser opens only after the yes.
import { useRef } from 'react'
import type { SignInRequest } from '#app/consent/request.ts'
import { whySentence } from '#app/consent/sentence.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { addressParts, isPunycode, WebAddress } from '#renderer/ui/web-address.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { AskFrame } from './ask-frame.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { Why } from './why.tsx'

export function SignInCard({ request }: { readonly request: SignInRequest }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const arming = useArming(card, request.url)
  const lookAlike = isPunycode(request.url) || isPunycode(request.issuer)
  const hidden = anyHidden([request.issuer, request.resource, request.url, ...request.scopes])
  const blocked = busy || !addressParts(request.url)
  const allow = (): void => {
    if (!blocked && arming.mayPress()) answer({ kind: 'allow', scope: 'once' })
  }
  const deny = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      beside={<Badge className="wide-only">leaves Assent</Badge>}
      onAllow={allow}
      onDeny={deny}
      footer={
        <>
          <AllowButton arming={arming} plain={lookAlike || hidden} blocked={blocked} chord={allowChord} onPress={allow}>
            Open the browser <Icon name="external" small />
          </AllowButton>
          <DenyButton chord={denyChord} onPress={deny}>
            Not now
          </DenyButton>
          <span className="grow" />
          <CopyButton text={request.url} label="Copy address" />
        </>
      }
    >
      <WebAddress url={request.url} />
      <dl className="kv">
        <dt>Issuer</dt>
        <dd>
          <Revealed text={request.issuer} />
        </dd>
        <dt>Tokens go to</dt>
        <dd>
          <Revealed text={request.resource} />, nowhere else
        </dd>
      </dl>
      {lookAlike && (
        <Notice tone="warn" title="It uses letters of another alphabet.">
          Some of them look like Latin ones. Read it letter by letter.
        </Notice>
      )}
      <Why>{whySentence(request.why)}</Why>
    </AskFrame>
  )
}
