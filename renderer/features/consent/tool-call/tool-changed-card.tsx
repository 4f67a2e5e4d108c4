// A tool whose definition changed after it was approved: both versions, and the rules that are paused. No call waits for the
// answer. The yes is never highlighted: it is for a person who has read the change.
import { useState } from 'react'
import type { ToolChangedRequest } from '#app/consent/request.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { useConsent, useConversations } from '#renderer/stores/store-hooks.tsx'
import { CopyButton } from '#renderer/ui/button.tsx'
import { type Choice, RadioList } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { ruleFacts } from '../request/rule-labels.ts'
import { YesNoRequest } from '../request/yes-no-request.tsx'
import { diffText } from './definition-diff.ts'
import { ChangedDefinition, ToolDescription, useDefinitionDiff } from './tool-description.tsx'

export function ToolChangedCard({ request }: { readonly request: ToolChangedRequest }) {
  const [fate, setFate] = useState<'once' | 'always'>('once')
  const { server, tool, previous, definition } = request
  const diff = useDefinitionDiff(previous, definition)
  const rules = useConsent((state) => state.rules)
  const conversations = useConversations((state) => state.list)
  const paused = rules.filter(({ id }) => request.paused.includes(id))
  const facts = paused.map((rule) => {
    const { scope } = rule
    const chat = scope.kind === 'conversation' ? conversations.find(({ id }) => id === scope.conversationId) : undefined
    return `${ruleLabel(rule)} · ${ruleFacts(rule, chat?.title, Date.now())}`
  })
  const several = request.paused.length > 1
  const choices: Choice<typeof fate>[] = [
    { value: 'once', label: several ? t`end. Ask me each time` : t`ends. Ask me each time` },
    { value: 'always', label: several ? t`go on` : t`goes on`, help: <VisibleText text={facts.join('; ')} /> },
  ]
  const name = <VisibleText className="mono" text={tool} />
  return (
    <YesNoRequest
      request={request}
      content={`${request.fingerprint} ${fate}`}
      allowed={{ scope: fate }}
      plain
      yes={t`Approve the new version`}
      no={t`Block the tool`}
      noFirst
      lastActions={diff && <CopyButton words text={() => diffText(diff)} variant="ghost" label={t`Copy as text`} />}
    >
      {previous && (
        <p className="dim">
          {tx`You approved it ${formatWhen(previous.approvedAt, Date.now())}. It is listed otherwise since ${formatWhen(request.createdAt, Date.now())}.`}
        </p>
      )}
      <WarnNotice title={several ? t`Your rules about it are paused.` : t`Your rule about it is paused.`}>
        {t`Until you decide, each call of it asks you. A tool that was harmless can come back with an order in its description.`}
      </WarnNotice>
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
    </YesNoRequest>
  )
}
