// The rules by group, each with its uses, and a test that says what the rules would do with a call.

import { useEffect, useId, useMemo, useState } from 'react'
import { whySentence } from '#app/consent/display/request-title.ts'
import type { Explanation } from '#app/consent/rules/explain-decision.ts'
import type { Rule, RuleUsage } from '#app/consent/rules/rule.ts'
import { conditionPieces, joinPieces, ruleLabel, rulePieces } from '#app/consent/rules/rule-labels.ts'
import { describeError } from '#app/errors.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { useActions, useConsent, useConversations, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { FieldError, SelectField, TextAreaField } from '#renderer/ui/field.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { Empty } from '#renderer/ui/notice.tsx'
import { Pieces } from '#renderer/ui/visible-text.tsx'
import { groupRules, ruleFacts, ruleGroupTitle, ruleUsageLabel } from '../consent/request/rule-labels.ts'
import { onNewRows } from './audit-actions.tsx'
import { revokeRule } from './revoke-rule.ts'
import { type BegunRule, RuleEditor, ToolField, useServerTools } from './rule-editor.tsx'

export function verdictLabel(verdict: Explanation['verdict']): string {
  if (verdict.kind === 'ask') return `${t`Ask`}: ${whySentence(verdict.why)}`
  return verdict.kind === 'allow' ? t`Allowed` : t`Denied`
}

const effects: Record<Rule['effect'], string> = { allow: t`Allow`, ask: t`Ask`, deny: t`Deny` }

/** Says whether the rule applies to the call, and if not, why not. */
export function matchReason(rule: Rule, looked: Explanation['rules'][number], decides: boolean): string {
  const conditions = rule.conditions ?? []
  const failing = conditions.filter((_, index) => looked.conditions[index] === 'no')
  const unsure = conditions.filter((_, index) => looked.conditions[index] === 'unsure')
  const words = (list: typeof conditions): string => formatList(list.map((one) => `“${joinPieces(conditionPieces(one))}”`))
  if (looked.expired) return t`expired`
  if (failing.length > 0) return t`Does not apply: ${words(failing)}.`
  if (looked.otherArguments.length > 0) return t`Does not apply: ${looked.otherArguments.join(', ')}.`
  if (unsure.length > 0) return t`Cannot tell whether ${words(unsure)}.`
  if (looked.void) return t`The tool has changed.`
  return decides ? t`Applies: ${effects[rule.effect]}.` : t`Applies, but another rule takes precedence.`
}

