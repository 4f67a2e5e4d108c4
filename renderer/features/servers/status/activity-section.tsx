// State of a server, what it did in this run, and its processes. Refreshed while it is shown.

import { useState } from 'react'
import { describeError } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type CallFigures, cpuShare, depths, type LastError, type ProcessList, type RunCounts } from '#app/server/server-activity.ts'
import type { ServerStateKind } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatBytes, formatCount, formatDuration } from '#app/text/format-text.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { clockTime } from '../log/log-lines.ts'
import { FactList } from './fact-list.tsx'
import { serverAddressOf } from './failure-notice.tsx'
import { countsTime, headlineLabel } from './state-labels.ts'

type KnownProcesses = Extract<ProcessList, { kind: 'processes' }>

const cpu = 'CPU'
const everyMs = 2000

/** "started 3 times, once of them after a failure" */
export function startsLabel({ starts, restarts, failures }: RunCounts): string {
  if (starts === 0) return t`Not started in this run`
  const words = [t`started ${formatNumber(starts)} {time|times}`]
  if (restarts > 0) words.push(t`${formatNumber(restarts)} {time|times} after a failure`)
  else if (failures > 0) words.push(t`failed ${formatNumber(failures)} {time|times}`)
  return words.join(', ')
}

/** "12 calls, 1 failed · half within 40 ms, 95 of 100 within 0.9 s" */
export function callFiguresLabel({ calls, failed, p50, p95 }: CallFigures): string {
  if (calls === 0) return t`none`
  const count = t`${formatNumber(calls)}, ${formatNumber(failed)} failed`
  if (p50 === null || p95 === null) return count
  return calls === 1 ? `${count} · ${t`took ${formatDuration(p50)}`}` : `${count} · p50 ${formatDuration(p50)} · p95 ${formatDuration(p95)}`
}

export const lastErrorLabel = (last: LastError): string => {
  if (last.kind === 'server') return describeError(last.error).message
  return last.code === 'tool-error' ? t`“${last.tool}” returned an error` : t`“${last.tool}” failed (${last.code})`
}

/** Share of one processor: "0.4 %", "180 %". */
export const cpuShareLabel = (share: number | undefined): string =>
  share === undefined ? '–' : `${share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`

/** Command line without the folder of the program, which would leave no room for the rest. */
export const shortCommand = (command: string): string => command.replace(/^\S*\/(?=\S)/, '')

/** There is a process, or there may be one soon. */
const runs: ReadonlySet<ServerStateKind> = new Set(['starting', 'ready', 'stopping'])

export function ActivitySection({ server }: { readonly server: ServerSummary }) {
  const { name, definition } = server
  const now = useNow(1000, countsTime(server))
  const local = definition.transport === 'stdio' || definition.transport === 'builtin'
  const { value: activity } = useHostAnswer('server.activity', { name }, undefined, everyMs)
  return (
    <Section title={t`Now`}>
      <FactList
        rows={[
          [t`State`, headlineLabel(server, serverAddressOf(definition), now)],
          [t`In this run`, activity && startsLabel(activity.counts), 'num'],
          [t`Calls, this run`, activity && callFiguresLabel(activity.run), 'num'],
          [t`Calls, last 24 h`, activity && callFiguresLabel(activity.day), 'num'],
          [
            t`Last error`,
            activity &&
              (!activity.lastError ? (
                t`none`
              ) : (
                <>
                  <VisibleText text={lastErrorLabel(activity.lastError)} />{' '}
                  <span className="faint num" title={new Date(activity.lastError.at).toISOString()}>
                    {clockTime(activity.lastError.at)}
                  </span>
                </>
              )),
          ],
          [t`Tokens of tools`, toolsCostLabel(server), 'num'],
        ]}
      />
      {local && runs.has(server.state.kind) && <Processes server={name} />}
    </Section>
  )
}

function toolsCostLabel({ tokens, counts: { enabledTools } }: ServerSummary): string {
  if (enabledTools === 0) return t`none`
  return t`${formatCount(tokens)} tokens in every message, for ${enabledTools} {tool|tools}`
}

function Processes({ server }: { readonly server: string }) {
  const { value, error } = useHostAnswer('server.processes', { name: server }, undefined, everyMs)
  const [list, setList] = useState<ProcessList | undefined>(undefined)
  const [before, setBefore] = useState<KnownProcesses | undefined>(undefined)
  if (value !== list) {
    setBefore(list?.kind === 'processes' ? list : undefined)
    setList(value)
  }
  if (!list || error || list.kind === 'none') return null
  if (list.kind === 'unknown') return <p className="help">{t`unknown`}</p>
  const { processes, at } = list
  if (processes.length === 0) return null
  const depth = depths(processes)
  const memory = processes.reduce((sum, one) => sum + one.memory, 0)
  const shares = processes.map((one) => cpuShare(one, at, before))
  const known = shares.filter((share) => share !== undefined)
  return (
    <div className="processes">
      <table>
        <caption className="sr">{t`Processes`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`${processes.length} {process|processes}`}</th>
            <th scope="col">{t`pid`}</th>
            <th scope="col">{t`Memory`}</th>
            <th scope="col">{cpu}</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((one, index) => (
            <tr key={`${one.pid}:${one.start}`}>
              <VisibleText
                as="td"
                className="mono cut"
                title={one.command}
                data-depth={Math.min(depth[index] ?? 0, 4)}
                text={shortCommand(one.command)}
              />
              <td className="num">{one.pid}</td>
              <td className="num">{formatBytes(one.memory)}</td>
              <td className="num">{cpuShareLabel(shares[index])}</td>
            </tr>
          ))}
        </tbody>
        {processes.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row">{t`Together`}</th>
              <td />
              <td className="num">{formatBytes(memory)}</td>
              <td className="num">{cpuShareLabel(known.length === 0 ? undefined : known.reduce((sum, share) => sum + share, 0))}</td>
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}
