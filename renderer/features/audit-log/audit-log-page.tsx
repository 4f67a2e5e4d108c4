import { Fragment, memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { type AuditRow, auditCountLimit, auditKinds } from '#app/consent/audit-row.ts'
import { dayTitle } from '#app/i18n/format-dates.ts'
import { formatMoment, formatNumber } from '#app/i18n/format-values.ts'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { clockTime } from '#renderer/features/servers/log/log-lines.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useConsent, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { labelledOptions, SearchInput, Segmented, Select, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { Empty, ErrorNotice, Loading } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import {
  type AuditLogFilter,
  type AuditPages,
  allRows,
  auditPeriods,
  BusyButton,
  type DecisionGroup,
  deciders,
  ExportButton,
  isAll,
  toAuditFilter,
  useAudit,
  useVerify,
  VerifyOutcome,
} from './audit-actions.tsx'
import { deciderLabel, decisionLabel, kindWords, leadLabel, sameDay, shortHash, subject } from './audit-labels.ts'
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
        <td className="dim opt-col">{deciderLabel(row.by, row.detail['byHand'] === true)}</td>
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
              {t`Open the chat`}
            </a>
          </Fact>
        )}
        {row.by !== null && (
          <Fact label={t`Decided by`}>
            {deciderLabel(row.by, row.detail['byHand'] === true)}
            {ruleId !== undefined && (
              <>
                {' '}
                <a className="link" href={hrefOf({ page: 'record' })}>
                  {standing ? t`Open the rules` : t`The rule stands no more`}
                </a>{' '}
                <span className="mono faint">{ruleId}</span>
              </>
            )}
          </Fact>
        )}
        <Fact label={t`Hash`} className="mono">
          {row.hash}
        </Fact>
        <Fact label={t`Hash before`} className="mono">
          {row.previous}
        </Fact>
      </dl>
      {detail === '{}' ? null : (
        <div className="code bare">
          <VisibleText as="pre" className="wrapit" text={detail} />
          <CopyButton label={t`Copy the detail`} text={detail} />
        </div>
      )}
    </div>
  )
}

interface AuditFiltersProps {
  readonly value: AuditLogFilter
  /** Names of servers in the rows, which may be removed by now. */
  readonly mentioned: readonly string[]
  readonly onChange: (change: Partial<AuditLogFilter>) => void
}

const decisionWord: Record<DecisionGroup, string> = { allowed: t`Allowed`, refused: t`Refused`, withdrawn: t`Withdrawn`, failed: t`Failed` }
/** Capitalizes a label, but not a file name. */
const capital = (text: string): string =>
  text.includes('.') ? text : text.replace(/^./u, (letter) => letter.toLocaleUpperCase(spokenLanguage()))

