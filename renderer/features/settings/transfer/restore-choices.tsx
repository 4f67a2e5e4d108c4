// Which backup to restore: one beside the profile, a file that the browser picks, or a path on the host's machine.
import { type FormEvent, useRef, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { AlertDialog } from '#renderer/ui/alert-dialog.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { type BackupFacts, type FoundBackup, factWords, foundWords } from './backup-words.ts'
import { DownloadBackup } from './download-backup.tsx'

const FEW = 5

export function Contents({ name, facts }: { readonly name: string; readonly facts: BackupFacts }) {
  const now = useNow(60_000)
  return (
    <p className="wrap-any">
      <span className="mono">
        <Revealed text={name} />
      </span>{' '}
      {t`is whole: ${factWords(facts, now)}.`}
    </p>
  )
}

interface FoundListProps {
  readonly list: RequestResult<'backup.list'>['backups']
  readonly onLook: (path: string) => void
  readonly onRemove: (path: string) => void
}

export function FoundList({ list, onLook, onRemove }: FoundListProps) {
  const now = useNow(60_000)
  const [all, setAll] = useState(false)
  const [removing, setRemoving] = useState<FoundBackup | undefined>(undefined)
  return (
    <>
      <ul className="backup-list" aria-label={t`Backups in the data folder`}>
        {(all ? list : list.slice(0, FEW)).map((found) => {
          const words = foundWords(found, now)
          return (
            <li key={found.path}>
              <span className="wrap-any">
                {words} <span className="dim num">{formatBytes(found.bytes)}</span>
              </span>
              <Button size="sm" aria-label={t`Look into it: ${words}`} onClick={() => onLook(found.path)}>
                {t`Look into it`}
              </Button>
              <DownloadBackup path={found.path} words={words} />
              <IconButton label={t`Delete: ${words}`} icon="trash" small onClick={() => setRemoving(found)} />
            </li>
          )
        })}
      </ul>
      {!all && list.length > FEW && (
        <span className="row">
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            {t`Show all ${list.length}`}
          </Button>
        </span>
      )}
      <AlertDialog
        open={removing !== undefined}
        title={t`Delete this backup for good?`}
        go={t`Delete for good`}
        stay={t`Keep`}
        onGo={() => {
          if (removing) onRemove(removing.path)
          setRemoving(undefined)
        }}
        onStay={() => setRemoving(undefined)}
      >
        {removing && t`${foundWords(removing, now)}, ${formatBytes(removing.bytes)}. What is in it and nowhere else is lost.`}
      </AlertDialog>
    </>
  )
}

/** A page in a browser has a picker of its own machine's files, which need not be the host's. */
export function ByFile({ isAtWork, onFile }: { readonly isAtWork: boolean; readonly onFile: (file: File) => void }) {
  const picker = useRef<HTMLInputElement | null>(null)
  return (
    <span className="row wrap">
      <Button size="sm" aria-disabled={isAtWork} onClick={() => isAtWork || picker.current?.click()}>
        {t`Choose a backup…`}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t`File of a backup`}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) onFile(file)
          target.value = ''
        }}
      />
    </span>
  )
}

export function ByPath({ onLook }: { readonly onLook: (path: string) => void }) {
  const [path, setPath] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (path.trim() !== '') onLook(path.trim())
  }
  return (
    <details>
      <summary>{t`A backup in another place, by its path`}</summary>
      <form className="row" onSubmit={submit}>
        <TextInput mono aria-label={t`Path of a backup`} value={path} onChange={({ target }) => setPath(target.value)} />
        <Button size="sm" type="submit" aria-disabled={path.trim() === ''}>
          {t`Look into it`}
        </Button>
      </form>
    </details>
  )
}
