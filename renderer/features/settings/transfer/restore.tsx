// A backup takes the profile's place at the next start: chosen from those beside the profile, in a window of the system where
// there is one, or by its path; looked through before anything is replaced. What it replaces is kept, and listed here.
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { type BackupFacts, factWords, fileName, foundWords } from './backup-words.ts'

type Looked =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking'; readonly path: string }
  | { readonly kind: 'looked'; readonly path: string; readonly facts: BackupFacts }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

const FEW = 5

/** `written`: the backup of just now, which is in the list too. */
export function Restore({ written }: { readonly written: string | undefined }) {
  const { attempt, ask } = useActions()
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const [list, setList] = useState<RequestResult<'backup.list'> | undefined>(undefined)
  const [looked, setLooked] = useState<Looked>({ kind: 'none' })
  const [busy, setBusy] = useState(false)

  const refresh = useCallback(async () => {
    const told = await attempt('backup.list', {})
    if (told.ok) setList(told.value)
  }, [attempt])
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that was written is listed from then on
  useEffect(() => void refresh(), [refresh, written])

  const look = async (path: string): Promise<void> => {
    if (looked.kind === 'looking') return
    setLooked({ kind: 'looking', path })
    const outcome = await attempt('backup.check', { path })
    setLooked(outcome.ok ? { kind: 'looked', path, facts: outcome.value } : { kind: 'failed', error: outcome.error })
  }
  const choose = async (): Promise<void> => {
    const chosen = await ask('app.chooseFile', { title: t`Which backup to restore` })
    if (chosen?.path) await look(chosen.path)
  }
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(true)
    if ((await work()) !== undefined) setLooked({ kind: 'none' })
    await refresh()
    setBusy(false)
  }

  if (list?.staged)
    return (
      <Notice
        title={t`A backup waits to take the place of what is here.`}
        action={
          <Button size="sm" aria-disabled={busy} onClick={() => void change(() => ask('backup.unstage', {}))}>
            {t`Do not restore it`}
          </Button>
        }
      >
        {t`It does so when Assent starts next: quit Assent and start it again. What is here now is kept, and can be restored here likewise.`}
      </Notice>
    )
  return (
    <>
      {list && list.backups.length > 0 && <FoundList list={list.backups} onLook={(path) => void look(path)} />}
      {canChoose && (
        <span className="row wrap">
          <Button size="sm" onClick={() => void choose()}>
            {t`Choose a backup…`}
          </Button>
        </span>
      )}
      <ByPath onLook={(path) => void look(path)} />
      <div role="status" className="stack">
        {looked.kind === 'looking' && (
          <span className="row">
            <Spinner /> {t`Looking through it`}
          </span>
        )}
        {looked.kind === 'looked' && <Contents path={looked.path} facts={looked.facts} />}
      </div>
      {looked.kind === 'looked' && (
        <span className="row wrap">
          <Button size="sm" aria-disabled={busy} onClick={() => void change(() => ask('backup.restore', { path: looked.path }))}>
            {busy && <Spinner />}
            {t`Restore it at the next start`}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setLooked({ kind: 'none' })}>
            {t`Leave it`}
          </Button>
        </span>
      )}
      {looked.kind === 'failed' && <ErrorNotice error={looked.error} />}
    </>
  )
}

function Contents({ path, facts }: { readonly path: string; readonly facts: BackupFacts }) {
  const now = useNow(60_000)
  return (
    <p className="wrap-any">
      <span className="mono">
        <Revealed text={fileName(path)} />
      </span>{' '}
      {t`is whole: ${factWords(facts, now)}.`}
    </p>
  )
}

interface FoundListProps {
  readonly list: RequestResult<'backup.list'>['backups']
  readonly onLook: (path: string) => void
}

function FoundList({ list, onLook }: FoundListProps) {
  const now = useNow(60_000)
  const [all, setAll] = useState(false)
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
    </>
  )
}

function ByPath({ onLook }: { readonly onLook: (path: string) => void }) {
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
