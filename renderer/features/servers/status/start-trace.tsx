// What the host did to start a server, step by step, with what ran and what it said last: the same as `assent doctor`. The
// steps of a start, in words; the requests of the protocol keep their names. Pure. What the last start of a server was like:
// asked for when somebody looks.
import { type ReactNode, useEffect, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type DoctorReport, type DoctorStep, doctorText, type PathSource } from '#app/server/doctor.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { ErrorNotice, Loading } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AnsiText } from '../log/ansi-text.tsx'
import { clockTime } from '../log/log-lines.ts'

interface DoctorPage {
  readonly report: DoctorReport | undefined
  readonly error: ErrorValue | undefined
  readonly reload: () => void
}

function useDoctor(name: string): DoctorPage {
  const { attempt } = useActions()
  const [page, setPage] = useState<Omit<DoctorPage, 'reload'>>({ report: undefined, error: undefined })
  const [again, setAgain] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on "Try again" is a reason to fetch.
  useEffect(() => {
    let gone = false
    void attempt('server.doctor', { name }).then((outcome) => {
      if (gone) return
      setPage(outcome.ok ? { report: outcome.value, error: undefined } : { report: undefined, error: outcome.error })
    })
    return () => {
      gone = true
    }
  }, [attempt, name, again])
  return { ...page, reload: () => setAgain((count) => count + 1) }
}

const words: Readonly<Record<string, string>> = {
  'your assent': t`Your assent`,
  values: t`Fill in its values`,
  proxy: t`Find the proxy`,
  'find command': t`Find the command`,
  'start process': t`Start the process`,
  'first output': t`Hear from it`,
  'start again': t`Start it again`,
  'sign-in': t`Sign in`,
  lists: t`Read its lists`,
}
export const stepLabel = (name: string): string => words[name] ?? name

/** What a start that failed did not come to; undefined: it came to speak, or there was none. `local`: it is a program of this computer. */
export function notReached({ steps }: Pick<DoctorReport, 'steps'>, local: boolean): string | undefined {
  if (steps.every(({ ok }) => ok)) return undefined
  if (local) return steps.some(({ name }) => name === 'start process') ? undefined : t`Start, then agree on a protocol revision`
  return steps.some(({ name }) => name.includes('/') || name === 'initialize') ? undefined : t`Connect, then agree on a protocol revision`
}

function Step({ step }: { readonly step: DoctorStep }) {
  return (
    <li className={step.ok ? '' : 'dangertext'}>
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
            <VisibleText text={folder} />
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

export function StartFacts({ report, local }: { readonly report: DoctorReport; readonly local: boolean }) {
  const { command, resolved, path, pathSource, cwd, exit, diagnosis } = report
  const notFound = local && resolved === null && diagnosis?.code === 'command-not-found'
  return (
    <dl className="kv">
      <Fact name={local ? t`Command` : t`Address`} mono>
        <VisibleText text={command} />
      </Fact>
      {resolved !== null ? (
        <Fact name={t`Found at`} mono>
          <VisibleText text={resolved} />
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
          <VisibleText text={cwd} />
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

export function LastOutput({ report }: { readonly report: DoctorReport }) {
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

export function StartSteps({ steps, missed }: StepsProps) {
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

export function WhatWasTried({ server }: { readonly server: ServerSummary }) {
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
        <StartFacts report={report} local={local} />
      </section>
      <StartSteps steps={report.steps} missed={notReached(report, local)} />
      <LastOutput report={report} />
      {server.counts.tools > 0 ? (
        <p className="help">{tx`Its tools stay listed from the last run. A call to one starts ${<ServerName name={server.name} />} again.`}</p>
      ) : null}
    </>
  )
}
