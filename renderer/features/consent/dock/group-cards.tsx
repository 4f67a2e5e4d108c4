// Questions for several requests at once: alike calls, and first starts of servers. Every value of every row is shown whole. All are ticked
// at first; the buttons say how many are. The pause before the yes begins anew when a row joins, goes, or is ticked.
import { type ReactNode, useRef, useState } from 'react'
import type { ConsentAnswer, ConsentRequest, ConsentScope, LaunchRequest, ToolCallRequest } from '#app/consent/request.ts'
import type { RuleTerms } from '#app/consent/rules/rule.ts'
import { narrowTerms } from '#app/consent/rules/rule-suggestions.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject, pointerTo } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, GhostButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/field.tsx'
import { Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText, VisibleValue } from '#renderer/ui/visible-text.tsx'
import { BriefStart, PlaceBadge } from '../launch/command-line-view.tsx'
import { AllowButton, DenyButton, DenyReason, UnfoldButton } from '../request/answer-buttons.tsx'
import { AskedFor, AskFrame, AskingAgent, useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { type AnswerScope, groupLabel, onceOnly, type RuleChoice, ScopeChoice, scopeOf } from '../request/scope-choice.tsx'
import { useArming } from '../request/use-arming.ts'
import { ArgumentList, ArgumentValue } from '../tool-call/argument-list.tsx'
import { becomes } from './questions.ts'

type Answer = Exclude<ConsentAnswer, { kind: 'cancel' }>

interface GroupProps<R> {
  readonly requests: readonly R[]
  /** Shows one of them by itself. */
  readonly onView: (id: string) => void
  /** Told once all were answered. */
  readonly onAnswered: (() => void) | undefined
}

/** `shownAs`: what a row shows, as text. `look`: everything else that is shown. */
function useGroup<R extends ConsentRequest>({ requests, onAnswered }: GroupProps<R>, shownAs: (request: R) => string, look: string) {
  const actions = useActions()
  const card = useRef<HTMLElement>(null)
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const chosen = requests.filter(({ id }) => !off.has(id))
  const arming = useArming(card, JSON.stringify([look, requests.map((one) => [one.id, shownAs(one), off.has(one.id)])]))
  const blocked = busy || chosen.length === 0
  /** Answers the ticked ones; what came or ended meanwhile is not answered. `last`: for the last of them, in place of `answer`. */
  const send = (answer: Answer, last: Answer = answer): void => {
    setBusy(true)
    const [first] = chosen
    const group = first && chosen.length > 1 ? { group: { id: first.id, size: chosen.length } } : {}
    const sent = chosen.map(({ id }, index) => actions.answer(id, { ...(index === chosen.length - 1 ? last : answer), ...group }))
    void Promise.all(sent).then(() => {
      setBusy(false)
      onAnswered?.()
    })
  }
  return {
    card,
    arming,
    blocked,
    chosen,
    count: chosen.length,
    isOn: ({ id }: R): boolean => !off.has(id),
    tick: ({ id }: R, on: boolean): void => setOff((before) => new Set([...before].filter((one) => one !== id).concat(on ? [] : [id]))),
    /** `last`: scope of the last answer, which makes the rule for all of them. */
    allow(scope: ConsentScope, last: AnswerScope = { scope }): void {
      if (!blocked && arming.mayPress()) send({ kind: 'allow', scope }, { kind: 'allow', ...last })
    },
    /** `stop`: the last denial ends the turn too. */
    deny(word = '', stop = false): void {
      const answer: Answer = { kind: 'deny', ...(word && { word }) }
      if (!blocked) send(answer, { ...answer, ...(stop && { stop }) })
    },
  }
}

interface RowProps {
  readonly name: string
  readonly on: boolean
  readonly onTick: (on: boolean) => void
  readonly onView: () => void
  readonly children: ReactNode
}

const Row = ({ name, on, onTick, onView, children }: RowProps) => (
  <li>
    <Checkbox checked={on} label={<VisibleText className="sr" text={name} />} onChange={onTick} />
    <div className="alike-value">{children}</div>
    <SmallGhostButton onClick={onView}>
      {t`View`}
      <VisibleText className="sr" text={` ${name}`} />
    </SmallGhostButton>
  </li>
)

const textOf = ({ arguments: args }: ToolCallRequest): string => JSON.stringify(args)

/** Names of arguments that have the same value in all calls. */
function sharedNames(requests: readonly ToolCallRequest[]): ReadonlySet<string> {
  const [first, ...rest] = requests
  const names = Object.keys(first?.arguments ?? {})
  const isShared = (name: string): boolean =>
    rest.every(({ arguments: args }) => JSON.stringify(args[name]) === JSON.stringify(first?.arguments[name]))
  const shared = names.filter(isShared)
  return new Set(shared.length === names.length ? [] : shared)
}

/** The narrowest rule that would answer each of them; undefined: it is not the same for all. */
function sharedTerms(requests: readonly ToolCallRequest[], local: boolean): RuleTerms | undefined {
  const [first, ...rest] = requests.map((one) => narrowTerms(one.arguments, local))
  return rest.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined
}

const only = (args: JsonObject, keep: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([name]) => keep(name)))

function RowArguments({ args }: { readonly args: JsonObject }) {
  const entries = Object.entries(args)
  const plain = becomes(Object.keys(args))
  if (entries.length === 0) return <span className="help">{t`no arguments`}</span>
  return entries.map(([name, value], index) => (
    <span key={name} className="alike-part">
      {plain ? (
        index > 0 && (
          <span className="faint" aria-hidden="true">
            →
          </span>
        )
      ) : (
        <VisibleText className="alike-name" text={name} />
      )}
      {isJsonObject(value) ? <VisibleValue text={JSON.stringify(value)} /> : <ArgumentValue value={value} at={pointerTo(name)} />}
    </span>
  ))
}

