// Checking the whole chain, and taking rows along as JSON Lines. What the person looks for in the record, as they chose it, and
// as the host is asked for it. Pure.

import { useState } from 'react'
import type { AuditFilter, AuditRow } from '#app/consent/audit-row.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Spinner } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { shortHash } from './audit-labels.ts'

export interface AuditLogFilter {
  readonly text: string
  /** Empty: all of them, here and below. */
  readonly server: string
  readonly kind: AuditRow['kind'] | ''
  readonly decision: DecisionGroup | ''
  readonly by: Decider | ''
  readonly when: AuditPeriod | ''
  /** Of chosen days, each as `2026-11-22`; empty: open on that side. */
  readonly from: string
  readonly to: string
}

export const allRows: AuditLogFilter = { text: '', server: '', kind: '', decision: '', by: '', when: '', from: '', to: '' }

export const decisionGroups = {
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

const dayOf = (time: number, back = 0): number => {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
}
/** Midnight at the beginning of a day, here; a day is not always 24 hours long. */
const dayNamed = (text: string, later = 0): number | undefined => {
  const [year, month, day] = text.split('-').map(Number)
  return year && month && day ? new Date(year, month - 1, day + later).getTime() : undefined
}

function timesOf({ when, from, to }: AuditLogFilter, now: number): Pick<AuditFilter, 'since' | 'until'> {
  if (when === 'today') return { since: dayOf(now) }
  if (when === 'week') return { since: dayOf(now, 6) }
  if (when === 'month') return { since: dayOf(now, 29) }
  if (when !== 'chosen') return {}
  const since = dayNamed(from)
  const until = dayNamed(to, 1)
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

export function toAuditFilter(filter: AuditLogFilter, now: number): AuditFilter {
  const { text, server, kind, decision, by } = filter
  return {
    ...(text.trim() === '' ? {} : { text: text.trim().slice(0, 500) }),
    ...(server === '' ? {} : { server }),
    ...(kind === '' ? {} : { kinds: [kind] }),
    ...(decision === '' ? {} : { decisions: [...decisionGroups[decision]] }),
    ...(by === '' ? {} : { by: [by] }),
    ...timesOf(filter, now),
  }
}

export const isAll = (filter: AuditFilter): boolean => Object.keys(filter).length === 0

const rowsAtOnce = 500
const entries = (count: number): string => (count === 1 ? t`one entry` : t`${formatNumber(count)} entries`)

export function ExportButton({ filter }: { readonly filter: AuditFilter }) {
  const { ask } = useActions()
  const { view } = useStores()
  const shell = useConnection((state) => state.about?.shell.kind)
  const [busy, setBusy] = useState(false)

  /** As text, oldest first; undefined when a page could not be had. */
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
      if (saved?.path) showToast(view, t`Saved ${entries(saved.rows)} as ${saved.path}`)
      return
    }
    const lines = await fetchAll()
    if (!lines) return
    saveTextFile('assent-record.jsonl', lines)
    showToast(view, t`Exported ${entries(lines.length)}.`)
  }
  const press = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    await save().finally(() => setBusy(false))
  }
  return (
    <Button size="sm" aria-disabled={busy} onClick={() => void press()}>
      {busy ? <Spinner /> : null}
      {isAll(filter) ? t`Export all` : t`Export what is shown`}
    </Button>
  )
}

type Outcome = RequestResult<'audit.verify'>

/** `outcome`: of the last check. */
export function useVerify(): { readonly outcome: Outcome | undefined; readonly button: React.ReactNode } {
  const { ask } = useActions()
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setOutcome(await ask('audit.verify', {}))
    setBusy(false)
  }
  const button = (
    <Button size="sm" aria-disabled={busy} onClick={() => void press()}>
      {busy ? <Spinner /> : null}
      {t`Verify`}
    </Button>
  )
  return { outcome, button }
}

export function VerifyOutcome({ outcome, onShow }: { readonly outcome: Outcome; readonly onShow: (seq: number) => void }) {
  const { fault, rows, hash, kept } = outcome
  if (fault)
    return (
      <Notice
        tone="bad"
        title={t`The chain breaks at entry ${formatNumber(fault.seq)}: ${fault.reason}.`}
        action={
          <Button size="sm" onClick={() => onShow(fault.seq)}>
            {t`Show where`}
          </Button>
        }
      >
        {t`Somebody changed the record outside Assent, or its file is damaged. What stands before this entry holds.`}
      </Notice>
    )
  return (
    <div className="row wrap record-whole">
      <span>
        <Icon name="check" small />{' '}
        {tx`${rows === 1 ? t`One entry` : entries(rows)}, chain unbroken. ${(
          <span className="dim">
            {kept === null
              ? t`No hash of it is kept outside the record yet.`
              : t`Up to entry ${formatNumber(kept)} it agrees with the hash kept in the keyring.`}
          </span>
        )}`}
      </span>
      {hash === '' ? null : (
        <span className="row">
          <span className="dim">{t`Last hash`}</span> <span className="mono">{shortHash(hash)}</span>
          <CopyButton label={t`Copy the last hash`} text={hash} />
        </span>
      )}
    </div>
  )
}
