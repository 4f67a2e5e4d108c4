// How a server is: its state, what it did in this run, and the processes that it is made of.
import { cpuShare, depths } from '#app/server/activity.ts'
import type { ServerStateKind } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { callWords, lastErrorWords, shareWords, shortCommand, startWords } from './activity-words.ts'
import { addressOf } from './failure-view.ts'
import { clockTime } from './log-lines.ts'
import { countsTime, formatTokens, headlineWords } from './state-words.ts'
import { type Activity, useActivity } from './use-activity.ts'

/** There is a process, or there may be one soon. */
const runs: ReadonlySet<ServerStateKind> = new Set(['starting', 'ready', 'stopping'])

export function ActivitySection({ server }: { readonly server: ServerView }) {
  const { name, definition, tokens } = server
  const now = useNow(1000, countsTime(server))
  const local = definition.transport === 'stdio' || definition.transport === 'builtin'
  const seen = useActivity(name, local && runs.has(server.state.kind))
  const { activity } = seen
  const enabled = server.counts.enabledTools
  return (
    <section className="sec">
      <h3>{t`Now`}</h3>
      <dl className="kv">
        <dt>{t`State`}</dt>
        <dd>{headlineWords(server, addressOf(definition), now)}</dd>
        {activity ? (
          <>
            <dt>{t`In this run`}</dt>
            <dd className="num">{startWords(activity.counts)}</dd>
            <dt>{t`Calls, this run`}</dt>
            <dd className="num">{callWords(activity.run)}</dd>
            <dt>{t`Calls, last 24 h`}</dt>
            <dd className="num">{callWords(activity.day)}</dd>
            <dt>{t`Last error`}</dt>
            <dd>
              {activity.lastError ? (
                <>
                  <Revealed text={lastErrorWords(activity.lastError)} />{' '}
                  <span className="faint num" title={new Date(activity.lastError.at).toISOString()}>
                    {clockTime(activity.lastError.at)}
                  </span>
                </>
              ) : (
                t`none`
              )}
            </dd>
          </>
        ) : null}
        <dt>{t`Its tools cost`}</dt>
        <dd className="num">
          {enabled === 0
            ? t`nothing: none is on`
            : enabled === 1
              ? t`${formatTokens(tokens)} tokens in every message, for one tool`
              : t`${formatTokens(tokens)} tokens in every message, for ${enabled} tools`}
        </dd>
      </dl>
      <Processes {...seen} />
    </section>
  )
}

function Processes({ processes: list, before }: Activity) {
  if (!list || list.kind === 'none') return null
  if (list.kind === 'unknown') return <p className="help">{t`What its processes take is not known on this system.`}</p>
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
            <th scope="col">{processes.length === 1 ? t`One process` : t`${processes.length} processes`}</th>
            <th scope="col">{t`pid`}</th>
            <th scope="col">{t`Memory`}</th>
            <th scope="col">{t`CPU`}</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((one, index) => (
            <tr key={`${one.pid}:${one.start}`}>
              <td className="mono cut" title={one.command} data-depth={Math.min(depth[index] ?? 0, 4)}>
                <Revealed text={shortCommand(one.command)} />
              </td>
              <td className="num">{one.pid}</td>
              <td className="num">{formatBytes(one.memory)}</td>
              <td className="num">{shareWords(shares[index])}</td>
            </tr>
          ))}
        </tbody>
        {processes.length > 1 ? (
          <tfoot>
            <tr>
              <th scope="row">{t`Together`}</th>
              <td />
              <td className="num">{formatBytes(memory)}</td>
              <td className="num">{shareWords(known.length === 0 ? undefined : known.reduce((sum, share) => sum + share, 0))}</td>
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}
