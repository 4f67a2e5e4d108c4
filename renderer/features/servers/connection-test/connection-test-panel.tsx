// The connection test of a server that is being set up: the question with the exact command, the steps, and the result. Nothing of it
// is saved. It goes on while this page watches it and ends when the page is left or the person stops it. All tests of one screen belong
// together: consent given in one holds for the next, and for saving.

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ConnectionTestPhase, ConnectionTestSummary, TestedCapabilities, TestedDefinition } from '#app/server/connection-test.ts'
import type { EditField } from '#app/server/doctor.ts'
import { Dock } from '#renderer/features/consent/dock/dock.tsx'
import { takeFocus } from '#renderer/navigation/focus.ts'
import { useActions, useConsent, useShallow } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Badge, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { DiagnosisNotice, type Fixes } from '../status/failure-notice.tsx'
import { LastOutput, notReached, StartFacts, StartSteps } from '../status/start-trace.tsx'

interface ConnectionTestRun {
  readonly id: string
  readonly tried: TestedDefinition
  /** Undefined: there is no answer yet. */
  readonly view: ConnectionTestSummary | undefined
  /** Why the test could not be started or followed. */
  readonly error: ErrorValue | undefined
}

type ConnectionTestControl = ReturnType<typeof useConnectionTest>

/** Earlier tests that the host is told of at most, as the contract allows. */
const mostTests = 100

export const isTestRunning = (run: ConnectionTestRun | undefined): boolean =>
  run !== undefined && run.error === undefined && run.view?.over !== true

export function useConnectionTest() {
  const { attempt } = useActions()
  const [run, setRun] = useState<ConnectionTestRun | undefined>(undefined)
  /** Id of the test that goes on. */
  const current = useRef<string | undefined>(undefined)
  const turn = useRef(0)
  const begun = useRef<readonly string[]>([])
  /** Ids of the earlier tests, as a parameter of requests. */
  const earlier = useCallback(
    (): { connectionTests?: string[] } => (begun.current.length > 0 ? { connectionTests: [...begun.current] } : {}),
    [],
  )

  const drop = useCallback((): void => {
    turn.current += 1
    if (current.current !== undefined) void attempt('server.endTest', { id: current.current })
    current.current = undefined
  }, [attempt])
  useEffect(
    () => () => {
      drop()
      const { connectionTests } = earlier()
      if (connectionTests) void attempt('server.forgetTests', { connectionTests })
    },
    [attempt, drop, earlier],
  )

  const begin = useCallback(
    (what: TestedDefinition): void => {
      drop()
      const mine = turn.current
      const nothing: ConnectionTestRun = { id: '', tried: what, view: undefined, error: undefined }
      const follow = async (): Promise<void> => {
        setRun(nothing)
        const outcome = await attempt('server.testConnection', { ...what, ...earlier() })
        if (!outcome.ok) {
          if (mine === turn.current) setRun({ ...nothing, error: outcome.error })
          return
        }
        const { id } = outcome.value
        if (mine !== turn.current) return void attempt('server.endTest', { id })
        begun.current = [...begun.current, id].slice(-mostTests)
        current.current = id
        for (let after = -1, over = false; !over; ) {
          const seen = await attempt('server.watchTest', { id, after })
          if (mine !== turn.current) return
          if (seen.ok) ({ revision: after, over } = seen.value)
          else over = true
          setRun((before) => (seen.ok ? { ...nothing, id, view: seen.value } : { ...nothing, id, view: before?.view, error: seen.error }))
        }
      }
      void follow()
    },
    [attempt, drop, earlier],
  )

  const stop = useCallback((): void => {
    drop()
    setRun(undefined)
  }, [drop])

  return { run, earlier, begin, stop }
}

interface TestPanelProps {
  readonly connectionTest: ConnectionTestControl
  readonly run: ConnectionTestRun
  /** The form has changed since. */
  readonly stale: boolean
  readonly onAgain: () => void
  readonly onEdit: (field: EditField) => void
  /** Fills fields of the server's form; a time in seconds. */
  readonly onChange: (change: { readonly command?: string; readonly startTimeout?: string }) => void
}

