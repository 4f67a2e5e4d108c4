// The data on this computer: where it is, what it takes up, and export, import, backup and restore.

import { useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { SignedKeyPlace } from '#app/signed-state.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { UpdateStatus } from '#renderer/features/notices/update-notice.tsx'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { Spinner, Track } from '#renderer/ui/icon.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { Fact, Section } from '#renderer/ui/text/section.tsx'
import { ExportChats } from '../chat/organize/export-chats.tsx'
import { ImportChats } from './transfer/import-chats.tsx'
import { backupFactsLabel, DownloadBackup, Restore } from './transfer/restore.tsx'

/** Disk space by purpose, and the way to what can be deleted. Measured again whenever `turn` changes. */
function DiskUsageFigures({ turn }: { readonly turn: string }) {
  const { value: use, error } = useHostAnswer('backup.diskUse', {}, turn)
  if (error) return <ErrorNotice error={error} />
  if (!use) return <Spinner />
  const { database, attachments, unsent, free, backups, logs, bundles, rest } = use
  const parts = [
    [t`Chats, settings and Activity`, database],
    [t`Attachments and results`, attachments + unsent],
    [t`Backups`, backups],
    [t`Server logs`, logs],
    [t`Bundles`, bundles],
    [t`Everything else`, rest + free],
  ] as const
  return (
    <>
      <span className="num">{formatBytes(database + backups + logs + bundles + rest)}</span>
      <details>
        <summary>{t`Details`}</summary>
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
    </>
  )
}

/** A backup: one file with the whole database, written while the host goes on. */
function Backup({ run }: { readonly run: BackupRun }) {
  const pick = usePathPicker('folder', t`Backup`)
  const press = async (): Promise<void> => {
    const folder = await pick?.()
    if (folder || !pick) await run.write(folder)
  }
  const running = run.state.kind === 'running'
  return (
    <>
      <span className="row wrap">
        <SmallButton aria-disabled={running} onClick={() => running || void press()}>
          {t`Back up…`}
        </SmallButton>
      </span>
      <div role="status" className="stack">
        <RunState run={run} />
      </div>
      {run.state.kind === 'failed' && <ErrorNotice error={run.state.error} />}
      <span className="help">{t`Chats, settings, rules and Activity in one file, without secrets.`}</span>
    </>
  )
}

function RunState({ run: { state, step, stop } }: { readonly run: BackupRun }) {
  const now = useNow(60_000)
  if (state.kind === 'running') {
    return (
      <span className="row wrap">
        {step?.kind === 'copying' ? <Track part={step.share} label={t`Backup`} /> : <Spinner />}
        {step?.kind === 'copying' ? formatPercent(step.share) : step?.kind === 'checking' ? t`Checking` : t`Starting`}
        <SmallGhostButton onClick={stop}>{t`Stop`}</SmallGhostButton>
      </span>
    )
  }
  if (state.kind !== 'written') return null
  const { facts } = state
  return (
    <>
      <span className="row wrap">
        <span className="mono wrap-any">{facts.path}</span> <CopyButton label={t`Copy path`} text={facts.path} />
        <DownloadBackup path={facts.path} />
      </span>
      <span className="help">{backupFactsLabel(facts, now)}</span>
    </>
  )
}

export function DataTab() {
  const about = useConnection((state) => state.about)
  const run = useBackupRun()
  const [changes, setChanges] = useState(0)
  if (!about) return null
  const written = run.state.kind === 'written' ? run.state.facts.path : undefined
  return (
    <Section level={2} title={t`On this computer`}>
      <dl className="kv on-disk">
        <Fact label={t`Data folder`}>
          <span className="row">
            <span className="mono wrap-any">{about.dataDir}</span>
            <CopyButton label={t`Copy path`} text={about.dataDir} />
          </span>
        </Fact>
        <Fact label={t`Size`}>
          <DiskUsageFigures turn={`${changes} ${written ?? ''}`} />
        </Fact>
        <Fact label={t`Chats as files`}>
          <ExportChats />
          <ImportChats />
        </Fact>
        <Fact label={t`Backup`}>
          <Backup run={run} />
        </Fact>
        <Fact label={t`Restore`}>
          <Restore written={written} onChange={() => setChanges((count) => count + 1)} />
        </Fact>
        <Fact label={t`Keys and secrets`}>
          {about.shell.secrets === 'keyring' ? t`in the system keyring` : t`in memory, for this run only`}
        </Fact>
        <Fact label={t`Key that signs permissions`}>{signedByText(about.shell.signedBy)}</Fact>
        <Fact label={t`PATH and variables`}>
          <ReadAgain />
        </Fact>
        <Fact label={t`Version`}>
          <span className="num">{about.version}</span>
          <UpdateStatus />
        </Fact>
      </dl>
    </Section>
  )
}

/** Says where the key is that signs rules, launches, trust and endpoints. */
function signedByText(place: SignedKeyPlace | undefined): string {
  if (place === 'keyring') return t`in the system keyring`
  if (place === 'file') return t`in a file outside the data folder`
  return place === 'none' ? t`not checked: the keyring is locked` : t`in memory, for this run only`
}

/** Reads the shell's environment again: changed start-up files count without a restart of Assent. */
function ReadAgain() {
  const { ask } = useActions()
  const [said, setSaid] = useState('')
  const read = async (): Promise<void> => {
    setSaid(t`Loading…`)
    const found = await ask('app.readEnvironment', {})
    setSaid(found ? t`Done` : t`Failed`)
  }
  return (
    <>
      <span className="row wrap">
        <SmallButton disabled={said === t`Loading…`} onClick={() => void read()}>
          {t`Reload`}
        </SmallButton>
        <span className="dim" role="status">
          {said}
        </span>
      </span>
      <span className="help">{t`Local servers get the variables of your shell. Changes apply at the next start.`}</span>
    </>
  )
}

type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly run: string }
  | { readonly kind: 'written'; readonly facts: RequestResult<'backup.write'> }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

type BackupRun = ReturnType<typeof useBackupRun>

const EVERY_MS = 300

function useBackupRun() {
  const { attempt, go } = useActions()
  const [state, setState] = useState<RunState>({ kind: 'idle' })
  const run = state.kind === 'running' ? state.run : undefined

  const { value: step } = useHostAnswer('backup.progress', run === undefined ? undefined : { run }, undefined, EVERY_MS)

  return {
    state,
    step,
    /** `folder` undefined: the data folder. */
    async write(folder: string | undefined): Promise<void> {
      if (run !== undefined) return
      const begun = crypto.randomUUID()
      setState({ kind: 'running', run: begun })
      const outcome = await attempt('backup.write', { run: begun, ...(folder === undefined ? {} : { folder }) })
      if (outcome.ok) setState({ kind: 'written', facts: outcome.value })
      else setState(outcome.error.code === 'cancelled' ? { kind: 'idle' } : { kind: 'failed', error: outcome.error })
    },
    stop(): void {
      if (run !== undefined) go('backup.cancel', { run })
    },
  }
}
