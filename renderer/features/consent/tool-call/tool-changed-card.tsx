// "github changed the tool add_comment": what it was and what it is, and what becomes of the rules about it. Nothing waits
// for the answer. Its yes is never the button to press: it is for whoever has read the change.

import { useRef, useState } from 'react'
import type { ToolChangedRequest } from '#app/consent/request.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { ruleFacts } from '#renderer/features/consent/request/rule-labels.ts'
import { useConsent, useConversations } from '#renderer/stores/store-hooks.tsx'
import { type Choice, RadioList } from '#renderer/ui/choices.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, SkipButton } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame } from '../request/request-frame.tsx'
import { allowChord, denyChord } from '../request/request-keys.ts'
import { useAnswer } from '../request/use-answer.ts'
import { useArming } from '../request/use-arming.ts'
import { diffText } from './definition-diff.ts'
import { ChangedDefinition, ToolDescription, useDefinitionDiff } from './tool-description.tsx'

type Fate = 'once' | 'always'

export function ToolChangedCard({ request }: { readonly request: ToolChangedRequest }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const [fate, setFate] = useState<Fate>('once')
  const arming = useArming(card, `${request.fingerprint} ${fate}`)
  const { server, tool, previous, definition } = request
  const diff = useDefinitionDiff(previous, definition)
  const rules = useConsent((state) => state.rules)
  const conversations = useConversations((state) => state.list)
  const paused = rules.filter(({ id }) => request.paused.includes(id))
  const titleOf = (id: string | undefined): string | undefined => conversations.find((one) => one.id === id)?.title
  const facts = paused.map((rule) => {
    const title = titleOf(rule.scope.kind === 'conversation' ? rule.scope.conversationId : undefined)
    return `${ruleLabel(rule)} · ${ruleFacts(rule, title, Date.now())}`
  })
  const several = request.paused.length > 1
  const choices: Choice<Fate>[] = [
    { value: 'once', label: several ? t`end. Ask me each time` : t`ends. Ask me each time` },
    { value: 'always', label: several ? t`go on` : t`goes on`, help: <VisibleText text={facts.join('; ')} /> },
  ]
  const allow = (): void => {
    if (!busy && arming.mayPress()) answer({ kind: 'allow', scope: fate })
  }
  const block = (): void => answer({ kind: 'deny' })
  const name = <VisibleText className="mono" text={tool} />
  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      onAllow={allow}
      onDeny={block}
      footer={
        <>
          <DenyButton chord={denyChord} onPress={block}>
            {t`Block the tool`}
          </DenyButton>
          <AllowButton arming={arming} plain blocked={busy} chord={allowChord} onPress={allow}>
            {t`Approve the new version`}
          </AllowButton>
          <span className="grow" />
          {diff && (
            <CopyButton text={() => diffText(diff)} label={t`Copy the difference`} variant="ghost">
              {t`Copy as text`}
            </CopyButton>
          )}
          <SkipButton />
        </>
      }
    >
      {previous && (
        <p className="dim">
          {tx`You approved it ${formatWhen(previous.approvedAt, Date.now())}. It is listed otherwise since ${formatWhen(request.createdAt, Date.now())}.`}
        </p>
      )}
      <Notice tone="warn" title={several ? t`Your rules about it are paused.` : t`Your rule about it is paused.`}>
        {t`Until you decide, each call of it asks you. A tool that was harmless can come back with an order in its description.`}
      </Notice>
      {previous ? (
        <ChangedDefinition previous={previous} definition={definition} />
      ) : (
        <>
          <p className="dim">{t`What it was is not kept any more. This is what it is now.`}</p>
          <ToolDescription server={server} tool={tool} title={definition.title} description={definition.description} />
        </>
      )}
      <div className="sec">
        <p className="label">
          {several
            ? tx`If you approve the new version of ${name}, your paused rules`
            : tx`If you approve the new version of ${name}, your paused rule`}
        </p>
        <RadioList label={t`What becomes of what you allowed`} value={fate} choices={choices} onChange={setFate} />
      </div>
    </ConsentRequestFrame>
  )
}
