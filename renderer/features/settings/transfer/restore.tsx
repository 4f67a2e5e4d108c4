// A backup takes the profile's place at the next start: chosen from those beside the profile, in a window of the system or the
// browser, or by its path; looked through before anything is replaced. What it replaces is kept, and listed here.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { BackupSource, PermissionKind } from '#app/contract/transfer.ts'
import type { ErrorValue } from '#app/errors.ts'
import { percentWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner, Track } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { type CheckedBackup, fileName } from './backup-words.ts'
import { persist } from './persist.ts'
import { ByFile, ByPath, Contents, FoundList } from './restore-choices.tsx'
import { Permissions } from './restore-permissions.tsx'
import { sendBackup } from './send-backup.ts'

type Looked =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'looking' }
  | { readonly kind: 'looked'; readonly source: BackupSource; readonly name: string; readonly facts: CheckedBackup }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface RestoreProps {
  /** The backup of just now, which is in the list too. */
  readonly written: string | undefined
  /** Something came onto the disk, or went. */
  readonly onChange: () => void
}

export function Restore({ written, onChange }: RestoreProps) {
  const { attempt, ask } = useActions()
  const { connection } = useStores()
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const [list, setList] = useState<RequestResult<'backup.list'> | undefined>(undefined)
  const [looked, setLooked] = useState<Looked>({ kind: 'none' })
  const [busy, setBusy] = useState(false)
  const [bring, setBring] = useState<readonly PermissionKind[]>([])
  const sending = useRef<AbortController | null>(null)
  useEffect(() => () => sending.current?.abort(), [])

  const refresh = useCallback(async () => {
    const told = await attempt('backup.list', {})
    if (told.ok) setList(told.value)
  }, [attempt])
  const link = useConnection((state) => state.link)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that was written is listed from then on
  useEffect(() => {
    if (link === 'open') void refresh()
  }, [refresh, written, link])

  const isAtWork = looked.kind === 'looking' || looked.kind === 'sending'
  const lookInto = async (source: BackupSource, name: string): Promise<void> => {
    setLooked({ kind: 'looking' })
    const outcome = await persist(connection, () => attempt('backup.check', source))
    // The way back of a restore has what was this profile's own before.
    const isWayBack = 'path' in source && list?.backups.some(({ kind, path }) => kind === 'replaced' && path === source.path) === true
    setBring(isWayBack && outcome.ok ? outcome.value.permissions.map(({ kind }) => kind) : [])
    setLooked(outcome.ok ? { kind: 'looked', source, name, facts: outcome.value } : { kind: 'failed', error: outcome.error })
  }
  const look = async (path: string): Promise<void> => {
    if (!isAtWork) await lookInto({ path }, fileName(path))
  }
  const send = async (file: File): Promise<void> => {
    if (isAtWork) return
    leave()
    const abort = new AbortController()
    sending.current = abort
    const onProgress = (share: number): void => setLooked({ kind: 'sending', share })
    onProgress(0)
    const sent = await sendBackup({ attempt }, file, { onProgress, signal: abort.signal, connection })
    if (sent.kind === 'sent') await lookInto({ upload: sent.upload }, file.name)
    else setLooked(sent.kind === 'failed' ? sent : { kind: 'none' })
  }
  /** Nothing of a file that was sent is kept for nobody. */
  const leave = (): void => {
    if (looked.kind === 'looked' && 'upload' in looked.source) void attempt('backup.forget', looked.source)
    setLooked({ kind: 'none' })
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
    onChange()
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
      {list && list.backups.length > 0 && (
        <FoundList
          list={list.backups}
          onLook={(path) => void look(path)}
          onRemove={(path) => void change(() => ask('backup.remove', { path }))}
        />
      )}
      {canChoose ? (
        <span className="row wrap">
          <Button size="sm" onClick={() => void choose()}>
            {t`Choose a backup…`}
          </Button>
        </span>
      ) : (
        <ByFile isAtWork={isAtWork} onFile={(file) => void send(file)} />
      )}
      <ByPath onLook={(path) => void look(path)} />
      <div role="status" className="stack">
        {looked.kind === 'sending' && (
          <span className="row wrap">
            <Track part={looked.share} label={t`Reading the file`} />
            {t`Reading, ${percentWords(looked.share)}`}
            <Button size="sm" variant="ghost" onClick={() => sending.current?.abort()}>
              {t`Stop`}
            </Button>
          </span>
        )}
        {looked.kind === 'looking' && (
          <span className="row">
            <Spinner /> {t`Looking through it`}
          </span>
        )}
        {looked.kind === 'looked' && <Contents name={looked.name} facts={looked.facts} />}
      </div>
      {looked.kind === 'looked' && <Permissions held={looked.facts.permissions} bring={bring} onChange={setBring} />}
      {looked.kind === 'looked' && (
        <span className="row wrap">
          <Button
            size="sm"
            aria-disabled={busy}
            onClick={() => void change(() => ask('backup.restore', { source: looked.source, bring: [...bring] }))}
          >
            {busy && <Spinner />}
            {t`Restore it at the next start`}
          </Button>
          <Button size="sm" variant="ghost" onClick={leave}>
            {t`Leave it`}
          </Button>
        </span>
      )}
      {looked.kind === 'failed' && <ErrorNotice error={looked.error} />}
    </>
  )
}
