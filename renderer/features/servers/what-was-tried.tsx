// What the host did to start a server, step by step, with what ran and what it said last: the same as `assent doctor`.

import type { ReactNode } from 'react'
import type { DoctorReport, DoctorStep, PathSource } from '#app/server/doctor.ts'
import { doctorText } from '#app/server/doctor-text.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatDuration } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AnsiText } from './ansi-text.tsx'
import { Loading } from './load-state.tsx'
import { clockTime } from './log-lines.ts'
import { notReached, stepWords } from './step-words.ts'
import { useDoctor } from './use-doctor.ts'

function Step({ step }: { readonly step: DoctorStep }) {
  return (
    <li className={step.ok ? '' : 'dangertext'}>
      <Icon name={step.ok ? 'check' : 'close'} small />
      <span>
        {stepWords(step.name)}
        {step.detail ? (
          <span className="dim">
            : <Revealed text={step.detail} />
          </span>
        ) : null}
        <span className="sr">{step.ok ? '' : ` ${t`failed`}`}</span>
      </span>
      <span className="num">{formatDuration(step.ms)}</span>
    </li>
  )
}

const foldersWords = (count: number): string => (count === 1 ? t`1 folder` : t`${count} folders`)
const pathWords: Record<PathSource, (count: string) => string> = {
  terminal: (count) => t`from your terminal, ${count}`,
  'login-shell': (count) => t`from your login shell, ${count}`,
  registry: (count) => t`kept by Windows, ${count}`,
  fallback: (count) => t`of Assent and the usual places, ${count}`,
  config: (count) => t`set in servers.json, ${count}`,
}

const foldersOf = (path: string): string[] => [...new Set(path.split(/^[A-Za-z]:\\|;/.test(path) ? ';' : ':').filter(Boolean))]

function SearchPath({ path, source }: { readonly path: string; readonly source: PathSource | null }) {
  const parts = foldersOf(path)
  const count = foldersWords(parts.length)
  return (
    <details className="folders">
      <summary>
        <span className="dim">{source === null ? count : pathWords[source](count)}</span>
      </summary>
      <ol className="mono">
        {parts.map((folder) => (
          <li key={folder}>
            <Revealed text={folder} />
          </li>
        ))}
      </ol>
    </details>
  )
}

const Fact = ({ name, mono, children }: { readonly name: string; readonly mono?: boolean; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd className={mono ? 'mono' : undefined}>{children}</dd>
  </>
)

export function Facts({ report, local }: { readonly report: DoctorReport; readonly local: boolean }) {
  const { command, resolved, path, pathSource, cwd, exit, diagnosis } = report
  const notFound = local && resolved === null && diagnosis?.code === 'command-not-found'
  return (
    <dl className="kv">
      <Fact name={local ? t`Command` : t`Address`} mono>
        <Revealed text={command} />
      </Fact>
      {resolved !== null ? (
        <Fact name={t`Found at`} mono>
          <Revealed text={resolved} />
        </Fact>
      ) : notFound ? (
        <Fact name={t`Found at`}>
          <span className="dangertext">{t`nowhere`}</span>
        </Fact>
      ) : null}
      {path === null ? null : (
        <Fact name="PATH">
          <SearchPath path={path} source={pathSource} />
        </Fact>
      )}
      {cwd === null ? null : (
        <Fact name={t`Folder`} mono>
          <Revealed text={cwd} />
        </Fact>
      )}
      {exit === null ? null : (
        <Fact name={t`It ended`}>{exit.signal === null ? t`with exit code ${exit.code ?? '?'}` : t`by ${exit.signal}`}</Fact>
      )}
    </dl>
  )
}

const mostWords = 12

function Words({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="sec">
      <h3>{title}</h3>
      <div className="code">
        <pre className="wrapit last-words">
          {lines.slice(-mostWords).map((line, index) => (
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

export function LastWords({ report }: { readonly report: DoctorReport }) {
  return (
    <>
      <Words title={t`What it wrote where MCP was expected`} lines={report.output} />
      <Words title={t`Its last words`} lines={report.stderr} />
    </>
  )
}

interface StepsProps {
  readonly steps: readonly DoctorStep[]
  /** What it did not come to. */
  readonly missed: string | undefined
}

export function Steps({ steps, missed }: StepsProps) {
  if (steps.length === 0) return null
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
        <Step key={index} step={step} />
      ))}
      {missed === undefined ? null : (
        <li className="dim">
          <Icon name="dash" small />
          <span>{missed}</span>
          <span className="num">{t`not reached`}</span>
        </li>
      )}
    </ol>
  )
}

export function WhatWasTried({ server }: { readonly server: ServerView }) {
  const { report, error, reload } = useDoctor(server.name)
  if (error) return <ErrorNotice error={error} onRetry={reload} />
  if (!report) return <Loading what={t`report`} />
  const local = server.definition.transport === 'stdio' || server.definition.transport === 'builtin'
  return (
    <>
      <section className="sec">
        <div className="row">
          {report.startedAt === null ? (
            <h3 className="h3">{t`Not started in this run`}</h3>
          ) : (
            <>
              <h3 className="h3">{t`The last start`}</h3>
              <span className="faint num">{clockTime(report.startedAt)}</span>
            </>
          )}
          <span className="grow" />
          <CopyButton variant="ghost" label={t`Copy report`} text={() => doctorText(report)}>
            {t`Copy report`}
          </CopyButton>
        </div>
        <Facts report={report} local={local} />
      </section>
      <Steps steps={report.steps} missed={notReached(report, local)} />
      <LastWords report={report} />
      {server.counts.tools > 0 ? (
        <p className="help">{tx`Its tools stay listed from the last run. A call to one starts ${<ServerName name={server.name} />} again.`}</p>
      ) : null}
    </>
  )
}