export function ConnectionTestPanel({ connectionTest, run, stale, ...fixes }: TestPanelProps) {
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
    <section className="sec connection-test" aria-label={t`Test run`}>
      <div className="row">
        <h3 className="h3" ref={heading} tabIndex={-1}>
          {t`Test run`}
        </h3>
        {stale ? <Badge tone="warn">{t`outdated`}</Badge> : null}
        <span className="grow" />
        {isTestRunning(run) ? <SmallButton onClick={connectionTest.stop}>{t`Stop`}</SmallButton> : null}
      </div>
      {error ? <ErrorNotice error={error} onRetry={fixes.onAgain} /> : null}
      {view && kind !== undefined ? (
        <>
          <Phase phase={view.phase} {...fixes} />
          {kind === 'waiting' ? null : <HowItWent view={view} local={local} />}
        </>
      ) : null}
      {view || error ? null : <Busy>{t`Starting`}.</Busy>}
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
          <summary className="label">{t`Steps`}</summary>
          <StartSteps steps={report.steps} />
        </details>
      )
    default:
      return <StartSteps steps={report.steps} />
  }
}

export const Busy = ({ children }: { readonly children: ReactNode }) => (
  <p className="row dim" role="status">
    <Spinner />
    <span>{children}</span>
  </p>
)

const stepNow = {
  launching: t`Starting`,
  fetching: t`Fetching its package`,
  negotiating: t`Agreeing on a protocol revision`,
  'signing-in': t`Sign in`,
  listing: t`Reading its lists`,
} as const

type FixProps = Pick<TestPanelProps, 'onAgain' | 'onEdit' | 'onChange'>

/** A fix changes the form; the test is run again only when the person says so. */
function Phase({ phase, onAgain, onEdit, onChange }: FixProps & { readonly phase: ConnectionTestPhase }) {
  const fixes: Fixes = {
    onRetry: onAgain,
    onEdit,
    onCommand: (command) => onChange({ command }),
    onWait: (startTimeoutMs) => onChange({ startTimeout: String(startTimeoutMs / 1000) }),
  }
  switch (phase.kind) {
    case 'waiting':
      return <TestDock id={phase.requestId} />
    case 'starting':
      return phase.diagnosis ? <DiagnosisNotice diagnosis={phase.diagnosis} fixes={fixes} going /> : <Busy>{stepNow[phase.step]}.</Busy>
    case 'works':
      return <Works offers={phase.offers} />
    case 'asks-sign-in':
      return (
        <Notice title={t`It answers, and needs you to sign in.`}>
          {tx`Save it first. You then sign in at ${<VisibleText text={phase.issuer} />}.`}
        </Notice>
      )
    case 'failed':
      return phase.diagnosis ? (
        <DiagnosisNotice diagnosis={phase.diagnosis} fixes={fixes} />
      ) : (
        <ErrorNotice error={phase.error} onRetry={onAgain} />
      )
    case 'refused':
      return <Notice title={t`Not allowed. Nothing ran.`}>{t`Nothing was saved.`}</Notice>
    case 'called-off':
      return <Notice title={t`It was cancelled.`}>{t`Nothing was saved.`}</Notice>
    default:
      return assertNever(phase)
  }
}

/** Dock of the start that the test waits for; nothing once it is answered. */
function TestDock({ id }: { readonly id: string }) {
  const requests = useConsent(useShallow((all) => all.requests.filter((one) => one.id === id)))
  return <Dock requests={requests} home={() => takeFocus(document.querySelector<HTMLElement>('.connection-test h3'))} />
}

function Works({ offers: { session, tools, counts, tokens, warnings } }: { readonly offers: TestedCapabilities }) {
  const { resources, prompts } = counts
  const has = [
    t`${formatNumber(counts.tools)} {tool|tools}`,
    t`${formatNumber(resources)} {resource|resources}`,
    t`${formatNumber(prompts)} {prompt|prompts}`,
  ].join(', ')
  const revision = <VisibleText className="mono" text={session.protocolVersion} />
  return (
    <>
      <Notice icon="check" title={t`It works.`}>
        {tokens > 0 ? t`${has}, about ${formatNumber(tokens)} tokens in every message.` : t`${has}.`}
      </Notice>
      {warnings.map((warning) => (
        <WarnNotice key={warning} title={<VisibleText text={warning} />} />
      ))}
      <p className="help">
        {session.serverInfo
          ? tx`It calls itself “${<VisibleText text={session.serverInfo.title ?? session.serverInfo.name} />}”, and speaks ${revision}.`
          : tx`It speaks ${revision}.`}
      </p>
      {tools.length === 0 ? null : (
        <details className="fold">
          <summary className="label">{t`Tools`}</summary>
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
