import { useRef, useState } from 'react'
import type { ConsentAnswer, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { focusComposer, focusRequest } from '#renderer/navigation/focus.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

interface Answering {
  /** It is on its way to the host: nothing more can be pressed. */
  readonly busy: boolean
  readonly answer: (answer: ConsentAnswer) => void
}

/** Told of an answer by whoever moves the focus on itself once the host has closed the request. */
export interface AnswerFollower {
  readonly onSent: () => void
  readonly onRefused: () => void
}

/** The next of the same chat that is on the page, else the composer; where there is neither, any other request. */
export function focusAfter(request: Pick<ConsentRequest, 'id' | 'conversationId'>, requests: readonly ConsentRequest[]): boolean {
  const others = requests.filter((one) => one.id !== request.id)
  const near = others.filter((one) => one.conversationId === request.conversationId)
  return near.some((one) => focusRequest(one.id)) || focusComposer() || others.some((one) => focusRequest(one.id))
}

/** The web shell's host has no browser: the page opens what was allowed, in the one that it is shown in. */
const opensHere = (
  request: ConsentRequest,
  answer: ConsentAnswer,
  shell: ShellSummary['kind'] | undefined,
): request is ConsentRequestOf<'elicitation-url' | 'sign-in'> =>
  (request.kind === 'elicitation-url' || request.kind === 'sign-in') &&
  answer.kind === 'allow' &&
  shell === 'web' &&
  /^https?:\/\//i.test(request.url)

export function useAnswer(request: ConsentRequest, follower?: AnswerFollower): Answering {
  const { actions, connection, consent } = useStores()
  const [busy, setBusy] = useState(false)
  const sent = useRef<boolean>(false)
  const answer = (value: ConsentAnswer): void => {
    if (sent.current) return
    sent.current = true
    setBusy(true)
    follower?.onSent()
    void actions.answer(request.id, value).then((accepted) => {
      if (accepted) {
        if (opensHere(request, value, connection.getState().about?.shell.kind)) window.open(request.url, '_blank', 'noopener,noreferrer')
        if (!follower) focusAfter(request, consent.getState().requests)
        return
      }
      follower?.onRefused()
      sent.current = false
      setBusy(false)
    })
  }
  return { busy, answer }
}
