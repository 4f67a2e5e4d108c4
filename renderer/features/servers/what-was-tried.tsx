// What the host did to start a server, step by step, and what the server said last.
import type { ErrorValue } from '#app/errors.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatDuration } from '#app/text.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { clockTime, type LogPage, plainText } from './log-lines.ts'
import { commandLine, readTried, type Tried, type TriedStep, triedReport } from './tried.ts'

const stepIcon = { ok: 'check', failed: 'close', 'not-reached': 'dash' } as const
const stepTone = { ok: '', failed: 'dangertext', 'not-reached': 'faint' } as const

function Step({ step }: { readonly step: TriedStep }) {
  return (
    <li className={stepTone[step.outcome]}>
      <Icon name={stepIcon[step.outcome]} small />
      <span>
        {step.name}
        {step.detail ? (
          <span className="dim">
            : <Revealed text={step.detail} />
          </span>
        ) : null}
        <span className="sr">{step.outcome === 'failed' ? ', failed' : ''}</span>
      </span>
      <span className="num">{step.outcome === 'not-reached' ? 'not reached' : step.ms === undefined ? '' : formatDuration(step.ms)}</span>
    </li>
  )
}

const pathWords: Record<string, string> = {
  terminal: 'from your terminal, ',
  'login-shell': 'from your login shell, ',
  registry: 'kept by Windows, ',
  fallback: 'of Assent and the usual places, ',
  config: 'set in servers.json, ',
}

function Facts({ tried }: { readonly tried: Tried }) {
  const { resolved, path, pathSource, cwd } = tried
  return (
    <dl className="kv">
      <dt>Command</dt>
      <dd className="mono">
        <Revealed text={tried.command} />
      </dd>
      {resolved === undefined ? null : (
        <>
          <dt>Resolved to</dt>
          <dd className={resolved === null ? 'dangertext' : 'mono'}>{resolved ?? 'nothing'}</dd>
        </>
      )}
      {path.length === 0 ? null : (
        <>
          <dt>PATH</dt>
          <dd>
            <details className="folders">
              <summary>
                <span className="dim">
                  {pathWords[pathSource ?? ''] ?? ''}
                  {path.length} {path.length === 1 ? 'folder' : 'folders'}
                </span>
              </summary>
              <ol className="mono">
                {path.map((folder) => (
                  <li key={folder}>{folder}</li>
                ))}
              </ol>
            </details>
          </dd>
        </>
      )}
      {cwd === undefined ? null : (
        <>
          <dt>Folder</dt>
          <dd className="mono">{cwd}</dd>
        </>
      )}
    </dl>
  )
}

const lastWords = 12

/** `log`: what the host kept of its output; the failure's own copy of stderr stands in where there is none. */
export function WhatWasTried({ server, error, log }: { readonly server: ServerView; readonly error: ErrorValue; readonly log: LogPage }) {
  const tried: Tried = readTried(error, server.definition) ?? { command: commandLine(server.definition), path: [], steps: [], stderr: [] }
  const lines = log.lines.filter((line) => line.source === 'stderr' || line.source === 'stdout').slice(-lastWords)
  const words =
    lines.length > 0
      ? lines.map((line) => ({ time: clockTime(line.time), text: line.text, key: line.seq }))
      : tried.stderr.slice(-lastWords).map((text, key) => ({ time: '', text, key }))
  return (
    <>
      <div className="tried">
        <Facts tried={tried} />
        <CopyButton
          variant="ghost"
          label="Copy report"
          text={() => triedReport(server.name, error, { ...tried, stderr: words.map(({ text }) => plainText(text)) })}
        >
          Copy report
        </CopyButton>
      </div>
      {tried.steps.length === 0 ? null : (
        <ol className="steps">
          {tried.steps.map((step) => (
            <Step key={step.name} step={step} />
          ))}
        </ol>
      )}
      {words.length === 0 ? null : (
        <div className="sec">
          <h3>Its last words</h3>
          <div className="code">
            <pre className="wrapit last-words">
              {words.map(({ time, text, key }) => (
                <span key={key}>
                  {time ? <i>{time} </i> : null}
                  <Revealed text={plainText(text)} />
                  {'\n'}
                </span>
              ))}
            </pre>
          </div>
        </div>
      )}
      {server.counts.tools > 0 ? (
        <p className="help">Its tools stay listed from the last run. A call to one starts {server.name} again.</p>
      ) : null}
    </>
  )
}
