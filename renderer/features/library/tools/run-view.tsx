// One run: how it fares in a line, what its server asks meanwhile, and, opened, what was sent and what came of it.

import { useEffect, useId, useState } from 'react'
import type { HandRun } from '#app/chat/hand-run.ts'
import { clockWithSeconds } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { CallMark } from '#renderer/features/chat/call-mark.tsx'
import { Outcome } from '#renderer/features/chat/call-more.tsx'
import { callWords, overdueWords, progressPart } from '#renderer/features/chat/call-words.ts'
import { ArgumentList } from '#renderer/features/consent/argument-list.tsx'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { EndedLine } from '#renderer/features/consent/ended-line.tsx'
import { endedElsewhere } from '#renderer/stores/consent.ts'
import { useActions, useConsent, useShallow, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Track } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { isUnderWay } from './use-runs.ts'

interface RunViewProps {
  readonly run: HandRun
  /** It was just begun here. */
  readonly first: boolean
  readonly onEdit: (text: string) => void
  readonly onAgain: (text: string) => void
}

export function RunView({ run, first, onEdit, onAgain }: RunViewProps) {
  const more = useId()
  const { view } = useStores()
  const [opened, setOpened] = useState<boolean | undefined>(undefined)
  const open = opened ?? first
  const asked = useConsent(useShallow((state) => state.requests.filter((request) => request.callId === run.id)))
  // What the run itself was answered with stands on its line.
  const ended = useConsent(
    useShallow((state) => endedElsewhere(state).filter(({ request }) => request.callId === run.id && request.kind !== 'tool-call')),
  )
  const under = isUnderWay(run)
  const now = useNow(1000, under)
  const { mark, tone, aside, note } = callWords(run.state, now, asked.length > 0)
  const words = wordsOf(run, note)
  // What was begun here is followed: its end is said once.
  useEffect(() => {
    if (first && !under) announce(view, `${run.tool}: ${words}.`)
  }, [first, under, run.tool, words, view])
  const part = run.state.kind === 'running' ? progressPart(run.state.progress) : undefined
  return (
    <div className={cx('hand-run', tone === 'bad' && 'bad')} data-run={run.state.kind}>
      <button type="button" className="hand-run-line" aria-expanded={open} aria-controls={more} onClick={() => setOpened(!open)}>
        <CallMark mark={mark} />
        <span className="cut mono">
          <Revealed text={JSON.stringify(run.arguments).slice(0, 200)} />
        </span>
        <span className={cx('help num nowrap', tone === 'warn' && 'warntext')}>
          {words} · {clockWithSeconds(run.at)}
        </span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
      </button>
      {under && <UnderWay run={run} part={part} message={aside} now={now} />}
      {asked.map((request) => (
        <ConsentCard key={request.id} request={request} />
      ))}
      {ended.map((one) => (
        <EndedLine key={one.request.id} ended={one} />
      ))}
      <div id={more} hidden={!open}>
        {open && !under && <Ended run={run} onEdit={onEdit} onAgain={onAgain} />}
      </div>
    </div>
  )
}

/** No model reads what comes of it. */
function wordsOf({ state }: HandRun, note: string): string {
  if (state.kind === 'done' && state.result.isError) return t`the tool says it failed`
  return state.kind === 'failed' ? t`error` : note
}

interface UnderWayProps {
  readonly run: HandRun
  readonly part: number | undefined
  readonly message: string
  readonly now: number
}

function UnderWay({ run, part, message, now }: UnderWayProps) {
  const { go } = useActions()
  const overdue = run.state.kind === 'running' ? run.state.overdue : undefined
  return (
    <div className="row wrap">
      <Track part={part} label={t`Progress of “${run.tool}”`} />
      {message && (
        <span className="help">
          “<Revealed text={message} />”
        </span>
      )}
      {overdue && (
        <>
          <span className="help warntext num">{tx`Still running: ${overdueWords(overdue, now)}`}</span>
          <Button size="sm" onClick={() => go('tool.waitForRun', { id: run.id })}>
            {t`Wait longer`}
          </Button>
        </>
      )}
      <Button size="sm" variant="ghost" danger onClick={() => go('tool.cancelRun', { id: run.id })}>
        {t`Cancel`}
      </Button>
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
        {run.masked && <p className="help">{t`What looked like a secret in them was not kept. Write it again to run it again.`}</p>}
      </section>
      <Outcome state={whole.state} server={run.server} />
      <div className="row">
        <Button size="sm" onClick={() => onEdit(text)}>
          {t`Edit and run`}
        </Button>
        {!run.masked && (
          <Button size="sm" variant="ghost" onClick={() => onAgain(text)}>
            {t`Run again`}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A run of a list came without its result. */
function useWhole(run: HandRun): HandRun {
  const { attempt } = useActions()
  const { handRuns } = useStores()
  const [whole, setWhole] = useState(run)
  useEffect(() => {
    const told = handRuns.getState().byId[run.id]
    if (told) return setWhole(told)
    let gone = false
    void attempt('tool.getRun', { id: run.id }).then((outcome) => {
      if (!gone && outcome.ok && outcome.value.run) setWhole(outcome.value.run)
    })
    return () => {
      gone = true
    }
  }, [attempt, handRuns, run])
  return whole
}
