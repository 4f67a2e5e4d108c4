// A connection test as it goes: the question with the exact command, the steps, and the result. Nothing of it is saved.

import { type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ConnectionTestPhase, ConnectionTestSummary, TestedCapabilities } from '#app/server/connection-test.ts'
import type { Diagnosis, EditField } from '#app/server/doctor.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { useConsent } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Badge, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { DiagnosisText, FixButton } from '../status/failure-notice.tsx'
import { LastOutput, notReached, StartFacts, StartSteps } from '../status/start-trace.tsx'
import { type ConnectionTestControl, type ConnectionTestRun, isTestRunning } from './use-connection-test.ts'

interface TestPanelProps {
  readonly trial: ConnectionTestControl
  readonly run: ConnectionTestRun
  /** The form has changed since. */
  readonly stale: boolean
  readonly onAgain: () => void
  readonly onEdit: (field: EditField) => void
  /** Fills fields of the server's form; a time in seconds. */
  readonly onChange: (change: { readonly command?: string; readonly startTimeout?: string }) => void
}

export function ConnectionTestPanel({ trial, run, stale, ...fixes }: TestPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { view, error, tried } = run
  const kind = view?.phase.kind
  // The test was started by a button far below, and a question that is answered takes the focus with it.
  useEffect(() => {
    if (kind === undefined || kind === 'waiting' || document.activeElement === document.body) {
      heading.current?.focus()
      heading.current?.scrollIntoView({ block: 'start' })
    }
  }, [kind])
  const local = tried.definition.transport === 'stdio'
  return (
    <section className="sec trial" aria-label={t`Test run`}>
      <div className="row">
        <h3 className="h3" ref={heading} tabIndex={-1}>
          {t`Test run`}
        </h3>
        {stale ? <Badge tone="warn">{t`of what stood here before`}</Badge> : null}
        <span className="grow" />
        {isTestRunning(run) ? <SmallButton onClick={trial.stop}>{t`Stop`}</SmallButton> : null}
      </div>
      {error ? <ErrorNotice error={error} onRetry={fixes.onAgain} /> : null}
      {view && kind !== undefined ? (
        <>
          <Phase phase={view.phase} {...fixes} />
          {kind === 'waiting' ? null : <HowItWent view={view} local={local} />}
        </>
      ) : null}
      {view || error ? null : <Going>{t`Getting ready`}</Going>}
    </section>
  )
}

function HowItWent({ view: { phase, report, over }, local }: { readonly view: ConnectionTestSummary; readonly local: boolean }) {
  switch (phase.kind) {
    case 'failed':
      return (
        <>
          <StartSteps steps={report.steps} missed={over ? notReached(report, local) : undefined} />
          <StartFacts report={report} local={local} />
          <LastOutput report={report} />
        </>
      )
    case 'works':
      return (
        <details className="fold">
          <summary className="label">{t`How it went`}</summary>
          <StartSteps steps={report.steps} />
        </details>
      )
    default:
      return <StartSteps steps={report.steps} />
  }
}

const Going = ({ children }: { readonly children: ReactNode }) => (
  <p className="row dim" role="status">
    <Spinner />
    <span>{children}.</span>
  </p>
)

const stepNow = {
  launching: t`Starting it`,
  negotiating: t`Agreeing on a protocol revision`,
  'signing-in': t`Looking how one signs in`,
  listing: t`Reading its lists`,
} as const

type FixProps = Pick<TestPanelProps, 'onAgain' | 'onEdit' | 'onChange'>

function Phase({ phase, ...fixes }: FixProps & { readonly phase: ConnectionTestPhase }) {
  switch (phase.kind) {
    case 'waiting':
      return <PendingRequest id={phase.requestId} />
    case 'starting':
      return phase.diagnosis ? <Failure diagnosis={phase.diagnosis} going {...fixes} /> : <Going>{stepNow[phase.step]}</Going>
    case 'works':
      return <Works offers={phase.offers} />
    case 'asks-sign-in':
      return (
        <Notice title={t`It answers, and asks you to sign in.`}>
          {tx`That is done once it is saved, at ${<VisibleText text={phase.issuer} />}. You see the whole address before a page opens.`}
        </Notice>
      )
    case 'failed':
      return phase.diagnosis ? (
        <Failure diagnosis={phase.diagnosis} {...fixes} />
      ) : (
        <ErrorNotice error={phase.error} onRetry={fixes.onAgain} />
      )
    case 'refused':
      return <Notice title={t`You did not allow it.`}>{t`Nothing ran, and nothing was saved.`}</Notice>
    case 'called-off':
      return <Notice title={t`It was called off.`}>{t`Nothing of it runs any more.`}</Notice>
    default:
      return assertNever(phase)
  }
}

/** Card of a consent request; nothing once it is answered. */
export function PendingRequest({ id }: { readonly id: string }) {
  const request = useConsent((all) => all.requests.find((one) => one.id === id))
  return request ? <ConsentCard request={request} /> : null
}

/** A fix changes the form; the test is run again only when the person says so. */
function Failure({
  diagnosis,
  going = false,
  onAgain,
  onEdit,
  onChange,
}: FixProps & { readonly diagnosis: Diagnosis; readonly going?: boolean }) {
  return (
    <DiagnosisText diagnosis={diagnosis} going={going}>
      {diagnosis.actions.map((action) => (
        <FixButton
          key={action.label}
          action={action}
          fixes={{
            onRetry: onAgain,
            onEdit,
            onCommand: (command) => onChange({ command }),
            onWait: (startTimeoutMs) => onChange({ startTimeout: String(startTimeoutMs / 1000) }),
          }}
        />
      ))}
    </DiagnosisText>
  )
}

function Works({ offers: { session, tools, counts, tokens, warnings } }: { readonly offers: TestedCapabilities }) {
  const { resources, prompts } = counts
  const has = [
    counts.tools === 1 ? t`1 tool` : t`${formatNumber(counts.tools)} tools`,
    resources === 1 ? t`1 resource` : t`${formatNumber(resources)} resources`,
    prompts === 1 ? t`1 prompt` : t`${formatNumber(prompts)} prompts`,
  ].join(', ')
  const revision = <VisibleText className="mono" text={session.protocolVersion} />
  return (
    <>
      <Notice icon="check" title={t`It works.`}>
        {tokens > 0
          ? t`${has}, about ${formatNumber(tokens)} tokens in every message. It was ended again.`
          : t`${has}. It was ended again.`}
      </Notice>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={<VisibleText text={warning} />} />
      ))}
      <p className="help">
        {session.serverInfo
          ? tx`It calls itself “${<VisibleText text={session.serverInfo.title ?? session.serverInfo.name} />}”, and speaks ${revision}.`
          : tx`It speaks ${revision}.`}
      </p>
      {tools.length === 0 ? null : (
        <details className="fold">
          <summary className="label">{tools.length < counts.tools ? t`Its tools, the first ${tools.length}` : t`Its tools`}</summary>
          <ul className="lines">
            {tools.map(({ name, title, description }) => (
              <li key={name}>
                <div>
                  <VisibleText className="mono" text={name} /> <VisibleText className="help wrap-any" text={description ?? title ?? ''} />
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
