import { type ReactNode, useState } from 'react'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Backup } from './transfer/backup.tsx'
import { ExportChats } from './transfer/export-chats.tsx'
import { ImportChats } from './transfer/import-chats.tsx'

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

export function DataTab() {
  const about = useConnection((state) => state.about)
  if (!about) return null
  const shell = { electron: 'desktop', web: 'web page on this computer', cli: 'command line' }[about.shell.kind]
  return (
    <section className="sec">
      <h2 className="h3">On this computer</h2>
      <dl className="kv">
        <Fact label="Data folder">
          <span className="row">
            <span className="mono wrap-any">{about.dataDir}</span>
            <CopyButton label="Copy the path" text={about.dataDir} />
          </span>
          <span className="help">
            Chats, the record, servers.json and what servers logged. To take them along, quit Assent and copy the folder.
          </span>
        </Fact>
        <Fact label="Chats as files">
          <ExportChats />
          <ImportChats />
        </Fact>
        <Fact label="Backup">
          <Backup />
        </Fact>
        <Fact label="Keys and secrets">
          {about.shell.secrets === 'keyring' ? 'in the system keyring, not in the data folder' : 'in memory, for this run only'}
        </Fact>
        <Fact label="PATH and variables">
          <ReadAgain />
        </Fact>
        <Fact label="Version">
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
    setSaid('Reading …')
    const found = await ask('app.readEnvironment', {})
    setSaid(found ? `Read anew: PATH has ${found.folders} folders.` : 'Not read.')
  }
  return (
    <>
      <span className="row wrap">
        <Button size="sm" disabled={said === 'Reading …'} onClick={() => void read()}>
          Read them again
        </Button>
        <span className="dim" role="status">
          {said}
        </span>
      </span>
      <span className="help">
        Local servers get them as your shell has them (on Windows: as the system keeps them), read once. What is changed there counts from a
        server’s next start after this.
      </span>
    </>
  )
}
