import type { Rule } from '#app/consent/rule.ts'
import { rulePieces, ruleWords } from '#app/consent/rule-words.ts'
import { useActions, useConsent, useConversations, useServers, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
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
  const { scope, server } = rule
  const title = useConversations((state) =>
    scope.kind === 'conversation' ? state.list.find(({ id }) => id === scope.conversationId)?.title : undefined,
  )
  const known = useServers((state) => server === undefined || state.list.some(({ name }) => name === server))
  const revoke = async (): Promise<void> => {
    const done = await ask('rule.remove', { id: rule.id })
    if (!done) return
    const whose = server ?? 'Every server'
    showToast(view, rule.effect === 'allow' ? `Rule revoked. ${whose} is asked again.` : 'Rule revoked.', {
      action: { label: 'Undo', run: () => go('rule.restore', { id: rule.id }) },
    })
  }
  return (
    <li>
      {server === undefined ? <Icon name="globe" /> : <ServerMark name={server} />}
      <div className="grow">
        <p className="row wrap">
          <span className="wrap-any">
            <Pieces pieces={rulePieces(rule)} />
          </span>
          {known ? null : <Badge>server removed</Badge>}
        </p>
        <p className="help">{ruleFacts(rule, title, Date.now())}</p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="quiet"
        aria-label={`Revoke the rule for ${ruleWords(rule)}`}
        onClick={() => void revoke()}
      >
        Revoke
      </Button>
    </li>
  )
}
