// One file with the whole database, written while the host goes on.
import { percentWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner, Track } from '#renderer/ui/marks.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { factWords } from './backup-words.ts'
import { DownloadBackup } from './download-backup.tsx'
import type { BackupRun } from './use-backup-run.ts'

export function Backup({ run }: { readonly run: BackupRun }) {
  const { ask } = useActions()
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const press = async (): Promise<void> => {
    const chosen = canChoose ? await ask('app.chooseFolder', { title: t`Where to keep the backup` }) : undefined
    if (canChoose && !chosen?.path) return
    await run.write(chosen?.path ?? undefined)
  }
  const running = run.state.kind === 'running'
  return (
    <>
      <span className="row wrap">
        <Button size="sm" aria-disabled={running} onClick={() => running || void press()}>
          {canChoose ? t`Back up…` : t`Back up into the data folder`}
        </Button>
      </span>
      <div role="status" className="stack">
        <RunState run={run} />
      </div>
      {run.state.kind === 'failed' && <ErrorNotice error={run.state.error} />}
      <span className="help">{t`Chats, settings, rules and the record in one file, checked. Keys and other secrets are not in it.`}</span>
    </>
  )
}

function RunState({ run: { state, stop } }: { readonly run: BackupRun }) {
  const now = useNow(60_000)
  if (state.kind === 'running') {
    const { step } = state
    return (
      <span className="row wrap">
        {step.kind === 'copying' ? <Track part={step.share} label={t`Copying`} /> : <Spinner />}
        {step.kind === 'copying' ? t`Copying, ${percentWords(step.share)}` : step.kind === 'checking' ? t`Checking it` : t`Beginning`}
        <Button size="sm" variant="ghost" onClick={stop}>
          {t`Stop`}
        </Button>
      </span>
    )
  }
  if (state.kind !== 'written') return null
  const { facts } = state
  return (
    <>
      <span className="row wrap">
        <span className="mono wrap-any">{facts.path}</span> <CopyButton label={t`Copy the path`} text={facts.path} />
        <DownloadBackup path={facts.path} />
      </span>
      <span className="help">{factWords(facts, now)}</span>
    </>
  )
}
