// Attributes questions about a server itself (launch, sign-in) to the calls and turns that wait for it, so that they are asked
// where the person sees why. A sign-in that the person begins has no such cause.
import type { ConsentBroker, RequestCause } from '#main/consent/broker-api.ts'
import { createPausableTimeouts } from '#main/servers/transport/pausable-timeouts.ts'
import type { CallContext } from '../client/requests/running-calls.ts'

export type RequestAttribution = ReturnType<typeof createRequestAttribution>

export function createRequestAttribution(broker: Pick<ConsentBroker, 'launch' | 'signIn' | 'place'>) {
  const causes = new Set<RequestCause>()
  const open = new Set<string>()
  const [launches, signIns] = [createPausableTimeouts(), createPausableTimeouts()]

  async function ask<T>(work: (part: Partial<RequestCause> & { readonly onAsked: (id: string) => void }) => Promise<T>): Promise<T> {
    const mine: string[] = []
    const [first] = causes
    try {
      return await work({
        ...(first && { conversationId: first.conversationId, callId: first.callId, joined: first.joined }),
        onAsked(id) {
          mine.push(id)
          open.add(id)
        },
      })
    } finally {
      for (const id of mine) open.delete(id)
    }
  }

  const attributed: Pick<ConsentBroker, 'launch' | 'signIn'> = {
    launch(question) {
      let resume: (() => void) | undefined
      return ask(({ onAsked, ...cause }) =>
        broker.launch({
          ...question,
          ...cause,
          onAsked(id) {
            resume ??= launches.pause()
            onAsked(id)
            question.onAsked?.(id)
          },
        }),
      ).finally(() => resume?.())
    },
    signIn: (question) =>
      question.why === 'person-asks' ? broker.signIn(question) : ask((part) => broker.signIn({ ...question, ...part })),
  }

  return {
    /** `activity`: of a call that waits for the server; its time pauses while the person is waited for. */
    add({ conversationId, callId, joined, view, activity }: RequestCause & Pick<CallContext, 'activity'>): () => void {
      // What an MCP App needs is no command's, whoever's turn runs in its chat.
      const cause: RequestCause = { conversationId, callId, joined: view ? null : joined }
      causes.add(cause)
      for (const id of open) broker.place(id, cause)
      const leaves = activity ? [launches, signIns].map((one) => one.add({ pause: activity.pause })) : []
      return () => {
        causes.delete(cause)
        for (const leave of leaves) leave()
      }
    },
    broker: attributed,
    /** Paused while a sign-in goes on. */
    waits: signIns,
  }
}
