// The rows of the audit log that match a filter, page by page; export of the rows as JSON Lines; verification of the hash chain.

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { AuditedChat, AuditFault, AuditFilter, AuditRow } from '#app/consent/audit-row.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import { CopyButton, SmallButton } from '#renderer/ui/button.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { onEvents } from '#renderer/ui/lib/on-events.ts'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'
import { BadNotice } from '#renderer/ui/notice.tsx'
import { mergeRows, shortHash } from './audit-labels.ts'

/** The filter as chosen on the page. An empty string stands for all. */
export interface AuditLogFilter {
  readonly text: string
  readonly server: string
  readonly kind: AuditRow['kind'] | ''
  readonly decision: DecisionGroup | ''
  readonly by: Decider | ''
  /** Id of a client of the gate. */
  readonly agent: string
  readonly when: AuditPeriod | ''
  /** First and last of the chosen days, as `2026-11-22`. */
  readonly from: string
  readonly to: string
}

export const allRows: AuditLogFilter = { text: '', server: '', kind: '', decision: '', by: '', agent: '', when: '', from: '', to: '' }

const decisionGroups = {
  allowed: ['allowed'],
  refused: ['denied', 'cancelled'],
  withdrawn: ['withdrawn'],
  failed: ['failed', 'tool-error', 'unknown', 'refresh-failed'],
} as const
export type DecisionGroup = keyof typeof decisionGroups

export const deciders = ['person', 'rule', 'mode', 'policy', 'command-line'] as const
type Decider = (typeof deciders)[number]

export const auditPeriods = { today: t`Today`, week: t`Last 7 days`, month: t`Last 30 days`, chosen: t`Chosen days` } as const
type AuditPeriod = keyof typeof auditPeriods

/** Midnight at the beginning of a day, in ms since 1970. Days are counted on the calendar: not all have 24 hours. */
const midnight = (year: number, month: number, day: number): number => new Date(year, month, day).getTime()
function dayNamed(text: string, later = 0): number | undefined {
  const [year, month, day] = text.split('-').map(Number)
  return year && month && day ? midnight(year, month - 1, day + later) : undefined
}
const daysBack = { today: 0, week: 6, month: 29 } as const

