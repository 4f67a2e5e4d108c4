// What all of it takes up, by what it is for, and the way to what can be cleared away.
import { useEffect, useState } from 'react'
import type { DiskUse } from '#app/contract/transfer.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'

/** Measured anew whenever `turn` is another. */
export function DiskUseFigures({ turn }: { readonly turn: string }) {
  const { attempt } = useActions()
  const [use, setUse] = useState<DiskUse | undefined>(undefined)
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew
  useEffect(() => {
    let current = true
    void attempt('backup.diskUse', {}).then((outcome) => {
      if (!current) return
      setError(outcome.ok ? undefined : outcome.error)
      if (outcome.ok) setUse(outcome.value)
    })
    return () => {
      current = false
    }
  }, [attempt, turn])
  if (error) return <ErrorNotice error={error} />
  if (!use) return <Spinner />
  const { database, attachments, unsent, free, backups, logs, bundles, rest } = use
  const parts = [
    [t`Chats, settings and the record`, database],
    [t`Of these, attachments and what tools gave besides text`, attachments],
    [t`Of those attached, and not sent yet`, unsent],
    [t`Free in it, from what was deleted for good: it goes back to the disk by itself, but for what comes next`, free],
    [t`Backups`, backups],
    [t`What servers logged`, logs],
    [t`Bundles`, bundles],
    [t`Everything else`, rest],
  ] as const
  return (
    <>
      <span className="num">{formatBytes(database + backups + logs + bundles + rest)}</span>
      <details>
        <summary>{t`What it is for`}</summary>
        <table className="disk-use">
          <tbody>
            {parts
              .filter(([, bytes], at) => at === 0 || bytes > 0)
              .map(([words, bytes]) => (
                <tr key={words}>
                  <th scope="row">{words}</th>
                  <td className="num">{formatBytes(bytes)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
      <span className="help">
        {tx`${<a className="link" href={hrefOf({ page: 'chats', tab: 'deleted' })}>{t`Deleted chats`}</a>} go by themselves after 30 days, or for good when you say so; backups below, by hand. What servers logged is at most 2 MB of each.`}
      </span>
    </>
  )
}
