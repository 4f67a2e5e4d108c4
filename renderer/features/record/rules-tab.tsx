import type { Rule } from '#app/consent/rule.ts'
import { useActions, useConsent, useConversations, useServers, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { groupRules, ruleFacts, ruleGroupTitle } from './rule-words.ts'

export function RulesTab() {
  const rules = useConsent((state) => state.rules)
  if (rules.length === 0) {
    return (
      <div className="empty">
        <p className="strong">You have no rules.</p>
        <p>So every call is asked. A rule comes from a request: allow it for the conversation or always, and it is listed here.</p>
      </div>
    )
  }
  return (
    <>
      <p className="lede">
        A rule answers for you. Anything without a rule is asked. A “never” always wins, and a change to the tool pauses every rule about
        it.
      </p>
      {groupRules(rules).map(({ group, rules: members }) => (
        <section key={group} className="sec">
          <h2 className="h3">{ruleGroupTitle[group]}</h2>
          <ul className="lines">
            {members.map((rule) => (
              <RuleLine key={rule.id} rule={rule} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function RuleLine({ rule }: { readonly rule: Rule }) {
  const { ask, go } = useActions()
  const { view } = useStores()
  const { scope } = rule
  const title = useConversations((state) =>
    scope.kind === 'conversation' ? state.list.find(({ id }) => id === scope.conversationId)?.title : undefined,
  )
  const known = useServers((state) => state.list.some(({ name }) => name === rule.server))
  const what = rule.tool ?? `every tool of ${rule.server}`
  const revoke = async (): Promise<void> => {
    const done = await ask('rule.remove', { id: rule.id })
    if (!done) return
    showToast(view, `Rule revoked. ${rule.server} is asked again.`, {
      action: { label: 'Undo', run: () => go('rule.restore', { id: rule.id }) },
    })
  }
  return (
    <li>
      <ServerMark name={rule.server} />
      <div className="grow">
        <p className="row wrap">
          {rule.tool === undefined ? (
            <span>
              every tool of <b>{rule.server}</b>
            </span>
          ) : (
            <span className="wrap-any">
              <span className="dim">{rule.server}</span> <span className="mono">{rule.tool}</span>{' '}
              <span className="dim">with any arguments</span>
            </span>
          )}
          {known ? null : <Badge>server removed</Badge>}
        </p>
        <p className="help">{ruleFacts(rule, title, Date.now())}</p>
      </div>
      <Button size="sm" variant="ghost" className="quiet" aria-label={`Revoke the rule for ${what}`} onClick={() => void revoke()}>
        Revoke
      </Button>
    </li>
  )
}
