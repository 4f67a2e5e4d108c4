// Tool calls that follow each other, and right below each whatever it makes the person decide: while a call waits its card
// stands in place of its row; what a running call asks (a form, a page, a model) stands under it. A tool call as one line;
// opened, everything about it. What a line says of a call of the host's own tools, which no server sees and nobody is asked
// about. Pure.

import { memo, useId, useState } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { hasMcpApp, ToolMcpApp } from '#renderer/features/mcp-apps/tool-app.tsx'
import { InTheBrowser } from '#renderer/features/servers/auth/waiting-for-sign-in.tsx'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useActions, useConsent, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { ServerMark, Track } from '#renderer/ui/badges.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CallDetails } from './call-details.tsx'
import { callStatusOf, elsewhereNote, mainArguments, progressPart } from './call-labels.ts'
import { CallStatusIcon } from './call-status-icon.tsx'
import { CallOverdue } from './overdue-call.tsx'
import { RequestInChat } from './request-in-chat.tsx'

const titles: Readonly<Record<string, string>> = {
  assent__find_tools: t`looks for tools`,
  assent__read_result: t`reads on in a result`,
}

const builtinCallTitle = ({ modelName }: Pick<ToolCall, 'modelName'>): string => titles[modelName] ?? modelName

/** What came of it, where that is more than how long it took. */
export function builtinCallNote({ state }: Pick<ToolCall, 'state'>): string | undefined {
  if (state.kind !== 'done' || state.result.isError || !isJsonObject(state.result.structuredContent)) return undefined
  const { found } = state.result.structuredContent
  if (!Array.isArray(found)) return undefined
  return found.length === 0 ? t`none found` : t`${found.length} found`
}

interface CallRowProps {
  readonly conversationId: string
  readonly call: ToolCall
  /** The server asks the person something in its course. */
  readonly asking?: boolean
}

const CallRow = memo(function CallRow({ conversationId, call, asking }: CallRowProps) {
  const actions = useActions()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  const { state } = call
  const running = state.kind === 'running'
  const overdue = running && !asking ? state.overdue : undefined
  const now = useNow(1000, running)
  const words = callStatusOf(state, now, asking)
  const { mark, tone } = words
  const elsewhere = elsewhereNote(call)
  const ofItself = call.own ? (builtinCallNote(call) ?? words.note) : elsewhere
  const { aside, note } = ofItself === undefined ? words : { aside: '', note: ofItself }
  const part = running && !asking ? progressPart(state.progress) : undefined
  const server = call.ranAt?.name ?? (call.own ? t`Assent` : (call.server ?? (elsewhere === undefined ? t`no server` : t`elsewhere`)))
  const tool = call.own ? builtinCallTitle(call) : (call.tool ?? call.modelName)
  return (
    <div className="call-box" data-call={call.id}>
      <button
        type="button"
        className={cx('call', call.own && 'own', tone === 'you' && 'you', tone === 'bad' && 'bad', running && !overdue && 'can-stop')}
        aria-expanded={open}
        aria-controls={moreId}
        onClick={() => setOpen(!open)}
      >
        <CallStatusIcon mark={mark} />
        <span className="who">
          <ServerMark name={server} />
          <span>{server}</span>
          <b>
            <VisibleText text={tool} />
          </b>
        </span>
        <span className="arg">
          <VisibleText text={mainArguments(call)} />
        </span>
        <span className={cx('meta', tone === 'warn' && 'warntext')}>
          {part !== undefined && <Track part={part} label={t`Progress of “${tool}”`} />}
          {aside && (
            <>
              <span className="aside cut">
                <VisibleText text={aside} />
              </span>
              <span className="aside"> · </span>
            </>
          )}
          <span className="note cut">{note}</span>
        </span>
        {running && !overdue ? <span /> : <Icon name={open ? 'chevron-down' : 'chevron-right'} small />}
      </button>
      {running && !overdue && (
        <IconButton
          label={t`Stop “${tool}”`}
          icon="close"
          small
          className="call-stop"
          onClick={() => actions.cancelCall(conversationId, call.id)}
        />
      )}
      {overdue && <CallOverdue conversationId={conversationId} callId={call.id} tool={tool} overdue={overdue} now={now} />}
      <div id={moreId} hidden={!open}>
        {open && <CallDetails call={call} />}
      </div>
    </div>
  )
})

const runs = (call: ToolCall): boolean => call.state.kind === 'running'

/** The call that it stands under. A sign-in is one for all calls that wait for it: it stands under the first of them. */
function callOf(request: ConsentRequest, conversationId: string, calls: readonly ToolCall[]): ToolCall | undefined {
  // What the view of a call asks for stands under it, with the view.
  const { server } = request
  const callId = request.view?.callId ?? request.callId
  if (callId !== undefined) return request.conversationId === conversationId ? calls.find((call) => call.id === callId) : undefined
  return request.kind === 'sign-in' ? calls.find((call) => call.server === server && runs(call)) : undefined
}

export function CallGroup({ conversationId, calls }: { readonly conversationId: string; readonly calls: readonly ToolCall[] }) {
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
            {hasMcpApp(call) && <ToolMcpApp conversationId={conversationId} call={call} />}
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
