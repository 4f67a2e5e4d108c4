import type { ReactNode } from 'react'
import type { Settings } from '#app/settings.ts'
import { hrefOf } from '#renderer/router.ts'
import { useChords } from '#renderer/shell/shortcuts.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/react.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { RadioList } from '#renderer/ui/choices.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { formatChord, useOs } from '#renderer/ui/keys.tsx'
import { NumberSetting } from './number-setting.tsx'
import { shortcutGroups } from './shortcut-list.ts'

export function AskingTab() {
  const settings = useSettings((state) => state.settings)
  const { set } = useActions()
  return (
    <>
      <section className="sec">
        <h2 className="h3">Limits</h2>
        <div className="lines">
          <NumberSetting
            label="Steps in one turn"
            help="After this many answers of the model, a turn pauses and offers to go on."
            unit="steps"
            value={settings.stepLimit}
            min={1}
            max={200}
            onSave={(stepLimit) => set({ stepLimit })}
          />
          <NumberSetting
            label="Time for a tool call"
            help="Without progress. A call that takes longer ends with an error that the model reads. A server can have its own limit."
            unit="seconds"
            value={Math.round(settings.callTimeoutMs / 1000)}
            min={1}
            max={86_400}
            onSave={(seconds) => set({ callTimeoutMs: seconds * 1000 })}
          />
        </div>
      </section>
      <section className="sec">
        <h2 className="h3">When you are asked</h2>
        <p className="lede">
          Before each tool call that no rule of yours allows, before a program starts for the first time or after it changed, and whenever a
          server wants something of you or your model. No setting turns this off; only your rules answer in your place.
        </p>
        <p>
          <LinkButton size="sm" href={hrefOf({ page: 'record' })}>
            See your rules
          </LinkButton>
        </p>
      </section>
    </>
  )
}

export function AppearanceTab() {
  const theme = useSettings((state) => state.settings.theme)
  const { set } = useActions()
  return (
    <section className="sec">
      <h2 className="h3">Theme</h2>
      <RadioList<Settings['theme']>
        label="Theme"
        value={theme}
        onChange={(next) => set({ theme: next })}
        choices={[
          { value: 'system', label: 'As the system', help: 'Changes when the system does' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </section>
  )
}

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
          <span className="help">Chats, the record and servers.json. To take them along, quit Assent and copy the folder.</span>
        </Fact>
        <Fact label="Keys">
          {about.shell.secrets === 'keyring' ? 'in the system keyring, not in the data folder' : 'in memory, for this run only'}
        </Fact>
        <Fact label="Version">
          <span className="num">{about.version}</span> <span className="dim">{shell}</span>
        </Fact>
      </dl>
    </section>
  )
}

export function ShortcutsTab() {
  const os = useOs()
  const chords = useChords()
  return (
    <>
      {shortcutGroups(chords).map(({ title, note, shortcuts }) => (
        <section key={title} className="sec">
          <h2 className="h3">{title}</h2>
          {note ? <p className="help">{note}</p> : null}
          <dl className="shortcuts">
            {shortcuts.map(({ words, chord }) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd>
                  <span className="key">{formatChord(chord, os)}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
