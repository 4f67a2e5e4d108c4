// Checking the whole chain, and taking rows along as JSON Lines.

import { useState } from 'react'
import type { AuditFilter, AuditRow } from '#app/consent/audit.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { download } from '#renderer/ui/download.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { isAll } from './record-filter.ts'
import { shortHash } from './record-words.ts'

const rowsAtOnce = 500
const entries = (count: number): string => (count === 1 ? t`one entry` : t`${numberWords(count)} entries`)

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
    download('assent-record.jsonl', lines)
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
        title={t`The chain breaks at entry ${numberWords(fault.seq)}: ${fault.reason}.`}
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
              : t`Up to entry ${numberWords(kept)} it agrees with the hash kept in the keyring.`}
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
