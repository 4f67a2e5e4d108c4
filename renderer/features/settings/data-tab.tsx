import { type ReactNode, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Backup } from './transfer/backup.tsx'
import { DiskUseFigures } from './transfer/disk-use.tsx'
import { ExportChats } from './transfer/export-chats.tsx'
import { ImportChats } from './transfer/import-chats.tsx'
import { Restore } from './transfer/restore.tsx'
import { useBackupRun } from './transfer/use-backup-run.ts'

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

export function DataTab() {
  const about = useConnection((state) => state.about)
  const run = useBackupRun()
  const [changes, setChanges] = useState(0)
  if (!about) return null
  const written = run.state.kind === 'written' ? run.state.facts.path : undefined
  const shell = { electron: t`desktop`, web: t`web page on this computer`, cli: t`command line` }[about.shell.kind]
  return (
    <section className="sec">
      <h2 className="h3">{t`On this computer`}</h2>
      <dl className="kv on-disk">
        <Fact label={t`Data folder`}>
          <span className="row">
            <span className="mono wrap-any">{about.dataDir}</span>
            <CopyButton label={t`Copy the path`} text={about.dataDir} />
          </span>
          <span className="help">
            {t`Chats, the record, servers.json and what servers logged. To take them along, quit Assent and copy the folder.`}
          </span>
        </Fact>
        <Fact label={t`Takes up`}>
          <DiskUseFigures turn={`${changes} ${written ?? ''}`} />
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
          {about.shell.secrets === 'keyring' ? t`in the system keyring, not in the data folder` : t`in memory, for this run only`}
        </Fact>
        <Fact label={t`PATH and variables`}>
          <ReadAgain />
        </Fact>
        <Fact label={t`Version`}>
          <span className="num">{about.version}</span> <span className="dim">{shell}</span>
        </Fact>
      </dl>
    </section>
  )
}

/** A start-up file that changed counts without a new start of Assent. */
function ReadAgain() {
  const { ask } = useActions()
  const [said, setSaid] = useState('')
  const read = async (): Promise<void> => {
    setSaid(t`Reading …`)
    const found = await ask('app.readEnvironment', {})
    setSaid(found ? t`Read anew: PATH has ${found.folders} folders.` : t`Not read.`)
  }
  return (
    <>
      <span className="row wrap">
        <Button size="sm" disabled={said === t`Reading …`} onClick={() => void read()}>
          {t`Read them again`}
        </Button>
        <span className="dim" role="status">
          {said}
        </span>
      </span>
      <span className="help">
        {t`Local servers get them as your shell has them (on Windows: as the system keeps them), read once. What is changed there counts from a server’s next start after this.`}
      </span>
    </>
  )
}
