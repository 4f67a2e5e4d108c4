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
  const choices: Choice<typeof fate>[] = [
    { value: 'once', label: t`End. Ask me each time` },
    { value: 'always', label: t`Apply to the new version`, help: <VisibleText text={facts.join('; ')} /> },
  ]
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
          {t`Approved ${formatWhen(previous.approvedAt, Date.now())}, changed ${formatWhen(request.createdAt, Date.now())}.`}
        </p>
      )}
      <WarnNotice title={t`Your rules for this tool are paused`}>
        {t`Until you decide, you are asked for each call. A changed description can instruct the model.`}
      </WarnNotice>
      {previous ? (
        <ChangedDefinition previous={previous} definition={definition} />
      ) : (
        <>
          <p className="dim">{t`The earlier version is no longer kept. This is the new one.`}</p>
          <ToolDescription server={server} tool={tool} title={definition.title} description={definition.description} />
        </>
      )}
      <div className="sec">
        <p className="label">{t`If you approve it, your paused rules:`}</p>
        <RadioList label={t`Paused rules`} value={fate} choices={choices} onChange={setFate} />
      </div>
    </YesNoRequest>
  )
}