interface AlikeCallsProps extends GroupProps<ToolCallRequest> {
  /** Shows each by itself. */
  readonly onEach: () => void
}

/** Calls of one tool that differ in their arguments only. */
export function AlikeCallsCard(props: AlikeCallsProps) {
  const { requests, onView, onEach } = props
  const [open, setOpen] = useState<'nothing' | 'scopes' | 'word'>('nothing')
  const [wanted, setScope] = useState<RuleChoice>(onceOnly)
  const toggle = (what: typeof open): void => setOpen(open === what ? 'nothing' : what)
  const group = useGroup(props, ({ fingerprint, argumentsText }) => `${fingerprint} ${argumentsText}`, `${open} ${JSON.stringify(wanted)}`)
  const [first] = requests as readonly [ToolCallRequest, ...ToolCallRequest[]]
  const local = useServers((state) => state.list.some(({ name, definition }) => name === first.server && isLocal(definition)))
  const shared = sharedNames(requests)
  const why = useWhyLabel(first)
  const { count, arming, blocked } = group
  const offer = sharedTerms(group.chosen, local)
  // A rule would answer those that are not ticked, too.
  const isWhole = count === requests.length
  const scope = !isWhole || (wanted.choice === 'narrow' && !offer) ? onceOnly : wanted
  const allow = (chosen = scope): void => group.allow('once', scopeOf(chosen, offer, Date.now()))
  return (
    <AskFrame
      ids={requests.map(({ id }) => id)}
      card={group.card}
      mark={<ServerMark name={first.server} />}
      title={tx`${<ServerName name={first.agent?.name ?? first.server} />} wants to use ${<VisibleText className="mono tool-name" text={first.agent ? `${first.server} ${first.tool}` : first.tool} />} ${requests.length} times`}
      onAllow={() => allow()}
      onAllowHere={first.conversationId === undefined || !isWhole ? undefined : () => allow({ ...onceOnly, choice: 'conversation' })}
      onDeny={() => group.deny()}
      onReview={onEach}
      footer={
        open === 'word' ? (
          <DenyReason onDeny={group.deny} onCancel={() => setOpen('nothing')} />
        ) : (
          <>
            {open === 'scopes' && isWhole && <ScopeChoice request={first} value={scope} offer={offer} onChange={setScope} />}
            <span className={isWhole ? 'joined' : ''}>
              <AllowButton arming={arming} blocked={blocked} className={isWhole ? 'join' : ''} onPress={() => allow()}>
                {groupLabel(scope.choice, count)}
              </AllowButton>
              {isWhole && <UnfoldButton plain={false} open={open === 'scopes'} onPress={() => toggle('scopes')} />}
            </span>
            <DenyButton onPress={() => group.deny()}>{t`Deny ${count}`}</DenyButton>
            <GhostButton onClick={onEach}>{t`Review each`}</GhostButton>
            <span className="grow" />
            <GhostButton className="wide-only" onClick={() => toggle('word')}>{t`Deny with a reason…`}</GhostButton>
          </>
        )
      }
    >
      <AskedFor request={first} />
      <AskingAgent request={first} />
      {shared.size > 0 && <ArgumentList value={only(first.arguments, (name) => shared.has(name))} />}
      <ul className="alike">
        {requests.map((one) => (
          <Row key={one.id} name={textOf(one)} on={group.isOn(one)} onTick={(on) => group.tick(one, on)} onView={() => onView(one.id)}>
            <RowArguments args={only(one.arguments, (name) => !shared.has(name))} />
          </Row>
        ))}
      </ul>
      {first.why.kind !== 'no-rule' && <WhyAsked>{why}</WhyAsked>}
    </AskFrame>
  )
}

interface StartsProps extends GroupProps<LaunchRequest> {
  /** Goes on without them. Undefined: nothing waits for them. */
  readonly onWithout: (() => void) | undefined
}

/** First starts of several servers. Each command is one that fits its row; it is approved as if it stood by itself. */
export function StartsCard(props: StartsProps) {
  const { requests, onView, onWithout } = props
  const group = useGroup(props, ({ fingerprint }) => fingerprint, '')
  const { count, arming, blocked } = group
  const start = (): void => group.allow('always')
  return (
    <AskFrame
      ids={requests.map(({ id }) => id)}
      card={group.card}
      mark={<Icon name="servers" />}
      title={t`Start ${requests.length} servers?`}
      onAllow={start}
      allowKey={t`Start`}
      onDeny={() => group.deny()}
      denyKey={t`Don’t start`}
      footer={
        <>
          <AllowButton arming={arming} blocked={blocked} onPress={start}>
            {t`Start ${count} {server|servers}`}
          </AllowButton>
          {onWithout && <Button onClick={onWithout}>{t`Answer without them`}</Button>}
          <span className="grow" />
          <GhostButton onClick={() => group.deny()}>{t`Don’t start`}</GhostButton>
        </>
      }
    >
      <p className="help">{t`You are asked again only if the command changes.`}</p>
      <ul className="alike starts">
        {requests.map((one) => (
          <Row key={one.id} name={one.server} on={group.isOn(one)} onTick={(on) => group.tick(one, on)} onView={() => onView(one.id)}>
            <span className="row">
              <ServerMark name={one.server} />
              <ServerName name={one.server} />
              <span className="grow" />
              <PlaceBadge target={one.target} />
            </span>
            <BriefStart target={one.target} />
          </Row>
        ))}
      </ul>
    </AskFrame>
  )
}
