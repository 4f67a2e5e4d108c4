// Settings that the app follows: theme, text size and spell-check, and the system's proxy.
import { app, BrowserWindow, nativeTheme, type Session } from 'electron'
import type { HostEvent } from '#app/contract/events.ts'
import { nextTextSize, type Settings } from '#app/settings.ts'
import type { Log } from '#main/base/host-log.ts'
import { askSystemForProxy } from '#main/servers/transport/http/dispatchers.ts'
import { backgroundColor } from './window.ts'

export interface SettingsHost<Name extends keyof Settings> {
  snapshot(): { readonly settings: Pick<Settings, Name> }
  onEvent(listener: (event: HostEvent) => void): () => void
}

/** Calls `apply` with a setting, now and at each change. Returns its undo. */
export function followSetting<Name extends keyof Settings>(
  host: SettingsHost<Name>,
  name: Name,
  apply: (value: Settings[Name]) => void,
): () => void {
  let value: Settings[Name] = host.snapshot().settings[name]
  apply(value)
  return host.onEvent((event) => {
    if (event.name !== 'settings.changed' || event.payload.settings[name] === value) return
    value = event.payload.settings[name]
    apply(value)
  })
}

/** Applies light or dark to what the system draws: title bar, menus, dialogs, the window before its first paint. Returns its undo. */
export function followTheme(host: SettingsHost<'theme'>): () => void {
  const onUpdated = (): void => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(backgroundColor())
  }
  const stop = followSetting(host, 'theme', (theme) => {
    nativeTheme.themeSource = theme
  })
  nativeTheme.on('updated', onUpdated)
  return () => {
    stop()
    nativeTheme.off('updated', onUpdated)
  }
}

interface TextSizeHost extends SettingsHost<'textSize'> {
  request(name: 'settings.set', params: Partial<Settings>): Promise<unknown>
}

/** Returns what the menu does: sets the next text size, which every page follows by itself. */
export const changeTextSize =
  (host: TextSizeHost, log: Log) =>
  (by: 1 | 0 | -1): void => {
    const textSize = nextTextSize(host.snapshot().settings.textSize, by)
    host.request('settings.set', { textSize }).catch((error: unknown) => log.error('The text size could not be kept', error))
  }

/**
 * Returns whether windows that are opened now check spelling; open windows follow only to off. On a Mac the system checks it. Elsewhere
 * Chromium downloads dictionaries from Google as soon as it has a language, so it gets none until the setting is on.
 */
export function followSpelling(host: SettingsHost<'spelling'>, session: Session, os: NodeJS.Platform): () => boolean {
  if (os === 'darwin') return () => true
  let isOn = false
  followSetting(host, 'spelling', (spelling) => {
    isOn = spelling
    const languages = isOn ? dictionariesOf(app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages) : []
    session.setSpellCheckerLanguages(languages)
    session.setSpellCheckerEnabled(isOn)
  })
  return () => isOn
}

const MOST = 3

/** Chooses dictionaries for the person's languages: of the region, else of the language, else of any region of it. */
export function dictionariesOf(languages: readonly string[], available: readonly string[]): string[] {
  const found = languages.flatMap((language) => {
    const wanted = language.toLowerCase()
    const [base = ''] = wanted.split('-')
    const startsWith = (begin: string) => available.find((tag) => tag.toLowerCase().startsWith(begin))
    const equals = (text: string) => available.find((tag) => tag.toLowerCase() === text)
    return equals(wanted) ?? equals(base) ?? startsWith(`${base}-`) ?? []
  })
  return [...new Set(found)].slice(0, MOST)
}

/**
 * Asks the system's settings for the proxy of remote servers: Node reads it from the environment only, which an app started from a dock or
 * a menu does not have.
 */
export const followSystemProxy = (session: Pick<Session, 'resolveProxy'>): void =>
  askSystemForProxy(async (url) => firstProxy(await session.resolveProxy(url)))

/** Returns the first usable proxy of an answer such as `PROXY a:8080; DIRECT`, or a SOCKS one, which is not used but reported. */
export function firstProxy(answer: string): string | undefined {
  let socks: string | undefined
  for (const entry of answer.split(';')) {
    const [kind, host] = entry.trim().split(/\s+/)
    if (kind === 'DIRECT') return socks
    if (host && (kind === 'PROXY' || kind === 'HTTPS')) return `${kind === 'PROXY' ? 'http' : 'https'}://${host}`
    if (host && kind?.startsWith('SOCKS')) socks ??= `socks5://${host}`
  }
  return socks
}