/** Asks the rules about a call that nobody makes. */
function RuleTest() {
  const { attempt } = useActions()
  const servers = useServers((state) => state.list)
  const rules = useConsent((state) => state.rules)
  const [server, setServer] = useState(servers[0]?.name ?? '')
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState('{}')
  const [said, setSaid] = useState<Explanation>()
  const [error, setError] = useState<string | undefined>(undefined)
  const headId = useId()
  const tools = useServerTools(server)
  const ask = async (): Promise<void> => {
    setSaid(undefined)
    const value = parse(args)
    if (!value) return setError(t`The arguments are not a JSON object.`)
    const outcome = await attempt('rule.test', { server, tool: tool.trim(), arguments: value })
    setError(outcome.ok ? undefined : describeError(outcome.error).message)
    if (outcome.ok) setSaid(outcome.value)
  }
  return (
    <section className="sec rule-test" aria-labelledby={headId}>
      <h2 className="h3" id={headId}>
        {t`Test a call`}
      </h2>
      <div className="rule-fields">
        <SelectField
          label={t`Server`}
          value={server}
          options={servers.map(({ name }) => ({ value: name, label: name }))}
          onChoose={setServer}
        />
        <ToolField tools={tools} value={tool} onText={setTool} />
      </div>
      <TextAreaField label={t`Arguments`} help={t`As JSON. Nothing runs.`} mono rows={3} value={args} onText={setArgs} />
      <p>
        <Button aria-disabled={tool.trim() === '' || undefined} onClick={() => tool.trim() !== '' && void ask()}>
          {t`Test`}
        </Button>
      </p>
      <div role="status" className="sec">
        {error !== undefined && <FieldError>{error}</FieldError>}
        {said && (
          <>
            <p className="strong">{verdictLabel(said.verdict)}</p>
            {said.rules.length === 0 && <p className="help">{t`No rule covers this.`}</p>}
            <ul className="lines">
              {said.rules.map((looked) => {
                const rule = rules.find(({ id }) => id === looked.id)
                return rule ? (
                  <li key={looked.id}>
                    <div className="grow">
                      <p className="wrap-any">
                        <Pieces pieces={rulePieces(rule)} />
                      </p>
                      <p className="help">
                        {matchReason(rule, looked, looked.id === (said.verdict.kind === 'ask' ? undefined : said.verdict.ruleId))}
                      </p>
                    </div>
                  </li>
                ) : null
              })}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Uses of each rule by id, fetched again when a call may have used a rule or a rule changed; undefined until then. */
function useRuleUsages(): Readonly<Record<string, RuleUsage>> | undefined {
  const { hostConnection } = useStores()
  const [news, setNews] = useState(0)
  const rules = useConsent((state) => state.rules)
  useEffect(() => onNewRows(hostConnection, () => setNews((count) => count + 1)), [hostConnection])
  // Another set of rules is a reason to ask again too.
  const turn = useMemo(() => ({ rules, news }), [rules, news])
  return useHostAnswer('rule.uses', {}, turn).value?.uses
}

/** `begin`: what a new rule is to be about. */
export function RulesTab({ begin = {} }: { readonly begin?: BegunRule }) {
  const rules = useConsent((state) => state.rules)
  const uses = useRuleUsages()
  const [editing, setEditing] = useState<'none' | 'new' | { readonly id: string }>(begin.server === undefined ? 'none' : 'new')
  const done = (): void => setEditing('none')
  return (
    <>
      <div className="row rules-head">
        <p className="lede">{t`Allow or deny without asking. Deny rules take precedence.`}</p>
        {editing !== 'new' && (
          <Button icon="plus" onClick={() => setEditing('new')}>
            {t`New rule`}
          </Button>
        )}
      </div>
      {editing === 'new' && <RuleEditor begin={begin} onDone={done} />}
      {rules.length === 0 && editing === 'none' && (
        <Empty icon="shield" title={t`No rules yet`}>
          <p>{t`Choose “Always” in a request, or add a rule here.`}</p>
        </Empty>
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
                  use={uses && ruleUsageLabel(rule, uses[rule.id], Date.now())}
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

/** `use`: uses of the rule, as text; undefined until they are known. */
function RuleLine({ rule, use, onEdit }: { readonly rule: Rule; readonly use: string | undefined; readonly onEdit: () => void }) {
  const stores = useStores()
  const { scope, server } = rule
  const title = useConversations((state) =>
    scope.kind === 'conversation' ? state.list.find(({ id }) => id === scope.conversationId)?.title : undefined,
  )
  const known = useServers((state) => server === undefined || state.list.some(({ name }) => name === server))
  const change = useConsent((state) => state.requests.find((one) => one.kind === 'tool-changed' && one.paused.includes(rule.id)))
  const over = rule.expiresAt !== undefined && rule.expiresAt <= Date.now()
  const words = ruleLabel(rule)
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
          {over && <Badge>{t`expired`}</Badge>}
        </p>
        <p className="help">{[ruleFacts(rule, title, Date.now()), use].filter(Boolean).join(' · ')}</p>
      </div>
      <span className="row rule-actions">
        {change && <SmallLink to={{ page: 'requests', id: change.id }}>{t`Review…`}</SmallLink>}
        {rule.flow === undefined && (
          <SmallGhostButton className="quiet" aria-label={t`Edit ${words}`} onClick={onEdit}>
            {t`Edit`}
          </SmallGhostButton>
        )}
        <SmallGhostButton className="quiet" onClick={() => void revokeRule(stores, rule)}>
          {t`Revoke`} <span className="sr">{words}</span>
        </SmallGhostButton>
      </span>
    </li>
  )
}
