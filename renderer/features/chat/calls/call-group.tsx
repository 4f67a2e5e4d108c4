// Successive tool calls, each as one line that opens its details. The line of a call that waits, or whose server asks in the course of it,
// leads to its question in the dock.

import { memo, type ReactNode, useEffect, useId, useState } from 'react'
import type { Decision, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { decidedByLabel } from '#app/consent/decided-by.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { describeError } from '#app/errors.ts'
import { clockWithSeconds } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { ArgumentList, LongText } from '#renderer/features/consent/tool-call/argument-list.tsx'
import { hasMcpApp, ToolMcpApp } from '#renderer/features/mcp-apps/tool-app.tsx'
import { BlockedAtCall } from '#renderer/features/sandbox/blocked-attempts.tsx'
import { InTheBrowser } from '#renderer/features/servers/auth/waiting-for-sign-in.tsx'
import { focusRequestSoon } from '#renderer/navigation/focus.ts'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useActions, useConsent, useServers, useShallow, useView } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Dot, Icon, ServerMark, Spinner, Track } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { BlobView, pictureOf } from '../results/blob-view.tsx'
import { ResultView } from '../results/result-view.tsx'
import { modeLabels } from '../settings/mode-picker.tsx'
import {
  type CallStatusMark,
  callStatusOf,
  elsewhereNote,
  mainArguments,
  type OverdueSince,
  overdueLabel,
  progressPart,
} from './call-labels.ts'

/** Titles of the host's own tools, which no server sees and which need no consent. */
const builtinTitles: Readonly<Record<string, string>> = {
  assent__find_tools: t`looks for tools`,
  assent__read_result: t`reads more of a result`,
  assent__remember: t`remembers a fact`,
}

/** Result of a built-in tool in a few words; undefined where only its duration is worth showing. */
export function builtinCallNote({ state }: Pick<ToolCall, 'state'>): string | undefined {
  if (state.kind !== 'done' || state.result.isError || !isJsonObject(state.result.structuredContent)) return undefined
  const { found } = state.result.structuredContent
  if (!Array.isArray(found)) return undefined
  return found.length === 0 ? t`not found` : t`${found.length} found`
}

interface CallRowProps {
  readonly conversationId: string
  readonly call: ToolCall
  /** Id of what asks the person: the call itself, or its server in the course of it. */
  readonly asks?: string | undefined
  /** The person is asked in the browser. */
  readonly elsewhere?: boolean
}

/** Whether a call is open; the find bar opens the one that it goes to. */
function useOpenCall(id: string) {
  const [open, setOpen] = useState(false)
  const sought = useView(({ find }) => (find?.callId === id ? find : undefined))
  useEffect(() => {
    if (sought) setOpen(true)
  }, [sought])
  return [open, setOpen] as const
}

