// Restoring a backup: chosen from those beside the profile, picked as a file, or named by its path. The host looks through it before
// anything is replaced; the backup takes the profile's place at the next start, and what it replaces is kept and listed here.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { BackupSource, HeldPermission, PermissionKind } from '#app/contract/transfer-requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatList, formatNumber, formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useActions, useConnection, useStores } from '#renderer/stores/store-hooks.tsx'
import { AlertDialog } from '#renderer/ui/alert-dialog.tsx'
import { Button, FileButton, IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Checkbox, SubmitForm, TextInput } from '#renderer/ui/field.tsx'
import { usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { Spinner, Track } from '#renderer/ui/icon.tsx'
import { saveFromUrl } from '#renderer/ui/lib/save-file.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { persist, sendBackup } from './send-backup.ts'

/** Button that downloads a backup, for a browser, which may run on another machine than the host. `words`: which backup. */
export function DownloadBackup({ path, words }: { readonly path: string; readonly words?: string }) {
  const { ask } = useActions()
  const isBrowser = useConnection((state) => state.about?.shell.kind === 'web')
  if (!isBrowser) return null
  const press = async (): Promise<void> => {
    const offered = await ask('backup.offer', { path })
    if (offered) saveFromUrl(offered.href)
  }
  return (
    <SmallButton aria-label={words === undefined ? undefined : t`Download: ${words}`} onClick={() => void press()}>
      {t`Download`}
    </SmallButton>
  )
}

/** Backups that are listed at first. */
const FEW = 5

type PathAction = (path: string) => void
type FoundBackupsProps = { readonly list: BackupList['backups']; readonly onLook: PathAction; readonly onRemove: PathAction }

function FoundBackupList({ list, onLook, onRemove }: FoundBackupsProps) {
  const now = useNow(60_000)
  const [all, setAll] = useState(false)
  const [removing, setRemoving] = useState<ListedBackup | undefined>(undefined)
  return (
    <>
      <ul className="backup-list" aria-label={t`Backups`}>
        {(all ? list : list.slice(0, FEW)).map((found) => {
          const words = listedBackupLabel(found, now)
          return (
            <li key={found.path}>
              <span className="wrap-any">
                {words} <span className="dim num">{formatBytes(found.bytes)}</span>
              </span>
              <Button size="sm" aria-label={t`Open “${words}”`} onClick={() => onLook(found.path)}>
                {t`Open`}
              </Button>
              <DownloadBackup path={found.path} words={words} />
              <IconButton label={t`Delete ${words}`} icon="trash" small onClick={() => setRemoving(found)} />
            </li>
          )
        })}
      </ul>
      {!all && list.length > FEW && (
        <span className="row">
          <SmallGhostButton onClick={() => setAll(true)}>{t`Show all`}</SmallGhostButton>
        </span>
      )}
      <AlertDialog
        open={removing !== undefined}
        title={removing ? t`Delete ${listedBackupLabel(removing, now)} for good?` : ''}
        go={t`Delete for good`}
        stay={t`Keep`}
        onGo={() => {
          if (removing) onRemove(removing.path)
          setRemoving(undefined)
        }}
        onStay={() => setRemoving(undefined)}
      >
        {t`This cannot be undone.`}
      </AlertDialog>
    </>
  )
}

function ByPath({ onLook }: { readonly onLook: (path: string) => void }) {
  const [path, setPath] = useState('')
  return (
    <details>
      <summary>{t`A backup elsewhere`}</summary>
      <SubmitForm className="row" onSubmit={() => path.trim() !== '' && onLook(path.trim())}>
        <TextInput mono aria-label={t`A backup elsewhere`} value={path} onChange={({ target }) => setPath(target.value)} />
        <Button size="sm" type="submit" aria-disabled={path.trim() === ''}>
          {t`Open`}
        </Button>
      </SubmitForm>
    </details>
  )
}

interface PermissionsProps {
  readonly held: readonly HeldPermission[]
  readonly bring: readonly PermissionKind[]
  readonly onChange: (bring: readonly PermissionKind[]) => void
}

function Permissions({ held, bring, onChange }: PermissionsProps) {
  if (held.length === 0) return null
  return (
    <fieldset className="stack plain">
      <legend>{t`It also holds permissions`}</legend>
      {held.map((one) => (
        <Checkbox
          key={one.kind}
          label={permissionCountLabel(one)}
          checked={bring.includes(one.kind)}
          onChange={(checked) => onChange(checked ? [...bring, one.kind] : bring.filter((kind) => kind !== one.kind))}
          help={one.names.length > 0 && <VisibleText text={formatList(one.names)} />}
        />
      ))}
    </fieldset>
  )
}

type Looked =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'looking' }
  | { readonly kind: 'looked'; readonly source: BackupSource; readonly name: string; readonly facts: RequestResult<'backup.check'> }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** `written`: path of the backup that was just written. `onChange`: called when the disk usage has changed. */
