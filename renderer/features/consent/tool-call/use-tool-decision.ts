// The decision about a tool call, for its card and its sheet: the arguments that would be sent, whether Allow works, the answers.
import { type RefObject, useMemo, useState } from 'react'
import { canonicalToolJson } from '#app/canonical-json.ts'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { narrowTerms } from '#app/consent/rules/rule-suggestions.ts'
import type { JsonObject } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import type { RequestDraft } from '#renderer/stores/request-drafts.ts'
import { useRequestDraft, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { mixesLineEnds } from '#renderer/ui/lib/text-diff.ts'
import { anyHidden } from '#renderer/ui/visible-text.tsx'
import { forRefusal, onceOnly, type RuleChoice, scopeOf } from '../request/scope-choice.tsx'
import { type AnswerFollower, useAnswer } from '../request/use-answer.ts'
import { useArming } from '../request/use-arming.ts'
import { argumentBlocks } from './argument-blocks.ts'

export type ToolDecision = ReturnType<typeof useToolDecision>

interface Options {
  /** Element that must stand still before Allow works. */
  readonly place: RefObject<HTMLElement | null>
  /** Everything else that is shown: a change restarts the pause. */
  readonly look: string
  readonly follower?: AnswerFollower
}

const mixesEnds = (shown: JsonObject): boolean =>
  argumentBlocks(shown).some((block) => block.kind === 'changes' && block.changes.some(({ before, after }) => mixesLineEnds(before, after)))

export function useToolDecision(request: ToolCallRequest, { place, look, follower }: Options) {
  const { requestDrafts } = useStores()
  const { busy, answer } = useAnswer(request, follower)
  const [scope, setScope] = useState<RuleChoice>(onceOnly)
  const local = useServers((state) => state.list.some(({ name, definition }) => name === request.server && isLocal(definition)))
  const draft = useRequestDraft(request.id)
  const { text } = draft
  const same = draft.edited !== undefined && canonicalToolJson(draft.edited) === canonicalToolJson(request.arguments)
  const edited = same ? undefined : draft.edited
  const shown = edited ?? request.arguments
  const hidden = useMemo(() => anyHidden(shown) || mixesEnds(shown), [shown])
  const editing = text !== undefined
  const arming = useArming(place, `${request.argumentsText} ${request.fingerprint} ${JSON.stringify(edited)} ${editing} ${look}`)
  const blocked = busy || editing

  const alwaysAsked = request.why.kind === 'own-folder' || request.why.kind === 'skill'
  // An answer for a flow is about a pair of servers, not about arguments.
  const offer = useMemo(() => (request.privateFlow ? undefined : narrowTerms(shown, local)), [request.privateFlow, shown, local])
  const allow = (chosen: RuleChoice): void => {
    if (blocked || !arming.mayPress()) return
    answer({ kind: 'allow', ...scopeOf(chosen, offer, Date.now()), ...(edited && { arguments: edited }) })
  }
  const kept = edited && { edited }
  const keep = (change: RequestDraft): void => requestDrafts.set(request.id, change)
  return {
    /** Arguments that would be sent. */
    shown,
    edited: edited !== undefined,
    text,
    /** Whether something is shown by a mark alone: hidden characters, or lines of a change that end differently. */
    hidden,
    changed: request.why.kind === 'tool-changed' || request.previous !== undefined,
    blocked,
    arming,
    /** No rule can answer such a call: it is allowed once, or not. */
    onceOnly: alwaysAsked,
    scope,
    setScope,
    /** The narrowest rule that would answer the shown arguments. */
    offer,
    allow: (): void => allow(scope),
    /** Allows for the conversation; undefined outside of one. */
    allowHere: request.conversationId === undefined || alwaysAsked ? undefined : () => allow({ ...onceOnly, choice: 'conversation' }),
    /** `stop`: ends the turn too. */
    deny(word?: string, stop?: boolean, chosen = onceOnly): void {
      const lasts = chosen.choice === 'once' ? {} : scopeOf(chosen, offer && forRefusal(offer), Date.now())
      answer({ kind: 'deny', ...(word && { word }), ...(stop && { stop }), ...lasts })
    },
    edit(): void {
      if (!editing) keep({ ...kept, text: JSON.stringify(shown, null, 2) })
    },
    write: (next: string): void => keep({ ...kept, text: next }),
    use: (value: JsonObject): void => keep({ edited: value }),
    leave: (): void => keep({ ...kept }),
    undo: (): void => keep({}),
  }
}