const CallRow = memo(function CallRow({ conversationId, call, asks, elsewhere: inBrowser = false }: CallRowProps) {
  const asking = asks !== undefined || inBrowser
  const actions = useActions()
  const [open, setOpen] = useOpenCall(call.id)
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
  const server = call.ranAt?.name ?? (call.own ? 'Assent' : (call.server ?? t`no server`))
  const tool = call.own ? (builtinTitles[call.modelName] ?? call.modelName) : (call.tool ?? call.modelName)
  return (
    <div className="call-box" data-call={call.id}>
      <button
        type="button"
        className={cx('call', call.own && 'own', tone === 'you' && 'you', tone === 'bad' && 'bad', running && !overdue && 'can-stop')}
        aria-expanded={open}
        aria-controls={moreId}
        onClick={() => (asks === undefined ? setOpen(!open) : focusRequestSoon(asks))}
      >
        <CallStatusIcon mark={mark} />
        <span className="who">
          <ServerMark name={server} />
          <span>{server}</span>
          <VisibleText as="b" text={tool} />
        </span>
        <VisibleText className="arg" text={mainArguments(call)} />
        <span className={cx('meta', tone === 'warn' && 'warntext')}>
          {part !== undefined && <Track part={part} label={t`Progress`} />}
          {aside && (
            <>
              <VisibleText className="aside cut" text={aside} />
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
      {!open && <CallPictures state={state} />}
      <div id={moreId} hidden={!open}>
        {open && (
          <div className="call-more">
            <section className="sec">
              <p className="label">{tx`Arguments ${decisionOf(call.state)?.edited && <Badge tone="ink">{t`edited by you`}</Badge>}`}</p>
              <Arguments call={call} />
            </section>
            <CallOutcomeView state={call.state} server={call.server} />
            <Facts state={call.state} />
          </div>
        )}
      </div>
    </div>
  )
})

/** Number of pictures of a result that are shown below its line. */
const mostPictures = 4

function CallPictures({ state }: { readonly state: ToolCallState }) {
  if (state.kind !== 'done' || state.result.isError) return null
  const pictures = state.result.content.flatMap((block) => pictureOf(block) ?? []).slice(0, mostPictures)
  if (pictures.length === 0) return null
  return (
    <div className="call-pictures">
      {pictures.map((blob, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change, and may hold one picture twice.
        <BlobView key={`${index} ${blob.sha256}`} blob={blob} name="image" what={t`Image`} />
      ))}
    </div>
  )
}

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
        const elsewhere = signIn !== undefined && call.server === server?.name && isRunning(call)
        return (
          <div key={call.id} className="call-and-cards">
            <div className="calls">
              <CallRow conversationId={conversationId} call={call} asks={own.find((request) => !request.view)?.id} elsewhere={elsewhere} />
            </div>
            {call.server !== undefined && !call.own && <BlockedAtCall server={call.server} callId={call.id} />}
            {hasMcpApp(call) && <ToolMcpApp conversationId={conversationId} call={call} />}
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

export function CallStatusIcon({ mark }: { readonly mark: CallStatusMark }) {
  if (mark === 'ring') return <Spinner />
  return mark === 'you' || mark === 'off' ? <Dot tone={mark} /> : <Icon name={mark} />
}

interface CallOverdueProps {
  readonly conversationId: string
  readonly callId: string
  readonly tool: string
  readonly overdue: OverdueSince
  readonly now: number
}

/** An overdue call: the person can wait longer or cancel it; otherwise it is cancelled soon. */
export function CallOverdue({ conversationId, callId, tool, overdue, now }: CallOverdueProps) {
  const actions = useActions()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="call-overdue" role="group" aria-label={t`Still running: ${tool}`}>
      <span className="num">{tx`Still running: ${overdueLabel(overdue, now)}`}</span>
      <span className="row">
        <SmallButton onClick={() => actions.waitForCall(conversationId, callId)}>{t`Wait longer`}</SmallButton>
        <SmallGhostButton danger onClick={() => actions.cancelCall(conversationId, callId)}>
          {t`Cancel`}
        </SmallGhostButton>
      </span>
    </div>
  )
}

function Arguments({ call }: { readonly call: ToolCall }) {
  if (call.rawArguments !== undefined) {
    return (
      <>
        <p className="help">{t`Not sent: the model wrote no JSON object.`}</p>
        <LongText text={call.rawArguments} label={t`Arguments`} />
      </>
    )
  }
  if (call.arguments === undefined) return <p className="help">{t`being written`}</p>
  return isJsonObject(call.arguments) ? <ArgumentList value={call.arguments} /> : <LongText text={JSON.stringify(call.arguments)} />
}

export function CallOutcomeView({ state, server }: { readonly state: ToolCallState; readonly server: string | undefined }): ReactNode {
  switch (state.kind) {
    case 'done':
      return (
        <section className="sec">
          <p className="label">{state.result.isError ? t`Error` : t`Result`}</p>
          <ResultView result={state.result} server={server} />
        </section>
      )
    case 'failed': {
      const { message, remedy } = describeError(state.error)
      return (
        <>
          <section className="sec">
            <p className="label">{t`Error`}</p>
            <VisibleText as="p" className="dangertext" text={message} />
            {remedy && <p className="help">{remedy}</p>}
          </section>
          {state.late && (
            <section className="sec">
              <p className="label">{t`Result`}</p>
              <p className="help warntext">
                {t`It came at ${clockWithSeconds(state.late.at)}.`}{' '}
                {state.decision?.byHand === true ? null : t`The model reads it with your next message.`}
              </p>
              <ResultView result={state.late.result} server={server} />
            </section>
          )}
        </>
      )
    }
    case 'unknown':
      return <p className="help warntext">{t`It may still have run. Check before you try again.`}</p>
    default:
      return null
  }
}

const decisionOf = (state: ToolCallState): Decision | undefined => ('decision' in state ? state.decision : undefined)

function Facts({ state }: { readonly state: ToolCallState }) {
  const decision = decisionOf(state)
  const startedAt = 'startedAt' in state ? state.startedAt : undefined
  const durationMs = 'durationMs' in state ? state.durationMs : undefined
  const facts = [
    decision && `${decision.allowed ? t`Allowed` : t`Denied`}: ${decidedByLabel(decision)}`,
    startedAt !== undefined && t`began ${clockWithSeconds(startedAt)}`,
    durationMs !== undefined && t`took ${formatDuration(durationMs)}`,
    state.kind === 'done' && formatBytes(state.result.bytes),
  ].filter(Boolean)
  if (facts.length === 0) return null
  return (
    <>
      <p className="help num">{facts.join(' · ')}</p>
      {decision?.rule !== undefined && <p className="help">{tx`Rule: ${<VisibleText text={decision.rule} />}`}</p>}
      {decision?.mode !== undefined && <p className="help">{t`How this chat asks: ${modeLabels[decision.mode].name}`}</p>}
    </>
  )
}
