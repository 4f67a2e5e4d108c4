// Settings that the app follows: theme, text size and spell-check, and the system's proxy.
import { connect } from 'node:net'
import { app, BrowserWindow, nativeTheme, type Session } from 'electron'
import type { HostEvent } from '#app/contract/events.ts'
import { nextTextSize, type Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
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

/** Whether something listens there, by a connection that is closed at once. */
type Connects = (host: string, port: number) => Promise<boolean>

/** Milliseconds for a proxy to take a connection, and for which that is known. */
const connectMs = 2000
const knownMs = 60_000

const connectsNow: Connects = (host, port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs })
    const end = (does: boolean) => (): void => {
      socket.destroy()
      resolve(does)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })

/**
 * Asks the system's settings, or the script that they name (PAC), for the proxy of remote servers: Node reads it from the environment only,
 * which an app started from a dock or a menu does not have. `connects` is replaced in tests.
 */
export function followSystemProxy(session: Pick<Session, 'resolveProxy'>, clock: Clock, connects = connectsNow): void {
  const known = new Map<string, { readonly until: number; readonly does: Promise<boolean> }>()
  const takes = (proxy: string): Promise<boolean> => {
    const { hostname, port, protocol } = new URL(proxy)
    const found = known.get(proxy)
    if (found && found.until > clock.now()) return found.does
    const does = connects(hostname.replace(/^\[(.*)\]$/, '$1'), Number(port || (protocol === 'https:' ? 443 : 80)))
    known.set(proxy, { until: clock.now() + knownMs, does })
    return does
  }
  askSystemForProxy(async (url) => {
    const proxies = proxiesOf(await session.resolveProxy(url))
    // With others behind it, one that is down is passed over, as browsers do.
    for (const proxy of proxies.length > 1 ? proxies : [])
      if (proxy === undefined || !URL.canParse(proxy) || (await takes(proxy))) return proxy
    return proxies[0]
  })
}

/**
 * Returns the proxies of an answer such as `PROXY a:8080; PROXY b:8080; DIRECT`, in its order; undefined stands for none. A SOCKS one, which is
 * not used but reported, only where there is no other.
 */
export function proxiesOf(answer: string): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  let socks: string | undefined
  for (const entry of answer.split(';')) {
    const [kind, host] = entry.trim().split(/\s+/)
    if (kind === 'DIRECT') return found.length > 0 ? [...found, undefined] : [socks]
    if (host && (kind === 'PROXY' || kind === 'HTTPS')) found.push(`${kind === 'PROXY' ? 'http' : 'https'}://${host}`)
    if (host && kind?.startsWith('SOCKS')) socks ??= `socks5://${host}`
  }
  return found.length > 0 ? found : [socks]
}
