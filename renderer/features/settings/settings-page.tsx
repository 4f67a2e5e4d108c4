import './settings.css'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { DesktopState, Failure } from '#app/contract/snapshot.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import type { Settings } from '#app/settings.ts'
import {
  type Chord,
  chordsFor,
  conflictOf,
  isPermitted,
  type Os,
  type OwnShortcuts,
  type ShortcutId,
  type ShortcutPlace,
  shortcutIds,
  shortcuts,
  takenBy,
} from '#app/shortcuts.ts'
import { useScrolls } from '#renderer/features/consent/request/use-seen.ts'
import { UsageTab } from '#renderer/features/usage/usage-tab.tsx'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallButton, SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { ChoiceSelect, Segmented, Switch } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { chordOf, formatChord, spokenChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { AppearanceTab } from './appearance-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { ModelsTab } from './models-tab.tsx'
import { OtherAppsTab } from './other-apps-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { PersonalTab } from './personal-tab.tsx'

// Every shortcut by where it works, from the one table; each can be changed by pressing its new keys, or have none.

const places: Readonly<Record<ShortcutPlace, { readonly title: string }>> = {
  desktop: { title: t`Desktop` },
  everywhere: { title: t`Everywhere` },
  writing: { title: t`Writing` },
  request: {
    title: t`In a request`,
  },
  tool: { title: t`Tools` },
  config: { title: t`In servers.json` },
  chats: { title: t`Chats` },
}

const takenLabel = t`Another app has these keys.`

/** Row that waits for keys; with `wish`, keys of another shortcut that it may take over (null: its usual ones). */
interface Recording {
  readonly id: ShortcutId
  readonly problem?: string
  readonly wish?: { readonly chord: Chord | undefined; readonly from: ShortcutId }
}

const usualChord = (id: ShortcutId, web: boolean): Chord | null => chordsFor({}, web)[id]

/** Rule for the keys of a shortcut, in words. */
function ruleWords(id: ShortcutId, os: Os): string {
  const mod = formatChord({ key: '', mod: true }, os).replace('+', '')
  return shortcuts[id].rule === 'enter' ? t`Enter, alone or with ${mod}.` : t`Hold ${mod} or ${os === 'mac' ? '⌥' : t`Alt`} with it.`
}

/** Recording of new keys for one shortcut at a time, and what it sets. */
function useRecording() {
  const os = useOs()
  const chords = useChords()
  const web = useConnection((state) => state.about?.shell.kind !== 'electron')
  const own = useSettings((state) => state.settings.shortcuts)
  const { set, announce } = useActions()
  const [recording, setRecording] = useState<Recording | undefined>(undefined)

  /** `chord` undefined: the usual keys. */
  const put = (id: ShortcutId, chord: Chord | null | undefined, without?: ShortcutId): void => {
    const { [id]: _, ...others } = own
    const next: OwnShortcuts = { ...others, ...(chord !== undefined && { [id]: chord }), ...(without && { [without]: null }) }
    set({ shortcuts: next })
    setRecording(undefined)
    announce(`${shortcuts[id].words()}: ${spokenChord(chordsFor(next, web)[id], os) || t`none`}`)
  }
  const wish = (id: ShortcutId, chord: Chord | undefined): void => {
    const keys = chord ?? usualChord(id, web)
    const from = keys ? conflictOf(id, keys, chords) : undefined
    if (from === undefined) put(id, chord)
    else
      setRecording({
        id,
        problem: t`“${shortcuts[from].words()}” uses these keys.`,
        ...(shortcuts[from].rule !== 'fixed' && { wish: { chord, from } }),
      })
  }
  const onKey = (id: ShortcutId, event: KeyboardEvent): void => {
    const chord = chordOf(event.nativeEvent, os)
    if (event.key === 'Tab' || isTyping(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (!chord || event.repeat) return
    const isAlone = !(chord.mod || chord.alt || chord.shift)
    if (isAlone && chord.key === 'Escape') setRecording(undefined)
    else if (isAlone && chord.key === 'Backspace') put(id, null)
    else if (!isPermitted(id, chord)) setRecording({ id, problem: ruleWords(id, os) })
    else {
      const taken = takenBy(id, chord, { os, web })
      if (taken) setRecording({ id, problem: takenLabel })
      else wish(id, chord)
    }
  }
  return { os, chords, web, own, recording, setRecording, put, wish, onKey }
}

function ShortcutsTab() {
  const { os, chords, web, own, recording, setRecording, put, wish, onKey } = useRecording()
  const { set } = useActions()
  const shown = shortcutIds.filter((id) => !(web && shortcuts[id].web === null))
  return (
    <>
      <div className="row wrap">
        <p className="help grow">{t`Select a shortcut and press its new keys. Backspace removes it, Esc cancels.`}</p>
        <SmallGhostButton
          aria-disabled={Object.keys(own).length === 0}
          onClick={() => set({ shortcuts: {} })}
        >{t`Reset all`}</SmallGhostButton>
      </div>
      {(Object.keys(places) as ShortcutPlace[])
        .filter((place) => shown.some((id) => shortcuts[id].place === place))
        .map((place) => (
          <Section key={place} level={2} title={places[place].title}>
            <dl className="shortcuts">
              {shown
                .filter((id) => shortcuts[id].place === place)
                .map((id) => {
                  const words = shortcuts[id].words()
                  const keys = formatChord(chords[id], os) || t`none`
                  const records = recording?.id === id
                  const taken = chords[id] && takenBy(id, chords[id], { os, web })
                  const note = records ? recording.problem : taken && takenLabel
                  const { wish: wished } = (records && recording) || {}
                  return (
                    <div key={id}>
                      <dt>{words}</dt>
                      <dd>
                        <span role={records ? 'alert' : undefined} className="help warntext">
                          {note}
                        </span>
                        {wished && <SmallButton onClick={() => put(id, wished.chord, wished.from)}>{t`Use them here`}</SmallButton>}
                        {own[id] !== undefined && !records && (
                          <SmallGhostButton
                            aria-label={`${t`Reset`}: ${words}`}
                            onClick={() => wish(id, undefined)}
                          >{t`Reset`}</SmallGhostButton>
                        )}
                        {shortcuts[id].rule === 'fixed' ? (
                          <span className="key">{keys}</span>
                        ) : (
                          <button
                            type="button"
                            className="key"
                            aria-pressed={records}
                            aria-label={records ? t`Press the keys` : `${words}: ${spokenChord(chords[id], os) || keys}`}
                            onClick={() => setRecording(records ? undefined : { id })}
                            onKeyDown={(event) => records && onKey(id, event)}
                            onBlur={() => setRecording((now) => (now?.id === id && !now.wish ? undefined : now))}
                          >
                            {records ? t`Press the keys` : keys}
                          </button>
                        )}
                      </dd>
                    </div>
                  )
                })}
            </dl>
          </Section>
        ))}
    </>
  )
}

// The desktop app: tray, start at login, keys in every app, and what crashed. Other shells have none of it.

function DesktopTab() {
  const settings = useSettings((state) => state.settings)
  const { tray, startAtLogin, quickEntryKeys, shortcuts } = settings
  const mac = useConnection((state) => state.about?.shell.os === 'mac')
  const { set } = useActions()
  // The state follows the settings that it tells of.
  const { value: state, error } = useHostAnswer('app.desktop', {}, JSON.stringify([tray, quickEntryKeys, shortcuts]))
  const change = (patch: Partial<Settings>): void => set(patch)
  return (
    <>
      <Section level={2} title={t`Desktop`}>
        <div className="lines settings-lines">
          <Switch
            label={t`Icon in the tray or menu bar`}
            help={state?.tray === false ? t`This desktop shows no tray icons.` : mac ? undefined : t`${t`Assent`} goes on in the tray.`}
            checked={tray}
            onChange={(on) => change({ tray: on })}
          />
          <Switch label={t`Start at login`} checked={startAtLogin} onChange={(on) => change({ startAtLogin: on })} />
          <Switch
            label={t`Quick entry in every app`}
            help={<Keys state={state?.keys} />}
            checked={quickEntryKeys}
            onChange={(on) => change({ quickEntryKeys: on })}
          />
        </div>
      </Section>
      {error && <ErrorNotice error={error} />}
      {state && <Failures state={state} />}
    </>
  )
}

function Keys({ state }: { readonly state: DesktopState['keys'] | undefined }) {
  const os = useOs()
  const { quickEntry } = useChords()
  const keys = <kbd>{formatChord(quickEntry, os) || t`none`}</kbd>
  const change = <SmallLink to={{ page: 'settings', tab: 'shortcuts' }}>{t`Change`}</SmallLink>
  return (
    <span className="row wrap">
      {keys} {change}
      {state === 'taken' && <span className="warntext">{t`Another app has these keys.`}</span>}
      {state === 'asked' && <span>{t`Your desktop decides. Its own keys can start “assent --quick-entry”.`}</span>}
    </span>
  )
}

const kinds: ReadonlyMap<Failure['kind'], string> = new Map([
  ['host', t`Assent ended unexpectedly.`],
  ['page', t`Assent ended unexpectedly.`],
  ['process', t`Assent ended unexpectedly.`],
  ['hang', t`The page does not answer.`],
])

/** Report of a failure as text, to be sent by hand. */
const reportOf = ({ kind, detail, version, at }: Failure): string =>
  `${kinds.get(kind)}\nAssent ${version}, ${new Date(at).toISOString()}\n${detail}`

function Failures({ state: { failures, folder } }: { readonly state: DesktopState }) {
  const now = useNow(60_000)
  const { go } = useActions()
  const latestFirst = [...failures].reverse()
  return (
    <Section level={2} title={t`Crashes`}>
      <p className="help">{t`Nothing is sent. A crash report may hold parts of chats and keys.`}</p>
      {failures.length === 0 && <p>{t`None`}</p>}
      {failures.length > 0 && (
        <ul className="lines plain-list">
          {latestFirst.map((failure) => (
            <li key={`${failure.at} ${failure.detail}`} className="row wrap">
              <span className="grow">
                {kinds.get(failure.kind)}{' '}
                <span className="faint">
                  {formatWhen(failure.at, now)} · {failure.version}
                </span>
                {failure.detail && (
                  <details>
                    <summary>{t`Details`}</summary>
                    <pre className="mono wrap-any">{failure.detail}</pre>
                  </details>
                )}
              </span>
              <CopyButton label={t`Copy report`} text={reportOf(failure)} />
            </li>
          ))}
        </ul>
      )}
      <span className="row wrap">
        <SmallButton onClick={() => go('app.showCrashes', {})}>{t`Open`}</SmallButton>
        <span className="mono wrap-any">{folder}</span>
      </span>
    </Section>
  )
}

const tabs = {
  models: [t`Models`, ModelsTab],
  usage: [t`Usage`, UsageTab],
  personal: [t`Personal`, PersonalTab],
  permissions: [t`Permissions and limits`, PermissionsTab],
  apps: [t`Other apps`, OtherAppsTab],
  appearance: [t`Appearance`, AppearanceTab],
  data: [t`Data`, DataTab],
  desktop: [t`Desktop`, DesktopTab],
  shortcuts: [t`Keyboard`, ShortcutsTab],
} as const
type SettingsTab = keyof typeof tabs
const names = Object.keys(tabs) as SettingsTab[]

/** Tab of a route; errors call the tab with the limits `general`. */
const tabOf = (name: string | undefined, shown: readonly SettingsTab[]): SettingsTab =>
  name === 'general' ? 'permissions' : (shown.find((tab) => tab === name) ?? 'models')

export function SettingsPage({ route }: { readonly route: Extract<Route, { page: 'settings' }> }) {
  const electron = useConnection((state) => state.about?.shell.kind === 'electron')
  const shown = names.filter((name) => electron || name !== 'desktop')
  const choices = shown.map((value) => ({ value, label: tabs[value][0] }))
  const tab = tabOf(route.tab, shown)
  const box = useRef<HTMLDivElement | null>(null)
  // The one tab in which there is nothing else to go to.
  const scrolls = useScrolls(box) && tab === 'shortcuts'
  const choose = (next: SettingsTab): void => navigate({ page: 'settings', tab: next }, { replace: true })
  const [, Tab] = tabs[tab]
  return (
    <Page
      title={t`Settings`}
      actions={
        <span className="settings-tabs">
          <Segmented label={t`Settings`} value={tab} onChange={choose} choices={choices} />
        </span>
      }
    >
      <div ref={box} className="page" tabIndex={scrolls ? 0 : undefined}>
        <div className="in settings">
          <ChoiceSelect aria-label={t`Settings`} className="narrow-tabs" value={tab} options={choices} onChoose={choose} />
          <Tab pull={route.pull} />
        </div>
      </div>
    </Page>
  )
}
