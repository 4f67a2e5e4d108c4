// Details of one tool call: arguments, result, decision, duration.
import type { ReactNode } from 'react'
import type { Decision, ToolCall, ToolCallState } from '#app/chat/message.ts'
import { describeError } from '#app/errors.ts'
import { clockWithSeconds } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { ArgumentList, LongText } from '#renderer/features/consent/tool-call/argument-list.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { ResultView } from '../results/result-view.tsx'
import { modeLabels } from '../settings/mode-labels.ts'
import { whoDecided } from './call-labels.ts'

export function CallDetails({ call }: { readonly call: ToolCall }) {
  return (
    <div className="call-more">
      <section className="sec">
        <p className="label">{tx`Arguments ${decisionOf(call.state)?.edited && <Badge tone="ink">{t`edited by you`}</Badge>}`}</p>
        <Arguments call={call} />
      </section>
      <CallOutcomeView state={call.state} server={call.server} />
      <Facts state={call.state} />
    </div>
  )
}

function Arguments({ call }: { readonly call: ToolCall }) {
  if (call.rawArguments !== undefined) {
    return (
      <>
        <p className="help">{t`What the model wrote is not the JSON of an object, so it was not sent:`}</p>
        <LongText text={call.rawArguments} label={t`what the model wrote`} />
      </>
    )
  }
  if (call.arguments === undefined) return <p className="help">{t`Not complete yet.`}</p>
  return isJsonObject(call.arguments) ? <ArgumentList value={call.arguments} /> : <LongText text={JSON.stringify(call.arguments)} />
}

export function CallOutcomeView({ state, server }: { readonly state: ToolCallState; readonly server: string | undefined }): ReactNode {
  switch (state.kind) {
    case 'done':
      return (
        <section className="sec">
          <p className="label">{state.result.isError ? t`The tool’s own error` : t`Result`}</p>
          <ResultView result={state.result} server={server} />
        </section>
      )
    case 'failed': {
      const { message, remedy } = describeError(state.error)
      return (
        <>
          <section className="sec">
            <p className="label">{t`Error`}</p>
            <p className="dangertext">
              <VisibleText text={message} />
            </p>
            {remedy && <p className="help">{remedy}</p>}
          </section>
          {state.late && <LateResult late={state.late} server={server} isManual={state.decision?.byHand === true} />}
        </>
      )
    }
    case 'unknown':
      return (
        <p className="help warntext">
          {t`It was sent, and no answer came back before Assent or the connection ended. It may have run. Check before you ask for it again.`}
        </p>
      )
    default:
      return null
  }
}

interface LateProps {
  readonly late: NonNullable<Extract<ToolCallState, { kind: 'failed' }>['late']>
  readonly server: string | undefined
  readonly isManual: boolean
}

function LateResult({ late, server, isManual }: LateProps) {
  return (
    <section className="sec">
      <p className="label">{late.result.isError ? t`The tool’s own error, late` : t`Late result`}</p>
      <p className="help warntext">
        {tx`It came late, at ${clockWithSeconds(late.at)}, ${
          isManual
            ? t`after the run had timed out.`
            : t`after the model was told it had timed out. The model reads of it with the first message that you send after that.`
        }`}
      </p>
      <ResultView result={late.result} server={server} />
    </section>
  )
}

const decisionOf = (state: ToolCallState): Decision | undefined => ('decision' in state ? state.decision : undefined)

function Facts({ state }: { readonly state: ToolCallState }) {
  const decision = decisionOf(state)
  const startedAt = 'startedAt' in state ? state.startedAt : undefined
  const durationMs = 'durationMs' in state ? state.durationMs : undefined
  const facts = [
    decision && `${decision.allowed ? t`Allowed` : t`Denied`}: ${whoDecided(decision)}`,
    startedAt !== undefined && t`began ${clockWithSeconds(startedAt)}`,
    durationMs !== undefined && t`took ${formatDuration(durationMs)}`,
    state.kind === 'done' && formatBytes(state.result.bytes),
  ].filter(Boolean)
  if (facts.length === 0) return null
  return (
    <>
      <p className="help num">{facts.join(' · ')}</p>
      {decision?.rule !== undefined && <p className="help">{tx`The rule: ${<VisibleText text={decision.rule} />}`}</p>}
      {decision?.mode !== undefined && (
        <p className="help">{tx`This chat was set to “${modeLabels[decision.mode].name}”. ${modeLabels[decision.mode].help}`}</p>
      )}
    </>
  )
}
