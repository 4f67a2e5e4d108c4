// Tool calls that follow each other, and right below each whatever it makes the person decide: while a call waits its
// card stands in place of its row; what a running call asks (a form, a page, a model) stands under it.
import type { ToolCall } from '#app/chat/message.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { EndedLine } from '#renderer/features/consent/ended-line.tsx'
import { InTheBrowser } from '#renderer/features/servers/sign-in-waiting.tsx'
import { hasView, ToolView } from '#renderer/features/views/tool-view.tsx'
import { endedElsewhere } from '#renderer/stores/consent.ts'
import { useConsent, useServers, useShallow } from '#renderer/stores/react.tsx'
import { CallRow } from './call-row.tsx'
import { RequestInChat } from './request-in-chat.tsx'

interface CallGroupProps {
  readonly conversationId: string
  readonly calls: readonly ToolCall[]
}

const runs = (call: ToolCall): boolean => call.state.kind === 'running'

/** The call that it stands under. A sign-in is one for all calls that wait for it: it stands under the first of them. */
function callOf(request: ConsentRequest, conversationId: string, calls: readonly ToolCall[]): ToolCall | undefined {
  // What the view of a call asks for stands under it, with the view.
  const { server } = request
  const callId = request.view?.callId ?? request.callId
  if (callId !== undefined) return request.conversationId === conversationId ? calls.find((call) => call.id === callId) : undefined
  return request.kind === 'sign-in' ? calls.find((call) => call.server === server && runs(call)) : undefined
}

export function CallGroup({ conversationId, calls }: CallGroupProps) {
  const requests = useConsent(useShallow((state) => state.requests.filter((one) => callOf(one, conversationId, calls) !== undefined)))
  // What a call itself was answered with stands on its row.
  const ended = useConsent(
    useShallow((state) =>
      endedElsewhere(state).filter(
        ({ request }) =>
          (request.kind !== 'tool-call' || request.view !== undefined) && callOf(request, conversationId, calls) !== undefined,
      ),
    ),
  )
  // Allowed, and now the person is signing in elsewhere: the way back stands where they left, once for all that wait for it.
  const server = useServers((state) =>
    state.list.find(({ name, signIn }) => signIn?.kind === 'waiting' && calls.some((call) => call.server === name && runs(call))),
  )
  const signIn = server?.signIn?.kind === 'waiting' ? server.signIn : undefined
  return (
    <>
      {calls.map((call) => {
        const own = requests.filter((request) => callOf(request, conversationId, calls) === call)
        const asked = own.some((request) => request.kind === 'tool-call' && !request.view)
        const elsewhere = signIn !== undefined && call.server === server?.name && runs(call)
        return (
          <div key={call.id} className="call-and-cards">
            {!asked && (
              <div className="calls">
                <CallRow conversationId={conversationId} call={call} asking={own.some((request) => !request.view) || elsewhere} />
              </div>
            )}
            {hasView(call) && <ToolView conversationId={conversationId} call={call} />}
            {own.map((request) => (
              <RequestInChat key={request.id} request={request} />
            ))}
            {ended
              .filter(({ request }) => callOf(request, conversationId, calls) === call)
              .map((one) => (
                <EndedLine key={one.request.id} ended={one} />
              ))}
          </div>
        )
      })}
      {server && signIn ? <InTheBrowser key={signIn.url} name={server.name} waiting={signIn} /> : null}
    </>
  )
}
