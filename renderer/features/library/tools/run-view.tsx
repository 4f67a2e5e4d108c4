// The manual runs of one tool, newest first: those that the host keeps, and over them what this page was told since. One run shows its
// state in a line and, once opened, arguments and result. What its server asks stands in the dock of the page.

import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { clockWithSeconds } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { CallOutcomeView, CallStatusIcon } from '#renderer/features/chat/calls/call-group.tsx'
import { callStatusOf, overdueLabel, progressPart } from '#renderer/features/chat/calls/call-labels.ts'
import { EndedLine } from '#renderer/features/consent/request/ended-line.tsx'
import { ArgumentList } from '#renderer/features/consent/tool-call/argument-list.tsx'
import { endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useActions, useConsent, useManualRuns, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Icon, Track } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

/** Runs that are fetched at once. */
const page = 10
const none: RequestResult<'tool.runs'> = { runs: [], more: false }

export function useRuns(server: string, tool: string, begun: ManualRun | undefined) {
  const { ask } = useActions()
  const { manualRuns } = useStores()
  const { value: kept = none, setAnswer } = useHostAnswer('tool.runs', { server, tool, limit: page })
  const told = useManualRuns(useShallow((state) => Object.values(state.byId).filter((run) => run.server === server && run.tool === tool)))
  const last = kept.runs.at(-1)
  const loadMore = useCallback(() => {
    if (!last) return
    void ask('tool.runs', { server, tool, limit: page, before: { at: last.at, id: last.id } }).then((next) => {
      if (next) setAnswer((before) => ({ ...before, value: { ...next, runs: [...(before.value?.runs ?? []), ...next.runs] } }))
    })
  }, [ask, server, tool, last, setAnswer])
  const forget = (): void => {
    void ask('tool.forgetRuns', { of: { server, tool } }).then((done) => {
      if (!done) return
      setAnswer((before) => ({ ...before, value: none }))
      manualRuns.setState(({ byId, drafts }) => ({
        drafts,
        byId: Object.fromEntries(
          Object.entries(byId).filter(([, run]) => run.server !== server || run.tool !== tool || isRunUnfinished(run)),
        ),
      }))
    })
  }
  const runs = useMemo(() => {
    const byId = new Map(kept.runs.map((run) => [run.id, run]))
    if (begun) byId.set(begun.id, begun)
    for (const run of told) byId.set(run.id, run)
    return [...byId.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  }, [kept, told, begun])
  return { runs, more: kept.more, loadMore, forget }
}

export const isRunUnfinished = ({ state }: ManualRun): boolean =>
  state.kind === 'queued' || state.kind === 'waiting' || state.kind === 'running'

export interface RunViewProps {
  readonly run: ManualRun
  /** The person just began the run here. */
  readonly first: boolean
  readonly onEdit: (text: string) => void
  readonly onAgain: (text: string) => void
}

export function RunView({ run, first, onEdit, onAgain }: RunViewProps) {
  const more = useId()
  const { announce } = useActions()
  const [opened, setOpened] = useState<boolean | undefined>(undefined)
  const open = opened ?? first
  const asked = useConsent(useShallow((state) => state.requests.filter((request) => request.callId === run.id)))
  // The answer to the run's own request stands on its line.
  const ended = useConsent(
    useShallow((state) => endedElsewhere(state).filter(({ request }) => request.callId === run.id && request.kind !== 'tool-call')),
  )
  const under = isRunUnfinished(run)
  const box = useScrollTo(first, `${run.state.kind} ${asked.map(({ id }) => id).join(' ')}`)
  const now = useNow(1000, under)
  const { mark, tone, aside, note } = callStatusOf(run.state, now, asked.length > 0)
  const words = wordsOf(run, note)
  // The end of a run that was begun here is announced once.
  useEffect(() => {
    if (first && !under) announce(`${run.tool}: ${words}.`)
  }, [first, under, run.tool, words, announce])
  return (
    <div ref={box} className={cx('hand-run', tone === 'bad' && 'bad')} data-run={run.state.kind}>
      <button type="button" className="hand-run-line" aria-expanded={open} aria-controls={more} onClick={() => setOpened(!open)}>
        <CallStatusIcon mark={mark} />
        <VisibleText className="cut mono" text={JSON.stringify(run.arguments).slice(0, 200)} />
        <span className={cx('help num nowrap', tone === 'warn' && 'warntext')}>
          {words} · {clockWithSeconds(run.at)}
        </span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
      </button>
      {under && <UnderWay run={run} message={aside} now={now} />}
      {ended.map((one) => (
        <EndedLine key={one.request.id} ended={one} />
      ))}
      <div id={more} hidden={!open}>
        {open && !under && <Ended run={run} onEdit={onEdit} onAgain={onAgain} />}
      </div>
    </div>
  )
}

/** Brings the run that was begun here into view, with each of its requests and its end. `step`: what is shown of it. */
function useScrollTo(begunHere: boolean, step: string) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs at each step.
  useEffect(() => {
    if (begunHere) box.current?.scrollIntoView({ block: 'nearest' })
  }, [begunHere, step])
  return box
}

/** Status of a run, whose result no model reads. */
function wordsOf({ state }: ManualRun, note: string): string {
  if (state.kind === 'done' && state.result.isError) return t`error`
  return state.kind === 'failed' ? t`error` : note
}

type Running = Extract<ManualRun['state'], { kind: 'running' }>
function UnderWay({ run, message, now }: { readonly run: ManualRun; readonly message: string; readonly now: number }) {
  const { go } = useActions()
  const { progress, overdue }: Partial<Running> = run.state.kind === 'running' ? run.state : {}
  return (
    <div className="row wrap">
      <Track part={progressPart(progress)} label={t`Progress`} />
      {message && (
        <span className="help">
          “<VisibleText text={message} />”
        </span>
      )}
      {overdue && (
        <>
          <span className="help warntext num">{tx`Still running: ${overdueLabel(overdue, now)}`}</span>
          <SmallButton onClick={() => go('tool.waitForRun', { id: run.id })}>{t`Wait longer`}</SmallButton>
        </>
      )}
      <SmallGhostButton danger onClick={() => go('tool.cancelRun', { id: run.id })}>
        {t`Cancel`}
      </SmallGhostButton>
    </div>
  )
}

function Ended({ run, onEdit, onAgain }: Omit<RunViewProps, 'first'>) {
  const whole = useWhole(run)
  const text = JSON.stringify(run.arguments, null, 2)
  return (
    <div className="stack hand-run-more">
      <section className="sec">
        <p className="label">{t`Arguments`}</p>
        <ArgumentList value={run.arguments} />
        {run.masked && <p className="help">{t`Secrets are not kept: enter them again.`}</p>}
      </section>
      <CallOutcomeView state={whole.state} server={run.server} />
      <div className="row">
        <SmallButton onClick={() => onEdit(text)}>{t`Edit and run`}</SmallButton>
        {!run.masked && <SmallGhostButton onClick={() => onAgain(text)}>{t`Run again`}</SmallGhostButton>}
      </div>
    </div>
  )
}

/** The run with its result, which lists leave out. */
function useWhole(run: ManualRun): ManualRun {
  const told = useManualRuns((state) => state.byId[run.id])
  const kept = useHostAnswer('tool.getRun', told ? undefined : { id: run.id }, run).value?.run
  return told ?? kept ?? run
}