function timesOf({ when, from, to }: AuditLogFilter, now: number): Pick<AuditFilter, 'since' | 'until'> {
  if (when === '') return {}
  if (when !== 'chosen') {
    const date = new Date(now)
    return { since: midnight(date.getFullYear(), date.getMonth(), date.getDate() - daysBack[when]) }
  }
  const since = dayNamed(from)
  const until = dayNamed(to, 1)
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

export function toAuditFilter(filter: AuditLogFilter, now: number): AuditFilter {
  const { text, server, kind, decision, by, agent } = filter
  return {
    ...(text.trim() === '' ? {} : { text: text.trim().slice(0, 500) }),
    ...(server === '' ? {} : { server }),
    ...(kind === '' ? {} : { kinds: [kind] }),
    ...(decision === '' ? {} : { decisions: [...decisionGroups[decision]] }),
    ...(by === '' ? {} : { by: [by] }),
    ...(agent === '' ? {} : { agent }),
    ...timesOf(filter, now),
  }
}

export const isAll = (filter: AuditFilter): boolean => Object.keys(filter).length === 0

interface Loaded {
  readonly rows: readonly AuditRow[]
  /** Other rows of the same requests, which the filter left out (`story`). */
  readonly related: readonly AuditRow[]
  readonly chats: readonly AuditedChat[]
  readonly loading: boolean
  readonly loaded: boolean
  readonly complete: boolean
  /** Number of matching rows; undefined until it is counted. */
  readonly found: number | undefined
  readonly error: ErrorValue | undefined
}
export type AuditPages = ReturnType<typeof useAudit>

/** Events after which the log may have new rows. */
const freshEvents = new Set(['consent.opened', 'consent.closed', 'toolCall.changed', 'rules.changed', 'server.changed', 'models.changed'])

/** Calls `onRows` 400 ms after an event that may have added rows. Returns its undo. */
export const onNewRows = (hostConnection: Stores['hostConnection'], onRows: () => void): (() => void) =>
  onEvents(hostConnection, freshEvents, 400, onRows)

/** Number of rows that are fetched at once. */
export const pageSize = 100
const nothing: Loaded = {
  rows: [],
  related: [],
  chats: [],
  loading: true,
  loaded: false,
  complete: false,
  found: undefined,
  error: undefined,
}

/**
 * Matching rows from the newest on. New rows are fetched while the log is open; another filter begins anew, and late answers to the
 * old one are dropped. `filter`: the same object while the filter is the same. `upTo`: the newest row that is wanted. `story`: with what
 * it takes to tell them as a story.
 */
export function useAudit(filter: AuditFilter, upTo: number | undefined, story: boolean) {
  const { attempt } = useActions()
  const { hostConnection } = useStores()
  const [state, setState] = useState<Loaded>(nothing)
  const asked = useRef(0)

  const fetchPage = useCallback(
    async (before: number | undefined, question: number): Promise<void> => {
      setState((now) => ({ ...now, loading: true, error: undefined }))
      const outcome = await attempt('audit.list', { limit: pageSize, filter, story, ...(before === undefined ? {} : { before }) })
      if (asked.current !== question) return
      if (!outcome.ok) return setState((now) => ({ ...now, loading: false, error: outcome.error }))
      const { rows: page, found, related = [], chats = [] } = outcome.value
      const atFirst = page.length < pageSize
      setState((now) => {
        const known = now.loaded ? now.rows : []
        // After a whole page of new rows the old ones may leave a gap: the list begins anew.
        const apart = before === undefined && !atFirst && known.length > 0 && (page.at(-1)?.seq ?? 0) > (known[0]?.seq ?? 0)
        return {
          rows: apart ? page : mergeRows(known, page),
          related: apart || !now.loaded ? related : mergeRows(now.related, related),
          chats: apart || !now.loaded ? chats : mergeChats(now.chats, chats),
          loading: false,
          loaded: true,
          error: undefined,
          complete: before === undefined && !apart && now.loaded ? now.complete || atFirst : atFirst,
          found: found ?? now.found,
        }
      })
    },
    [attempt, filter, story],
  )
  const top = upTo === undefined ? undefined : upTo + 1

  useEffect(() => {
    asked.current += 1
    const question = asked.current
    // Rows of the last filter stay until those of this one are here.
    setState((now) => ({ ...nothing, rows: now.rows, related: now.related, chats: now.chats }))
    void fetchPage(top, question)
    const off = top === undefined ? onNewRows(hostConnection, () => void fetchPage(undefined, question)) : undefined
    return () => {
      asked.current += 1
      off?.()
    }
  }, [fetchPage, hostConnection, top])

  const last = state.rows.at(-1)?.seq
  return {
    ...state,
    more: () => last !== undefined && !state.loading && void fetchPage(last, asked.current),
    retry: () => void fetchPage(state.loaded && last !== undefined ? last : top, asked.current),
  }
}

/** Merges the chats of two pages, each of which has what was asked about its rows. */
function mergeChats(known: readonly AuditedChat[], more: readonly AuditedChat[]): readonly AuditedChat[] {
  const byId = Map.groupBy([...known, ...more], ({ id }) => id)
  return [...byId].map(([id, parts]) => {
    const asked = new Map(parts.flatMap((part) => part.asked).map((ask) => [`${ask.at} ${ask.text}`, ask]))
    return { id, title: parts.at(-1)?.title ?? null, asked: [...asked.values()].sort((a, b) => a.at - b.at) }
  })
}

type BusyButtonProps = { readonly busy: boolean; readonly onPress: () => unknown; readonly children: ReactNode }

export const BusyButton = ({ busy, onPress, children }: BusyButtonProps) => (
  <SmallButton aria-disabled={busy} onClick={() => void onPress()}>
    {busy ? <Spinner /> : null}
    {children}
  </SmallButton>
)

/** A button for a task that runs once at a time. */
function TaskButton({ task, children }: { readonly task: () => Promise<void>; readonly children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    await task().finally(() => setBusy(false))
  }
  return (
    <BusyButton busy={busy} onPress={press}>
      {children}
    </BusyButton>
  )
}

/** Rows of one request of an export. */
const rowsAtOnce = 500

export function ExportButton({ filter }: { readonly filter: AuditFilter }) {
  const { ask, toast } = useActions()
  const shell = useConnection((state) => state.about?.shell.kind)

  /** All matching rows as JSON Lines, oldest first; undefined where a page could not be fetched. */
  async function fetchAll(): Promise<string[] | undefined> {
    const lines: string[] = []
    for (let before: number | undefined; ; ) {
      const page: { readonly rows: readonly AuditRow[] } | undefined = await ask('audit.list', {
        limit: rowsAtOnce,
        filter,
        ...(before === undefined ? {} : { before }),
      })
      if (!page) return undefined
      for (const row of page.rows) lines.push(`${JSON.stringify(row)}\n`)
      before = page.rows.at(-1)?.seq
      if (before === undefined) return lines.reverse()
    }
  }
  async function save(): Promise<void> {
    if (shell === 'electron') {
      const saved = await ask('audit.export', { filter })
      if (saved?.path) toast(t`Saved as ${saved.path}`)
      return
    }
    const lines = await fetchAll()
    if (!lines) return
    saveTextFile('assent-audit-log.jsonl', lines)
    toast(t`Saved as ${'assent-audit-log.jsonl'}`)
  }
  return <TaskButton task={save}>{t`Export…`}</TaskButton>
}

type Verified = RequestResult<'audit.verify'>

/** Verifies the chain when the page opens. Undefined while it does. */
export function useVerify() {
  const { ask } = useActions()
  const [outcome, setOutcome] = useState<Verified | undefined>(undefined)
  const verify = useCallback(async (): Promise<void> => {
    setOutcome(undefined)
    setOutcome(await ask('audit.verify', {}))
  }, [ask])
  useEffect(() => void verify(), [verify])
  return { outcome, verify }
}

/** Whether the chain holds; a press verifies it again. */
export function Integrity({ outcome, onVerify }: { readonly outcome: Verified | undefined; readonly onVerify: () => void }) {
  const words = outcome === undefined ? t`Checking` : outcome.fault ? t`Broken` : t`Intact · ${formatNumber(outcome.rows)} {entry|entries}`
  return (
    <button type="button" className={cx('intact', outcome?.fault && 'broken')} title={t`Check again`} onClick={onVerify}>
      {outcome === undefined ? <Spinner /> : <Icon name={outcome.fault ? 'warning' : 'check'} small />}
      <span role="status">{words}</span>
    </button>
  )
}

export const BrokenNotice = ({ fault, onShow }: { readonly fault: AuditFault; readonly onShow: () => void }) => (
  <BadNotice
    title={t`The audit log is broken at entry ${formatNumber(fault.seq)}: ${fault.reason}.`}
    action={<SmallButton onClick={onShow}>{t`Show it`}</SmallButton>}
  >
    {t`It was changed outside Assent, or its file is damaged. Entries before this one are intact.`}
  </BadNotice>
)

/** Last hash of the chain, for noting it elsewhere. */
export const LastHash = ({ hash, kept }: Verified) => (
  <p className="row wrap help">
    <span>
      {t`Last hash`} <span className="mono">{shortHash(hash)}</span>
    </span>
    <CopyButton label={t`Copy`} text={hash} />
    <span className="dim">
      {kept === null ? t`No hash is kept in the keyring yet.` : t`Matches the keyring up to entry ${formatNumber(kept)}.`}
    </span>
  </p>
)
