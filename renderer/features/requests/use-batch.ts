// What the person has ticked, and the answers to all of it at once. Each is sent by itself, in the order of the list: what
// came meanwhile was not ticked, and what ended meanwhile is not there.
import { useState } from 'react'
import type { ConsentAnswer, ConsentRequest, ToolCallRequest } from '#app/consent/request.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { chosenOf, shownAs, type Ticked } from './batch.ts'

export interface Batch {
  readonly chosen: readonly ToolCallRequest[]
  readonly busy: boolean
  tick(requests: readonly ToolCallRequest[], on: boolean): void
  clear(): void
  allowOnce(): void
  /** Resolves once all were told. `stop`: with the last of them, the turn ends. */
  deny(requests: readonly ToolCallRequest[], word: string, stop: boolean): void
}

/** `onDone`: what was sent has been taken. */
export function useBatch(requests: readonly ConsentRequest[], onDone: () => void): Batch {
  const actions = useActions()
  const [ticked, setTicked] = useState<Ticked>({})
  const [busy, setBusy] = useState(false)
  const chosen = chosenOf(requests, ticked)

  async function send(each: readonly ToolCallRequest[], answerOf: (index: number) => ConsentAnswer): Promise<void> {
    setBusy(true)
    for (const [index, { id }] of each.entries()) await actions.answer(id, answerOf(index))
    setBusy(false)
    setTicked({})
    onDone()
  }

  return {
    chosen,
    busy,
    tick(some, on) {
      setTicked((before) => {
        const [first] = some
        const sameChat = chosen.every(({ conversationId }) => conversationId === first?.conversationId)
        const rest = Object.entries(sameChat ? before : {}).filter(([id]) => !some.some((one) => one.id === id))
        return Object.fromEntries([...rest, ...(on ? some.map((one) => [one.id, shownAs(one)]) : [])])
      })
    },
    clear: () => setTicked({}),
    allowOnce() {
      if (!busy) void send(chosen, () => ({ kind: 'allow', scope: 'once' }))
    },
    deny(some, word, stop) {
      if (busy) return
      void send(some, (index) => ({ kind: 'deny', ...(word && { word }), ...(stop && index === some.length - 1 && { stop }) }))
    },
  }
}
