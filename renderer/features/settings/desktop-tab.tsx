// The desktop app: tray, start at login, keys in every app, and what crashed. Other shells have none of it.
import type { DesktopState, Failure } from '#app/contract/snapshot.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import type { Settings } from '#app/settings.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { useActions, useConnection, useSettings } from '#renderer/stores/store-hooks.tsx'
import { CopyButton, SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { formatChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { Section } from '#renderer/ui/text/section.tsx'

export function DesktopTab() {
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

/** Sentence for each failure; the end of a process is told by its own words. */
const kinds: Readonly<Record<Failure['kind'], string>> = {
  host: t`Assent ended unexpectedly.`,
  page: '',
  process: '',
  hang: t`The page does not answer.`,
}

/** Report of a failure as text, to be sent by hand. */
const reportOf = ({ kind, detail, version, at }: Failure): string =>
  `${kinds[kind]}\nAssent ${version}, ${new Date(at).toISOString()}\n${detail}`

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
                {kinds[failure.kind] || failure.detail}{' '}
                <span className="faint">
                  {formatWhen(failure.at, now)} · {failure.version}
                </span>
                {kinds[failure.kind] && failure.detail && (
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
        <SmallButton onClick={() => go('app.showCrashes', {})}>{t`Show data folder`}</SmallButton>
        <span className="mono wrap-any">{folder}</span>
      </span>
    </Section>
  )
}