export function Restore({ written, onChange }: { readonly written: string | undefined; readonly onChange: () => void }) {
  const { ask } = useActions()
  const pick = usePathPicker('file', t`Choose a backup…`)
  const { looked, isAtWork, bring, setBring, lookAt, send, stop, done, leave } = useLookThrough()
  const [list, refresh] = useBackups(written)
  const [busy, setBusy] = useState(false)
  const look = (path: string): Promise<void> =>
    lookAt(path, list?.backups.some((backup) => backup.kind === 'replaced' && backup.path === path) === true)

  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(true)
    if ((await work()) !== undefined) done()
    await refresh()
    onChange()
    setBusy(false)
  }

  if (list?.staged)
    return (
      <Notice
        title={t`A backup is restored at the next start.`}
        action={
          <SmallButton aria-disabled={busy} onClick={() => void change(() => ask('backup.unstage', {}))}>
            {t`Cancel restore`}
          </SmallButton>
        }
      >
        {t`Quit Assent and start it again. The present data is kept as a backup.`}
      </Notice>
    )
  return (
    <>
      {list && list.backups.length > 0 && (
        <FoundBackupList
          list={list.backups}
          onLook={(path) => void look(path)}
          onRemove={(path) => void change(() => ask('backup.remove', { path }))}
        />
      )}
      <span className="row wrap">
        {pick ? (
          <SmallButton
            onClick={() => void pick().then((path) => (path === undefined ? undefined : look(path)))}
          >{t`Choose a backup…`}</SmallButton>
        ) : (
          <FileButton size="sm" busy={isAtWork} onFiles={([file]) => file && void send(file)}>
            {t`Choose a backup…`}
          </FileButton>
        )}
      </span>
      <ByPath onLook={(path) => void look(path)} />
      <LookedStatus looked={looked} onStop={stop} />
      {looked.kind === 'looked' && (
        <>
          <Permissions held={looked.facts.permissions} bring={bring} onChange={setBring} />
          <span className="row wrap">
            <SmallButton
              aria-disabled={busy}
              onClick={() =>
                void change(() => ask('backup.restore', { source: looked.source, bring: [...bring], digest: looked.facts.digest }))
              }
            >
              {busy && <Spinner />}
              {t`Restore it at the next start`}
            </SmallButton>
            <SmallGhostButton onClick={leave}>{t`Cancel`}</SmallGhostButton>
          </span>
        </>
      )}
      {looked.kind === 'failed' && <ErrorNotice error={looked.error} />}
    </>
  )
}

type BackupList = RequestResult<'backup.list'>

/** Backups beside the profile, asked for when the connection opens and when one was written. */
function useBackups(written: string | undefined): readonly [list: BackupList | undefined, refresh: () => Promise<void>] {
  const { attempt } = useActions()
  const [list, setList] = useState<BackupList | undefined>(undefined)
  const refresh = useCallback(async () => {
    const told = await attempt('backup.list', {})
    if (told.ok) setList(told.value)
  }, [attempt])
  const status = useConnection((state) => state.status)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one that was written is listed from then on
  useEffect(() => {
    if (status === 'open') void refresh()
  }, [refresh, written, status])
  return [list, refresh]
}

