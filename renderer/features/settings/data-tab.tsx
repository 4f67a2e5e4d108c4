import type { ReactNode } from 'react'
import { useConnection } from '#renderer/stores/react.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'

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
        <Fact label="Keys and secrets">
          {about.shell.secrets === 'keyring' ? 'in the system keyring, not in the data folder' : 'in memory, for this run only'}
        </Fact>
        <Fact label="Version">
          <span className="num">{about.version}</span> <span className="dim">{shell}</span>
        </Fact>
      </dl>
    </section>
  )
}
