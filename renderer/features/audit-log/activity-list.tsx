// The audit log as a story: by chat and turn, a line for what was asked, who decided, how long it ran and what came of it.
import { memo, useCallback, useMemo, useState } from 'react'
import type { AuditedChat, AuditRow } from '#app/consent/audit-row.ts'
import { dayTitle } from '#app/i18n/format-dates.ts'
import { clockWithSeconds, formatClock, formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { mainArguments } from '#renderer/features/chat/calls/call-labels.ts'
import { hrefOf } from '#renderer/router.ts'
import { Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { Pieces, VisibleText } from '#renderer/ui/visible-text.tsx'
import {
  type Action,
  actionDecidedBy,
  type Chapter,
  decidedRow,
  firstRow,
  lastRow,
  ranMs,
  type StoryTurn,
  storyOf,
  textOf,
} from './activity-story.ts'
import { actionOutcome, actionPieces, capital, shortHash, subject } from './audit-labels.ts'

/** Arguments of a call, secrets masked; undefined where they were too long for the log. */
function argumentsOf({ rows }: Action): Readonly<Record<string, Json>> | undefined {
  const given = rows.map(({ detail }) => detail['arguments']).findLast((value) => isJsonObject(value))
  const value = isJsonObject(given) ? parseJson(textOf(given, 'text') ?? '') : undefined
  return isJsonObject(value) ? value : undefined
}

const mainOf = (action: Action): string => mainArguments({ arguments: argumentsOf(action) as Json })
const oneLine = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 400)

/** Alike actions that are shown one by one. */
const mostAlike = 20

function ActionDetail({ action }: { readonly action: Action }) {
  const { alike } = action
  const all = alike.length === 0 ? [action] : alike
  const rows = all.flatMap((one) => one.rows)
  const [first, last, decided] = [firstRow(action), rows.at(-1) ?? lastRow(action), decidedRow(action)]
  const message = subject(first)
  const facts: readonly (readonly [string, string])[] =
    alike.length > 1
      ? alike
          .slice(0, mostAlike)
          .map((one, index) => [formatNumber(index + 1), one.kind === 'model' ? actionOutcome(one).words : mainOf(one)])
      : Object.entries(argumentsOf(action) ?? {}).map(([name, value]) => [name, oneLine(value)])
  return (
    <div className="actx">
      <dl className="actlist">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="dim">
              <VisibleText text={name} />
            </dt>
            <dd>
              <VisibleText className="mono" text={value} />
            </dd>
          </div>
        ))}
        {alike.length > mostAlike && <div className="dim">{t`${formatNumber(alike.length - mostAlike)} more`}</div>}
        {facts.length === 0 && message !== undefined && <VisibleText className="mono" text={message} />}
      </dl>
      <p className="help num">
        {clockWithSeconds(first.time)}
        {decided && decided !== first && ` · ${capital(decided.decision ?? '')} ${clockWithSeconds(decided.time)}`}
        <br />#{first.seq === last.seq ? formatNumber(first.seq) : `${formatNumber(first.seq)}–${formatNumber(last.seq)}`} ·{' '}
        <span className="mono">{shortHash(last.hash)}</span>
      </p>
    </div>
  )
}

interface ActionLineProps {
  readonly action: Action
  readonly open: boolean
  /** Stable, so that only the line that changes is drawn again. */
  readonly onToggle: (key: string) => void
}

const ActionLine = memo(function ActionLine({ action, open, onToggle }: ActionLineProps) {
  const { server } = firstRow(action)
  const { icon, words, tone } = actionOutcome(action)
  const ran = ranMs(action)
  const main = action.kind === 'call' && action.alike.length < 2 ? mainOf(action) : ''
  return (
    <li>
      <button type="button" className={cx('actr', open && 'open')} aria-expanded={open} onClick={() => onToggle(action.key)}>
        <Icon name={icon} />
        <span className="sent">
          {server === null ? null : <ServerMark name={server} />} <Pieces pieces={actionPieces(action)} plain="" />{' '}
          {main === '' ? null : <VisibleText className="mono dim" text={main} />}
        </span>
        <VisibleText className="by" text={actionDecidedBy(action)} />
        <span className="ran num">{ran === undefined ? '–' : formatDuration(ran)}</span>
        <span className={cx('res num', tone === 'bad' && 'dangertext', tone === 'warn' && 'warntext')}>{words}</span>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
      </button>
      {open ? <ActionDetail action={action} /> : null}
    </li>
  )
})

interface TurnProps extends Pick<ActionLineProps, 'onToggle'> {
  readonly turn: StoryTurn
  readonly opened: string | undefined
}

const Turn = ({ turn: { asked, actions }, opened, onToggle }: TurnProps) => (
  <>
    {asked && (
      <p className="actt">
        <span className="num">{formatClock(asked.at)}</span> <span>{t`You asked`}</span>{' '}
        <q className="cut">
          <VisibleText text={asked.text} />
        </q>
      </p>
    )}
    <ol className="plain-list">
      {actions.map((action) => (
        <ActionLine key={action.key} action={action} open={opened === action.key} onToggle={onToggle} />
      ))}
    </ol>
  </>
)

const countOf = ({ turns }: Chapter): number =>
  turns.flatMap(({ actions }) => actions).reduce((sum, { alike }) => sum + Math.max(1, alike.length), 0)

function ChapterHead({ chapter, now }: { readonly chapter: Chapter; readonly now: number }) {
  const { chat, conversationId, from, to } = chapter
  const count = countOf(chapter)
  const [began, ended] = [formatClock(from), formatClock(to)]
  const when = `${dayTitle(from, now)} ${began === ended ? began : `${began}–${ended}`}`
  return (
    <div className="actc">
      <h2 className="cut">{conversationId === null ? t`Outside a chat` : (chat?.title ?? t`Deleted chat`)}</h2>
      <span className="help num nowrap">
        {when} · {t`${formatNumber(count)} {action|actions}`}
      </span>
      <span className="grow" />
      {chat?.title != null && (
        <a className="link help wide-only" href={hrefOf({ page: 'chat', id: chat.id })}>
          {t`Open chat`}
        </a>
      )}
    </div>
  )
}

interface ActivityListProps {
  /** Newest first, without doubles. */
  readonly rows: readonly AuditRow[]
  readonly chats: readonly AuditedChat[]
}

export function ActivityList({ rows, chats }: ActivityListProps) {
  const [opened, setOpened] = useState<string | undefined>(undefined)
  const toggle = useCallback((key: string) => setOpened((now) => (now === key ? undefined : key)), [])
  const chapters = useMemo(() => storyOf(rows, chats), [rows, chats])
  const now = Date.now()
  return (
    <div className="act">
      <div className="acth" aria-hidden>
        <span />
        <span>{t`What happened`}</span>
        <span>{t`Decided by`}</span>
        <span>{t`Ran`}</span>
        <span>{t`Result`}</span>
      </div>
      {chapters.map((chapter) => (
        <section key={chapter.key}>
          <ChapterHead chapter={chapter} now={now} />
          {chapter.turns.map((turn) => (
            <Turn key={turn.asked?.at ?? 0} turn={turn} opened={opened} onToggle={toggle} />
          ))}
        </section>
      ))}
    </div>
  )
}