/** Looks through one backup, by its path or as a file that is sent; `bring`: the permissions that are to come from it. */
function useLookThrough() {
  const { attempt } = useActions()
  const { connection } = useStores()
  const [looked, setLooked] = useState<Looked>({ kind: 'none' })
  const [bring, setBring] = useState<readonly PermissionKind[]>([])
  const sending = useRef<AbortController | null>(null)
  useEffect(() => () => sending.current?.abort(), [])

  const isAtWork = looked.kind === 'looking' || looked.kind === 'sending'
  const done = (): void => setLooked({ kind: 'none' })
  /** Goes back, and lets the host forget a file that was sent. */
  const leave = (): void => {
    if (looked.kind === 'looked' && 'upload' in looked.source) void attempt('backup.forget', looked.source)
    done()
  }
  const lookInto = async (source: BackupSource, name: string, isWayBack: boolean): Promise<void> => {
    setLooked({ kind: 'looking' })
    const outcome = await persist(connection, () => attempt('backup.check', source))
    // A backup that a restore replaced holds permissions that were this profile's own.
    setBring(isWayBack && outcome.ok ? outcome.value.permissions.map(({ kind }) => kind) : [])
    setLooked(outcome.ok ? { kind: 'looked', source, name, facts: outcome.value } : { kind: 'failed', error: outcome.error })
  }
  /** `isWayBack`: the backup holds what an earlier restore replaced. */
  const lookAt = async (path: string, isWayBack: boolean): Promise<void> => {
    if (!isAtWork) await lookInto({ path }, fileName(path), isWayBack)
  }
  const send = async (file: File): Promise<void> => {
    if (isAtWork) return
    leave()
    const abort = new AbortController()
    sending.current = abort
    const onProgress = (share: number): void => setLooked({ kind: 'sending', share })
    onProgress(0)
    const sent = await sendBackup({ attempt }, file, { onProgress, signal: abort.signal, connection })
    if (sent.kind === 'sent') await lookInto({ upload: sent.upload }, file.name, false)
    else setLooked(sent.kind === 'failed' ? sent : { kind: 'none' })
  }
  return { looked, isAtWork, bring, setBring, lookAt, send, stop: () => sending.current?.abort(), done, leave }
}

function LookedStatus({ looked, onStop }: { readonly looked: Looked; readonly onStop: () => void }) {
  const now = useNow(60_000)
  return (
    <div role="status" className="stack">
      {looked.kind === 'sending' && (
        <span className="row wrap">
          <Track part={looked.share} label={t`Reading the file`} />
          {formatPercent(looked.share)}
          <SmallGhostButton onClick={onStop}>{t`Stop`}</SmallGhostButton>
        </span>
      )}
      {looked.kind === 'looking' && (
        <span className="row">
          <Spinner /> {t`Checking`}
        </span>
      )}
      {looked.kind === 'looked' && (
        <p className="wrap-any">
          <VisibleText className="mono" text={looked.name} /> {backupFactsLabel(looked.facts, now)}
        </p>
      )}
    </div>
  )
}

type ListedBackup = BackupList['backups'][number]

const chats = (count: number): string => t`${formatNumber(count)} {chat|chats}`
const messages = (count: number): string => t`${formatNumber(count)} {message|messages}`

/** “2.0 MB, 3 chats and 40 messages, the latest of 24 Sept”. */
export function backupFactsLabel(facts: RequestResult<'backup.restore'>, now: number): string {
  const counted = formatList([chats(facts.conversations), messages(facts.messages)])
  return [counted, formatBytes(facts.bytes), facts.changedAt === null ? '' : formatWhen(facts.changedAt, now)].filter(Boolean).join(' · ')
}

const backupLabels: Record<ListedBackup['kind'], (when: string) => string> = {
  backup: (when) => t`Backup of ${when}`,
  replaced: (when) => t`Replaced by a restore, up to ${when}`,
  older: (when) => t`Before an update, up to ${when}`,
}

const listedBackupLabel = ({ kind, at }: ListedBackup, now: number): string => backupLabels[kind](formatWhen(at, now))

const permissionLabels: Record<HeldPermission['kind'], (n: string) => string> = {
  rules: (n) => t`${n} {rule|rules}`,
  launches: (n) => t`${n} {server|servers} that may start`,
  views: (n) => t`${n} app {view|views} that may reach the network`,
  folders: (n) => t`${n} {choice|choices} of shared folders`,
  sampling: (n) => t`${n} {budget|budgets} for model requests`,
  endpoints: (n) => t`${n} {choice|choices} of models and endpoints`,
  settings: (n) => t`${n} {choice|choices} of how Assent asks`,
}

/** Permissions of one kind, counted: “3 rules”. */
const permissionCountLabel = ({ kind, count }: Pick<HeldPermission, 'kind' | 'count'>): string =>
  permissionLabels[kind](formatNumber(count))

const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path
