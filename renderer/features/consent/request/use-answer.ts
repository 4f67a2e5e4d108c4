import { createContext, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ConsentAnswer, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import type { ErrorValue } from '#app/errors.ts'
import { focusComposer, focusRequest } from '#renderer/navigation/focus.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

/** The dock that a request stands in, which moves the focus itself once it was answered. */
export interface DockPlace {
  /** Names of what waits beside it, and the way there. */
  readonly nav: ReactNode
  readonly several: boolean
  /** Folds the dock to one line. Decides nothing. */
  readonly putAside: () => void
  /** Goes on without the servers that the turn waits for; undefined: it waits for none. */
  readonly answerWithout: (() => void) | undefined
}
export const InDock = createContext<DockPlace | undefined>(undefined)

/** Takes the focus on itself after an answer, in place of the card. */
export type AnswerFollower = { readonly onSent: () => void; readonly onRefused: () => void }

/** Focuses the next request of the chat that is on the page, else the composer, else any other request. */
export function focusAfter(request: Pick<ConsentRequest, 'id' | 'conversationId'>, requests: readonly ConsentRequest[]): boolean {
  const others = requests.filter((one) => one.id !== request.id)
  const near = others.filter((one) => one.conversationId === request.conversationId)
  return near.some((one) => focusRequest(one.id)) || focusComposer() || others.some((one) => focusRequest(one.id))
}

type OpeningRequest = ConsentRequestOf<'elicitation-url' | 'sign-in'>

/** Whether the page opens the address: the web shell's host has no browser. */
const opensHere = (request: ConsentRequest, answer: ConsentAnswer, shell: ShellSummary['kind'] | undefined): request is OpeningRequest =>
  (request.kind === 'elicitation-url' || request.kind === 'sign-in') &&
  answer.kind === 'allow' &&
  shell === 'web' &&
  /^https?:\/\//i.test(request.url)

/** Sends the answer to a request, once. `busy`: it is on its way to the host. `onFailed`: in place of a toast. */
export function useAnswer(request: ConsentRequest, follower?: AnswerFollower, onFailed?: (error: ErrorValue) => void) {
  const { actions, connection, consent } = useStores()
  const [busy, setBusy] = useState(false)
  const isFollowed = useContext(InDock) !== undefined || follower !== undefined
  const sent = useRef<boolean>(false)
  // The host may say that the request is over before it says that it took the answer: the card goes then, and its focus with it.
  const passFocusOn = useEffectEvent(() => {
    const isFocused = document.activeElement?.closest(`[data-request~="${CSS.escape(request.id)}"]`)
    if (sent.current && !isFollowed && isFocused) focusAfter(request, consent.getState().requests)
  })
  useLayoutEffect(() => passFocusOn, [])
  const answer = (value: ConsentAnswer): void => {
    if (sent.current) return
    sent.current = true
    setBusy(true)
    follower?.onSent()
    void actions.answer(request.id, value, onFailed).then((accepted) => {
      if (accepted) {
        if (opensHere(request, value, connection.getState().about?.shell.kind)) window.open(request.url, '_blank', 'noopener,noreferrer')
        if (!isFollowed) focusAfter(request, consent.getState().requests)
        return
      }
      follower?.onRefused()
      sent.current = false
      setBusy(false)
    })
  }
  return { busy, answer }
}
