// All that decides a tool call, for its card and its sheet alike: what would be sent, whether Allow may be pressed, and
// the answers. How it looks is theirs.
import { type RefObject, useState } from 'react'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { RuleTerms } from '#app/consent/rules/rule.ts'
import { narrowTerms } from '#app/consent/rules/rule-suggestions.ts'
import { isAlwaysAsked } from '#app/consent/taint/taint.ts'
import type { JsonObject } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import { useRequestDraft, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { anyHidden } from '#renderer/ui/lib/has-hidden-text.ts'
import { forRefusal, onceOnly, type RuleChoice, scopeOf } from '../request/scope-choice.tsx'
import { type AnswerFollower, useAnswer } from '../request/use-answer.ts'
import { type Arming, useArming } from '../request/use-arming.ts'

export interface ToolDecision {
  /** The arguments that would be sent. */
  readonly shown: JsonObject
  readonly edited: boolean
  /** The text of the open editor. */
  readonly text: string | undefined
  readonly hidden: boolean
  readonly changed: boolean
  readonly blocked: boolean
  readonly arming: Arming
  /** No rule answers such a call: it is allowed once, or not. */
  readonly onceOnly: boolean
  readonly scope: RuleChoice
  readonly setScope: (scope: RuleChoice) => void
  /** The narrowest rule that would answer what is shown. */
  readonly offer: RuleTerms | undefined
  readonly allow: () => void
  /** For this conversation; undefined outside of any. */
  readonly allowHere: (() => void) | undefined
  /** `stop`: the answer that called ends with it. `chosen`: how long it stands; default: once. */
  readonly deny: (word?: string, stop?: boolean, chosen?: RuleChoice) => void
  readonly edit: () => void
  readonly write: (text: string) => void
  readonly use: (value: JsonObject) => void
  readonly leave: () => void
  readonly undo: () => void
}

interface Options {
  /** What must stand still before Allow works. */
  readonly place: RefObject<HTMLElement | null>
  /** Changes whenever anything else about the look does. */
  readonly look: string
  readonly follower?: AnswerFollower
}

export function useToolDecision(request: ToolCallRequest, { place, look, follower }: Options): ToolDecision {
  const { requestDrafts } = useStores()
  const { busy, answer } = useAnswer(request, follower)
  const [scope, setScope] = useState<RuleChoice>(onceOnly)
  const local = useServers((state) => state.list.some(({ name, definition }) => name === request.server && isLocal(definition)))
  const draft = useRequestDraft(request.id)
  const { text } = draft
  const same = draft.edited !== undefined && canonicalToolJson(draft.edited) === canonicalToolJson(request.arguments)
  const edited = same ? undefined : draft.edited
  const shown = edited ?? request.arguments
  const editing = text !== undefined
  const arming = useArming(place, `${request.argumentsText} ${request.fingerprint} ${JSON.stringify(edited)} ${editing} ${look}`)
  const blocked = busy || editing

  const alwaysAsked = isAlwaysAsked(request) || request.why.kind === 'own-folder'
  const offer = narrowTerms(shown, local)
  const allow = (chosen: RuleChoice): void => {
    if (blocked || !arming.mayPress()) return
    answer({ kind: 'allow', ...scopeOf(chosen, offer, Date.now()), ...(edited && { arguments: edited }) })
  }
  const kept = edited && { edited }
  return {
    shown,
    edited: edited !== undefined,
    text,
    hidden: anyHidden(shown),
    changed: request.why.kind === 'tool-changed' || request.previous !== undefined,
    blocked,
    arming,
    onceOnly: alwaysAsked,
    scope,
    setScope,
    offer,
    allow: () => allow(scope),
    allowHere: request.conversationId === undefined || alwaysAsked ? undefined : () => allow({ ...onceOnly, choice: 'conversation' }),
    deny(word, stop, chosen = onceOnly) {
      const lasts = chosen.choice === 'once' ? {} : scopeOf(chosen, offer && forRefusal(offer), Date.now())
      answer({ kind: 'deny', ...(word && { word }), ...(stop && { stop }), ...lasts })
    },
    edit: () => {
      if (!editing) requestDrafts.set(request.id, { ...kept, text: JSON.stringify(shown, null, 2) })
    },
    write: (next) => requestDrafts.set(request.id, { ...kept, text: next }),
    use: (value) => requestDrafts.set(request.id, { edited: value }),
    leave: () => requestDrafts.set(request.id, { ...kept }),
    undo: () => requestDrafts.set(request.id, {}),
  }
}
