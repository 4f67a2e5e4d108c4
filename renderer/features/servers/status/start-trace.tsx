// The last start of a server, step by step, with what ran and its last output: the same as `assent doctor`. Steps that are
// requests of the protocol keep the protocol's names.

import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { type DoctorReport, type DoctorStep, doctorText, type PathSource, pathSourceLabel } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { CopyButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AnsiText } from '../log/log-list.tsx'
import { FactList, type FactRow } from './fact-list.tsx'

const stepLabels: Readonly<Record<string, string>> = {
  'your assent': t`Your approval`,
  values: t`Resolve variables`,
  proxy: t`Find the proxy`,
  'find command': t`Find the command`,
  'start process': t`Start the process`,
  'first output': t`First output`,
  'start again': t`Restart`,
  'sign-in': t`Sign in`,
  lists: t`Reading its lists`,
}
export const stepLabel = (name: string): string => stepLabels[name] ?? name

/** Steps that a failed start did not reach; undefined: the program started or a protocol step was tried, or there was no failure. `local`: a program of this computer. */
export function notReached({ steps }: Pick<DoctorReport, 'steps'>, local: boolean): string | undefined {
  if (steps.every(({ ok }) => ok)) return undefined
  if (local) return steps.some(({ name }) => name === 'start process') ? undefined : t`Agreeing on a protocol revision`
  return steps.some(({ name }) => name.includes('/') || name === 'initialize') ? undefined : t`Agreeing on a protocol revision`
}

const foldersOf = (path: string): string[] => [...new Set(path.split(/^[A-Za-z]:\\|;/.test(path) ? ';' : ':').filter(Boolean))]

function SearchPath({ path, source }: { readonly path: string; readonly source: PathSource | null }) {
  const parts = foldersOf(path)
  const count = t`${parts.length} {folder|folders}`
  return (
    <details className="folders">
      <summary>
        <span className="dim">{source === null ? count : `${count} · ${pathSourceLabel(source)}`}</span>
      </summary>
      <ol className="mono">
        {parts.map((folder) => (
          <VisibleText as="li" key={folder} text={folder} />
        ))}
      </ol>
    </details>
  )
}

const pathVariable = 'PATH'

export function StartFacts({ report, local }: { readonly report: DoctorReport; readonly local: boolean }) {
  const { command, resolved, path, pathSource, cwd, exit, diagnosis } = report
  const code = (label: string, text: string | null): FactRow => [label, text !== null && <VisibleText text={text} />, 'mono']
  const isNowhere = resolved === null && local && diagnosis?.code === 'command-not-found'
  const rows: FactRow[] = [
    code(local ? t`Command` : t`Address`, command),
    isNowhere ? [t`Found at`, <span key="nowhere" className="dangertext">{t`not found`}</span>] : code(t`Found at`, resolved),
    [pathVariable, path !== null && <SearchPath path={path} source={pathSource} />],
    code(t`Folder`, cwd),
    [t`Exit`, exit && (exit.signal ?? exit.code ?? '?')],
  ]
  return <FactList rows={rows} />
}

const mostLines = 12

function OutputLines({ stream, lines }: { readonly stream: 'stdout' | 'stderr'; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="sec">
      <h3>{stream}</h3>
      <div className="code">
        <pre className="wrapit last-words">
          {lines.slice(-mostLines).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a report that does not change.
            <span key={index}>
              <AnsiText line={line} />
              {'\n'}
            </span>
          ))}
        </pre>
      </div>
    </div>
  )
}

export function LastOutput({ report }: { readonly report: DoctorReport }) {
  return (
    <>
      <OutputLines stream="stdout" lines={report.output} />
      <OutputLines stream="stderr" lines={report.stderr} />
    </>
  )
}

export function StartSteps({ steps, missed }: { readonly steps: readonly DoctorStep[]; readonly missed?: string | undefined }) {
  if (steps.length === 0) return null
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
        <li key={index} className={step.ok ? '' : 'dangertext'}>
          <Icon name={step.ok ? 'check' : 'close'} small />
          <span>
            {stepLabel(step.name)}
            {step.detail ? (
              <span className="dim">
                : <VisibleText text={step.detail} />
              </span>
            ) : null}
            <span className="sr">{step.ok ? '' : ` ${t`failed`}`}</span>
          </span>
          <span className="num">{formatDuration(step.ms)}</span>
        </li>
      ))}
      {missed === undefined ? null : (
        <li className="dim">
          <Icon name="dash" small />
          <span>{missed}</span>
          <span className="num">–</span>
        </li>
      )}
    </ol>
  )
}

export function WhatWasTried({ server }: { readonly server: ServerSummary }) {
  const { value: report, error, reload } = useHostAnswer('server.doctor', { name: server.name })
  if (error) return <ErrorNotice error={error} onRetry={reload} />
  if (!report) return <Loading />
  const local = server.definition.transport === 'stdio' || server.definition.transport === 'builtin'
  return (
    <>
      <section className="sec">
        <div className="row">
          {report.startedAt === null ? (
            <h3 className="h3">{t`Not started in this run`}</h3>
          ) : (
            <h3 className="h3 num">{formatWhen(report.startedAt, Date.now())}</h3>
          )}
          <span className="grow" />
          <CopyButton words variant="ghost" text={() => doctorText(report)} label={t`Copy report`} />
        </div>
        <StartFacts report={report} local={local} />
      </section>
      <StartSteps steps={report.steps} missed={notReached(report, local)} />
      <LastOutput report={report} />
      {server.counts.tools > 0 ? <p className="help">{t`Its tools are listed from last time.`}</p> : null}
    </>
  )
}