function AuditFilters({ value, mentioned, onChange }: AuditFiltersProps) {
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const servers = [...new Set([...known, ...mentioned, ...(value.server === '' ? [] : [value.server])])].sort((a, b) => a.localeCompare(b))
  const choices = [
    { name: 'server', label: t`Server`, all: t`All servers`, options: servers.map((server) => [server, server] as const) },
    { name: 'kind', label: t`Kind`, all: t`All kinds`, options: auditKinds.map((kind) => [kind, capital(kindWords[kind])] as const) },
    { name: 'decision', label: t`Decision`, all: t`All decisions`, options: Object.entries(decisionWord) },
    { name: 'by', label: t`By whom`, all: t`By anyone`, options: deciders.map((by) => [by, t`By ${deciderLabel(by)}`] as const) },
    { name: 'when', label: t`When`, all: t`Any time`, options: Object.entries(auditPeriods) },
  ] as const
  return (
    <div className="row wrap record-head">
      <SearchInput label={t`Server, tool, chat, path`} value={value.text} onChange={(text) => onChange({ text })} />
      {choices.map(({ name, label, all, options }) => (
        <Select
          key={name}
          aria-label={label}
          className="fit"
          value={value[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
          options={[['', all], ...options]}
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
          <span className="dim">{t`to`}</span>
          <TextInput type="date" aria-label={t`Last day`} value={value.to} onChange={(event) => onChange({ to: event.target.value })} />
        </span>
      ) : null}
    </div>
  )
}

const many = (count: number): string => (count > auditCountLimit ? t`more than ${formatNumber(auditCountLimit)}` : formatNumber(count))

function AuditTab() {
  const [chosen, setChosen] = useState<AuditLogFilter>(allRows)
  const [upTo, setUpTo] = useState<number | undefined>(undefined)
  // Typing stays responsive: the list follows when there is time.
  const settled = useDeferredValue(chosen)
  const filter = useMemo(() => toAuditFilter(settled, Date.now()), [settled])
  const audit = useAudit(filter, upTo)
  const verify = useVerify()
  const { rows, loaded, error } = audit
  const change = (part: Partial<AuditLogFilter>): void => setChosen((now) => ({ ...now, ...part }))
  const showUpTo = (seq: number): void => {
    setChosen(allRows)
    setUpTo(seq)
  }

  if (!loaded && rows.length === 0 && isAll(filter))
    return error ? <ErrorNotice error={error} onRetry={audit.retry} /> : <Loading what={t`record`} />
  if (loaded && rows.length === 0 && isAll(filter) && upTo === undefined) {
    return (
      <Empty title={t`Nothing is on record yet.`}>
        <p>{t`Every question, answer, call and start is written here, each with the hash of the one before it.`}</p>
      </Empty>
    )
  }
  const mentioned = [...new Set(rows.flatMap(({ server }) => server ?? []))]
  return (
    <>
      <AuditFilters value={chosen} mentioned={mentioned} onChange={change} />
      <div className="row wrap record-state">
        <span className="help num" role="status">
          {upTo === undefined ? foundWords(audit, isAll(filter)) : t`From entry ${formatNumber(upTo)} on down`}
        </span>
        {upTo !== undefined && <SmallGhostButton onClick={() => setUpTo(undefined)}>{t`Show the newest`}</SmallGhostButton>}
        {!isAll(filter) && <SmallGhostButton onClick={() => setChosen(allRows)}>{t`Show all`}</SmallGhostButton>}
        <span className="grow" />
        {verify.button}
        <ExportButton filter={filter} />
      </div>
      <div role="status">{verify.outcome ? <VerifyOutcome outcome={verify.outcome} onShow={showUpTo} /> : null}</div>
      {loaded && rows.length === 0 ? <p className="dim">{t`No entry fits. Take a word or a filter away to see more.`}</p> : null}
      {rows.length === 0 ? null : <RecordTable rows={rows} />}
      {error ? <ErrorNotice error={error} onRetry={audit.retry} /> : null}
      <div className="row wrap">
        {audit.complete || !loaded ? null : (
          <BusyButton busy={audit.loading} onPress={audit.more}>
            {t`Load older entries`}
          </BusyButton>
        )}
        <p className="help">{t`Each entry holds the hash of the one before it. Select one to see what was asked, what was decided and why.`}</p>
      </div>
    </>
  )
}

function foundWords({ loaded, found, rows }: AuditPages, all: boolean): string {
  if (!loaded) return t`Looking`
  const count = found ?? rows.length
  if (!all) return count === 1 ? t`One entry fits` : t`${many(count)} entries fit`
  return count === 1 ? t`One entry` : t`${many(count)} entries`
}

function RecordTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const toggle = useCallback((seq: number) => setOpen((now) => (now === seq ? undefined : seq)), [])
  const now = Date.now()
  return (
    <table className="tbl record">
      <thead>
        <tr>
          <th className="r opt-col no">{t`No.`}</th>
          <th className="time">{t`Time`}</th>
          <th>{t`What`}</th>
          <th>{t`Decision`}</th>
          <th className="opt-col">{t`By`}</th>
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

export function AuditLogPage({ route }: { readonly route: Extract<Route, { page: 'record' }> }) {
  const tab = route.tab === 'record' ? 'record' : 'rules'
  return (
    <Page
      title={t`Rules and record`}
      actions={
        <Segmented<typeof tab>
          label={t`What to show`}
          value={tab}
          onChange={(next) => navigate({ page: 'record', tab: next }, { replace: true })}
          choices={labelledOptions({ rules: t`Rules`, record: t`Record` })}
        />
      }
    >
      <div className="page">
        <div className={tab === 'record' ? 'in record-in' : 'in'}>{tab === 'record' ? <AuditTab /> : <RulesTab />}</div>
      </div>
    </Page>
  )
}
