import { useState } from 'react'
import type { Rule } from '#app/consent/rule.ts'
import { rulePieces, ruleWords } from '#app/consent/rule-words.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConsent, useConversations, useServers, useStores } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { revokeRule } from './revoke-rule.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RuleTest } from './rule-test.tsx'
import { answeredWords, groupRules, ruleFacts, ruleGroupTitle } from './rule-words.ts'
import { useRuleUses } from './use-rule-uses.ts'

/** `new`: one is being written; an id: that one is. */
type Editing = 'none' | 'new' | { readonly id: string }

export function RulesTab() {
  const rules = useConsent((state) => state.rules)
  const uses = useRuleUses()
  const [editing, setEditing] = useState<Editing>('none')
  const done = (): void => setEditing('none')
  return (
    <>
      <div className="row rules-head">
        <p className="lede">
          {t`A rule answers for you. Anything without a rule is asked. A “never” always wins, and a change to the tool pauses every rule about it.`}
        </p>
        {editing !== 'new' && (
          <Button icon="plus" onClick={() => setEditing('new')}>
            {t`New rule`}
          </Button>
        )}
      </div>
      {editing === 'new' && <RuleEditor onDone={done} />}
      {rules.length === 0 && editing === 'none' && (
        <div className="empty">
          <p className="strong">{t`You have no rules.`}</p>
          <p>{t`So every call is asked. A rule comes from a request: allow it for the conversation or always, and it is listed here.`}</p>
        </div>
      )}
      {groupRules(rules).map(({ group, rules: members }) => (
        <section key={group} className="sec">
          <h2 className="h3">{ruleGroupTitle[group]}</h2>
          <ul className="lines">
            {members.map((rule) =>
              typeof editing === 'object' && editing.id === rule.id ? (
                <li key={rule.id} className="edited-rule">
                  <RuleEditor rule={rule} onDone={done} />
                </li>
              ) : (
                <RuleLine
                  key={rule.id}
                  rule={rule}
                  use={uses && answeredWords(rule, uses[rule.id], Date.now())}
                  onEdit={() => setEditing({ id: rule.id })}
                />
              ),
            )}
          </ul>
        </section>
      ))}
      <RuleTest />
    </>
  )
}

interface RuleLineProps {
  readonly rule: Rule
  /** How often it answered, in words; undefined: not known yet. */
  readonly use: string | undefined
  readonly onEdit: () => void
}

function RuleLine({ rule, use, onEdit }: RuleLineProps) {
  const stores = useStores()
  const { scope, server } = rule
  const title = useConversations((state) =>
    scope.kind === 'conversation' ? state.list.find(({ id }) => id === scope.conversationId)?.title : undefined,
  )
  const known = useServers((state) => server === undefined || state.list.some(({ name }) => name === server))
  const change = useConsent((state) => state.requests.find((one) => one.kind === 'tool-changed' && one.paused.includes(rule.id)))
  const over = rule.expiresAt !== undefined && rule.expiresAt <= Date.now()
  const words = ruleWords(rule)
  return (
    <li>
      {server === undefined ? <Icon name="globe" /> : <ServerMark name={server} />}
      <div className="grow">
        <p className="row wrap">
          <span className="wrap-any">
            <Pieces pieces={rulePieces(rule)} />
          </span>
          {known ? null : <Badge>{t`server removed`}</Badge>}
          {change && <Badge tone="warn">{t`paused`}</Badge>}
          {over && <Badge>{t`over`}</Badge>}
        </p>
        <p className="help">{[ruleFacts(rule, title, Date.now()), use].filter(Boolean).join(' · ')}</p>
      </div>
      <span className="row rule-actions">
        {change && (
          <LinkButton size="sm" href={hrefOf({ page: 'requests', id: change.id })}>
            {t`Read the change`}
          </LinkButton>
        )}
        <Button size="sm" variant="ghost" className="quiet" aria-label={t`Edit the rule for ${words}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="quiet"
          aria-label={t`Revoke the rule for ${words}`}
          onClick={() => void revokeRule(stores, rule)}
        >
          {t`Revoke`}
        </Button>
      </span>
    </li>
  )
}
