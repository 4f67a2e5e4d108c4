// Successive tool calls, each as one line that opens its details. The card of a waiting call replaces its line; requests in the
// course of a running call (a form, a page, a model) are below it.
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
import { IconButton } from '#renderer/ui/button.tsx'
import { Icon, ServerMark, Track } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CallDetails } from './call-details.tsx'
import { callStatusOf, elsewhereNote, mainArguments, progressPart } from './call-labels.ts'
import { CallOverdue, CallStatusIcon, RequestInChat } from './call-parts.tsx'

/** Titles of the host's own tools, which no server sees and which need no consent. */
const builtinTitles: Readonly<Record<string, string>> = {
  assent__find_tools: t`looks for tools`,
  assent__read_result: t`reads on in a result`,
}

/** Result of a built-in tool in a few words; undefined where only its duration is worth showing. */
export function builtinCallNote({ state }: Pick<ToolCall, 'state'>): string | undefined {
  if (state.kind !== 'done' || state.result.isError || !isJsonObject(state.result.structuredContent)) return undefined
  const { found } = state.result.structuredContent
  if (!Array.isArray(found)) return undefined
  return found.length === 0 ? t`none found` : t`${found.length} found`
}

interface CallRowProps {
  readonly conversationId: string
  readonly call: ToolCall
  /** Whether the server asks the person in the course of the call. */
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
  const status = callStatusOf(state, now, asking)
  const { mark, tone } = status
  const elsewhere = elsewhereNote(call)
  const ownNote = call.own ? (builtinCallNote(call) ?? status.note) : elsewhere
  const { aside, note } = ownNote === undefined ? status : { aside: '', note: ownNote }
  const part = running && !asking ? progressPart(state.progress) : undefined
  const server = call.ranAt?.name ?? (call.own ? t`Assent` : (call.server ?? (elsewhere === undefined ? t`no server` : t`elsewhere`)))
  const tool = call.own ? (builtinTitles[call.modelName] ?? call.modelName) : (call.tool ?? call.modelName)
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

const isRunning = (call: ToolCall): boolean => call.state.kind === 'running'

/** Returns the call that a request belongs to. A sign-in that several calls wait for belongs to the first of them. */
function callOf(request: ConsentRequest, conversationId: string, calls: readonly ToolCall[]): ToolCall | undefined {
  // A request of a call's view is below the call, with the view.
  const { server } = request
  const callId = request.view?.callId ?? request.callId
  if (callId !== undefined) return request.conversationId === conversationId ? calls.find((call) => call.id === callId) : undefined
  return request.kind === 'sign-in' ? calls.find((call) => call.server === server && isRunning(call)) : undefined
}

export function CallGroup({ conversationId, calls }: { readonly conversationId: string; readonly calls: readonly ToolCall[] }) {
  const requests = useConsent(useShallow((state) => state.requests.filter((one) => callOf(one, conversationId, calls) !== undefined)))
  // The answer to a call itself is on its row.
  const ended = useConsent(
    useShallow((state) =>
      endedElsewhere(state).filter(
        ({ request }) =>
          (request.kind !== 'tool-call' || request.view !== undefined) && callOf(request, conversationId, calls) !== undefined,
      ),
    ),
  )
  // During a sign-in in the browser, one line leads back for all calls that wait for it.
  const server = useServers((state) =>
    state.list.find(({ name, signIn }) => signIn?.kind === 'waiting' && calls.some((call) => call.server === name && isRunning(call))),
  )
  const signIn = server?.signIn?.kind === 'waiting' ? server.signIn : undefined
  return (
    <>
      {calls.map((call) => {
        const own = requests.filter((request) => callOf(request, conversationId, calls) === call)
        const asked = own.some((request) => request.kind === 'tool-call' && !request.view)
        const elsewhere = signIn !== undefined && call.server === server?.name && isRunning(call)
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
