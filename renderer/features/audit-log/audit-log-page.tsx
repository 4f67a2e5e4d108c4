import { Fragment, memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { type AuditRow, auditCountLimit, auditKinds } from '#app/consent/audit-row.ts'
import { deciderLabel } from '#app/consent/decided-by.ts'
import { dayTitle } from '#app/i18n/format-dates.ts'
import { formatMoment, formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { clockTime } from '#renderer/features/servers/log/log-lines.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useConsent, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { labelledOptions, SearchInput, Segmented, Select, Switch, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { ActivityList } from './activity-list.tsx'
import { sameDay } from './activity-story.ts'
import {
  type AuditLogFilter,
  type AuditPages,
  allRows,
  auditPeriods,
  BrokenNotice,
  BusyButton,
  type DecisionGroup,
  deciders,
  ExportButton,
  Integrity,
  isAll,
  LastHash,
  toAuditFilter,
  useAudit,
  useVerify,
} from './audit-actions.tsx'
import { decisionLabel, kindWords, leadLabel, mergeRows, shortHash, subject } from './audit-labels.ts'
import { RulesTab } from './rules-tab.tsx'
import './audit-log.css'

const auditColumns = 6

interface AuditLogRowProps {
  readonly row: AuditRow
  readonly open: boolean
  /** Stable, so that only the row that changes is drawn again. */
  readonly onToggle: (seq: number) => void
}

const AuditLogRow = memo(function AuditLogRow({ row, open, onToggle }: AuditLogRowProps) {
  const { words, word, tone } = decisionLabel(row)
  const about = subject(row)
  const detailId = `entry-${row.seq}`
  return (
    <>
      <tr className={open ? 'opened' : undefined}>
        <td className="r faint opt-col">{row.seq}</td>
        <td className="dim nowrap">{clockTime(row.time)}</td>
        <td>
          <button type="button" className="record-open" aria-expanded={open} aria-controls={detailId} onClick={() => onToggle(row.seq)}>
            <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
            <span className="what">
              <span className="dim">{leadLabel(row)}</span> <span className="mono">{[row.server, row.tool].filter(Boolean).join(' ')}</span>{' '}
              {about === undefined ? null : <VisibleText className="mono faint" text={about} />}
            </span>
          </button>
        </td>
        <td className={cx('decision', tone === 'bad' && 'dangertext', tone === 'warn' && 'warntext')}>
          {words || <span className="faint">{kindWords[row.kind]}</span>}
          {word === undefined ? null : (
            <span className="dim">
              {' '}
              “<VisibleText text={word} />”
            </span>
          )}
        </td>
        <td className="dim opt-col">{deciderLabel(row)}</td>
        <td className="r mono faint opt-col mid-off nowrap">{shortHash(row.hash)}</td>
      </tr>
      {open ? (
        <tr className="record-more">
          <td colSpan={auditColumns} id={detailId}>
            <RecordDetail row={row} />
          </td>
        </tr>
      ) : null}
    </>
  )
})

function RecordDetail({ row }: { readonly row: AuditRow }) {
  const detail = JSON.stringify(row.detail, null, 2)
  const given = row.detail['ruleId']
  const ruleId = typeof given === 'string' ? given : undefined
  const standing = useConsent((state) => state.rules.some(({ id }) => id === ruleId))
  return (
    <div className="stack record-detail">
      <dl className="kv">
        <Fact label={t`When`} className="num">
          {formatMoment(row.time)} <span className="faint">{new Date(row.time).toISOString()}</span>
        </Fact>
        {row.conversationId !== null && (
          <Fact label={t`Chat`}>
            <a className="link" href={hrefOf({ page: 'chat', id: row.conversationId })}>
              {t`Open chat`}
            </a>
          </Fact>
        )}
        {row.by !== null && (
          <Fact label={t`Decided by`}>
            {deciderLabel(row)}
            {ruleId !== undefined && (
              <>
                {' '}
                <a className="link" href={hrefOf({ page: 'activity', tab: 'rules' })}>
                  {standing ? t`Rules` : t`This rule was removed.`}
                </a>{' '}
                <span className="mono faint">{ruleId}</span>
              </>
            )}
          </Fact>
        )}
        <Fact label={t`Hash`} className="mono">
          {row.hash}
        </Fact>
        <Fact label={t`Previous hash`} className="mono">
          {row.previous}
        </Fact>
      </dl>
      {detail === '{}' ? null : (
        <div className="code bare">
          <VisibleText as="pre" className="wrapit" text={detail} />
          <CopyButton label={t`Copy details`} text={detail} />
        </div>
      )}
    </div>
  )
}

interface AuditFiltersProps {
  readonly value: AuditLogFilter
  readonly raw: boolean
  /** Names of servers in the rows, which may be removed by now. */
  readonly mentioned: readonly string[]
  readonly onChange: (change: Partial<AuditLogFilter>) => void
}

const decisionWord: Record<DecisionGroup, string> = { allowed: t`Allowed`, refused: t`Denied`, withdrawn: t`Withdrawn`, failed: t`Failed` }
const decider = (by: string): string => (by === 'person' ? t`You` : deciderLabel({ by, decision: null, detail: {} }))

function AuditFilters({ value, raw, mentioned, onChange }: AuditFiltersProps) {
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const servers = [...new Set([...known, ...mentioned, ...(value.server === '' ? [] : [value.server])])].sort((a, b) => a.localeCompare(b))
  const { value: gate } = useHostAnswer('gate.list', {})
  const agents = (gate?.clients ?? []).map(({ id, name }) => [id, name] as const)
  const choices = [
    { name: 'server', label: t`Server`, options: servers.map((server) => [server, server] as const) },
    ...(raw ? [{ name: 'kind', label: t`Kind`, options: auditKinds.map((kind) => [kind, kindWords[kind]] as const) } as const] : []),
    { name: 'decision', label: t`Decision`, options: Object.entries(decisionWord) },
    ...(agents.length > 0 ? [{ name: 'agent', label: t`Agent`, options: agents } as const] : []),
    { name: 'by', label: t`Decided by`, options: deciders.map((by) => [by, decider(by)] as const) },
    { name: 'when', label: t`Any time`, options: Object.entries(auditPeriods) },
  ] as const
  return (
    <>
      <SearchInput label={t`Search`} value={value.text} onChange={(text) => onChange({ text })} />
      {choices.map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          className={cx('fit', value[name] !== '' && 'on')}
          value={value[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
          options={[['', label], ...options]}
        />
      ))}
      {value.when === 'chosen' ? (
        <span className="row record-days">
          <TextInput
            type="date"
            aria-label={t`First day`}
            value={value.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <span className="dim">–</span>
          <TextInput type="date" aria-label={t`Last day`} value={value.to} onChange={(event) => onChange({ to: event.target.value })} />
        </span>
      ) : null}
    </>
  )
}

const many = (count: number): string => (count > auditCountLimit ? `${formatNumber(auditCountLimit)}+` : formatNumber(count))

function AuditTab({ agent = '' }: { readonly agent?: string | undefined }) {
  const [chosen, setChosen] = useState<AuditLogFilter>({ ...allRows, agent })
  const [raw, setRaw] = useState<boolean>(false)
  const [upTo, setUpTo] = useState<number | undefined>(undefined)
  // Typing stays responsive: the list follows when there is time.
  const settled = useDeferredValue(chosen)
  const filter = useMemo(() => toAuditFilter(settled, Date.now()), [settled])
  const audit = useAudit(filter, upTo, !raw)
  const { outcome, verify } = useVerify()
  const { rows, related, chats, loaded, error } = audit
  const told = useMemo(() => mergeRows(rows, related), [rows, related])
  const change = (part: Partial<AuditLogFilter>): void => setChosen((now) => ({ ...now, ...part }))
  const showUpTo = (seq: number): void => {
    setChosen(allRows)
    setRaw(true)
    setUpTo(seq)
  }
  const fault = outcome?.fault
  const broken = fault ? <BrokenNotice fault={fault} onShow={() => showUpTo(fault.seq)} /> : null

  if (!loaded && rows.length === 0 && isAll(filter)) return error ? <ErrorNotice error={error} onRetry={audit.retry} /> : <Loading />
  if (loaded && rows.length === 0 && isAll(filter) && upTo === undefined) {
    return (
      <>
        {broken}
        <Empty icon="shield" title={t`No activity yet`} />
      </>
    )
  }
  const mentioned = [...new Set(rows.flatMap(({ server }) => server ?? []))]
  return (
    <>
      <div role="alert">{broken}</div>
      <div className="row wrap filters">
        <AuditFilters value={chosen} raw={raw} mentioned={mentioned} onChange={change} />
        <span className="grow" />
        <Integrity outcome={outcome} onVerify={verify} />
        <ExportButton filter={filter} />
        <Switch checked={raw} label={t`Raw entries`} onChange={setRaw} />
      </div>
      {isAll(filter) && upTo === undefined ? null : (
        <div className="row wrap">
          <span className="help num" role="status">
            {upTo === undefined ? foundWords(audit) : t`Up to entry ${formatNumber(upTo)}`}
          </span>
          {upTo !== undefined && <SmallGhostButton onClick={() => setUpTo(undefined)}>{t`Show the newest`}</SmallGhostButton>}
          {!isAll(filter) && <SmallGhostButton onClick={() => setChosen(allRows)}>{t`Show all`}</SmallGhostButton>}
        </div>
      )}
      {raw && outcome && outcome.hash !== '' ? <LastHash {...outcome} /> : null}
      {rows.length === 0 ? null : raw ? <RecordTable rows={rows} /> : <ActivityList rows={told} chats={chats} />}
      {error ? <ErrorNotice error={error} onRetry={audit.retry} /> : null}
      {audit.complete || !loaded ? null : (
        <p>
          <BusyButton busy={audit.loading} onPress={audit.more}>
            {t`Load older entries`}
          </BusyButton>
        </p>
      )}
    </>
  )
}

function foundWords({ loaded, found, rows }: AuditPages): string {
  if (!loaded) return t`Searching…`
  const count = found ?? rows.length
  return t`${many(count)} {entry fits|entries fit}`
}

function RecordTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const toggle = useCallback((seq: number) => setOpen((now) => (now === seq ? undefined : seq)), [])
  const now = Date.now()
  return (
    <table className="tbl record">
      <thead>
        <tr>
          <th className="r opt-col no">#</th>
          <th className="time">{t`When`}</th>
          <th>{t`What happened`}</th>
          <th>{t`Decision`}</th>
          <th className="opt-col">{t`Decided by`}</th>
          <th className="r opt-col mid-off">{t`Hash`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const before = rows[index - 1]
          const newDay = before === undefined ? !sameDay(row.time, now) : !sameDay(before.time, row.time)
          return (
            <Fragment key={row.seq}>
              {newDay ? (
                <tr className="day">
                  <th colSpan={auditColumns} scope="rowgroup">
                    {dayTitle(row.time, now)}
                  </th>
                </tr>
              ) : null}
              <AuditLogRow row={row} open={open === row.seq} onToggle={toggle} />
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

export function AuditLogPage({ route }: { readonly route: Extract<Route, { page: 'activity' }> }) {
  const tab = route.tab === 'rules' ? 'rules' : 'activity'
  return (
    <Page
      title={t`Activity`}
      actions={
        <Segmented<typeof tab>
          label={t`What to show`}
          value={tab}
          onChange={(next) => navigate({ page: 'activity', ...(next === 'rules' && { tab: next }) }, { replace: true })}
          choices={labelledOptions({ activity: t`Activity`, rules: t`Rules` })}
        />
      }
    >
      <div className="page">
        <div className={tab === 'activity' ? 'in record-in' : 'in'}>
          {tab === 'activity' ? (
            <AuditTab key={route.agent} agent={route.agent} />
          ) : (
            <RulesTab key={hrefOf(route)} begin={{ server: route.server, tool: route.tool }} />
          )}
        </div>
      </div>
    </Page>
  )
}
