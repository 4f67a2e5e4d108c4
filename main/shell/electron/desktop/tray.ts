// The tray: what waits for the person, what runs, and quitting. Where it is shown, the host goes on without a window. Also the number of
// what waits, on the Dock, on Linux's docks, and over the button of the taskbar on Windows.
import { join } from 'node:path'
import { app, BrowserWindow, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import { consentSentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import { menuText, roleLabels } from '../window/context-menu.ts'

export interface DesktopStatus {
  /** Requests for the person, oldest first. */
  readonly waiting: readonly ConsentRequest[]
  /** Number of all that waits, overdue calls included. */
  readonly count: number
  /** Names of running servers. */
  readonly running: readonly string[]
}

interface StatusHost {
  snapshot(): Pick<Snapshot, 'consentRequests' | 'overdueCalls' | 'servers'>
  onEvent(listener: (event: HostEvent) => void): () => void
}

/** Milliseconds in which changes are told once. */
const together = 100

/** Calls `tell` with what waits and runs, now and after each change. Returns its undo. */
export function followStatus(host: StatusHost, clock: Clock, tell: (status: DesktopStatus) => void): () => void {
  const { consentRequests, overdueCalls, servers } = host.snapshot()
  const waiting = new Map(consentRequests.map((request) => [request.id, request]))
  const running = new Map(servers.map(({ name, state }) => [name, state.kind === 'ready']))
  let overdue = overdueCalls.length
  let cancel: (() => void) | undefined
  const now = (): void => {
    cancel = undefined
    const names = [...running].flatMap(([name, runs]) => (runs ? [name] : [])).sort()
    tell({ waiting: [...waiting.values()], count: waiting.size + overdue, running: names })
  }
  const stop = host.onEvent((event) => {
    if (event.name === 'consent.opened') waiting.set(event.payload.request.id, event.payload.request)
    else if (event.name === 'consent.closed') waiting.delete(event.payload.id)
    else if (event.name === 'overdueCalls.changed') overdue = event.payload.overdueCalls.length
    else if (event.name === 'server.changed') running.set(event.payload.server.name, event.payload.server.state.kind === 'ready')
    else if (event.name === 'server.removed') running.delete(event.payload.name)
    else return
    cancel ??= clock.after(together, now)
  })
  now()
  return () => {
    cancel?.()
    stop()
  }
}

/** Desktops of Linux with a place for tray icons of their own, as XDG_CURRENT_DESKTOP names them. GNOME has it in Ubuntu alone. */
const withTray: ReadonlySet<string> = new Set([
  ...['ubuntu', 'kde', 'xfce', 'x-cinnamon', 'cinnamon', 'mate', 'lxqt', 'lxde', 'unity', 'budgie', 'deepin', 'dde', 'ukui', 'cosmic'],
])

/**
 * Whether the desktop is known to show tray icons: an app that goes on elsewhere without a window cannot be found again (GNOME: kamhix/todoist-linux
 * issue 37; i3: vladimiry/ElectronMail issue 578).
 */
export function showsTray(os: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>): boolean {
  if (os !== 'linux') return true
  return (env['XDG_CURRENT_DESKTOP'] ?? '').split(':').some((name) => withTray.has(name.toLowerCase()))
}

interface TrayActions {
  readonly open: () => void
  /** Shows a route, as the fragment of its address, in the window. */
  readonly go: (hash: string) => void
  readonly quickEntry: () => void
  readonly stopServers: (names: readonly string[]) => void
}

/** Most requests that the menu lists. */
const mostListed = 5

function trayMenu({ waiting, running }: DesktopStatus, actions: TrayActions): MenuItemConstructorOptions[] {
  const { open, go, quickEntry, stopServers } = actions
  const shown = waiting.slice(0, mostListed)
  const label = roleLabels()
  return [
    ...(shown.length > 0 ? [{ label: t`Waiting for you`, enabled: false }] : []),
    ...shown.map(
      (request): MenuItemConstructorOptions => ({
        label: menuText(consentSentence(request)),
        click: () => go(`#/requests/${encodeURIComponent(request.id)}`),
      }),
    ),
    ...(waiting.length > shown.length ? [{ label: t`Requests`, click: () => go('#/requests') }] : []),
    ...(shown.length > 0 ? [separator] : []),
    { label: t`New chat`, click: () => go('#/chat') },
    { label: t`Quick entry`, click: quickEntry },
    { label: t`Open “${app.name}”`, click: open },
    separator,
    ...(running.length > 0 ? [serversItem(running, go), { label: t`Stop all servers`, click: () => stopServers(running) }, separator] : []),
    // A role would ask for no label of ours on Linux, where the tray's menu is drawn by the desktop.
    { label: label.quit, click: () => app.quit() },
  ]
}

const separator = { type: 'separator' } as const

const serversItem = (running: readonly string[], go: TrayActions['go']): MenuItemConstructorOptions => ({
  label: t`${running.length} {server|servers}`,
  submenu: running.map((name) => ({ label: menuText(name), click: () => go(`#/servers/${encodeURIComponent(name)}`) })),
})

interface TrayOptions {
  readonly os: NodeJS.Platform
  readonly icons: string
  readonly actions: TrayActions
}

/** Shows the icon; what it returns is to be kept, since a tray that is garbage-collected disappears (docs/faq.md). */
export function openTray({ os, icons, actions }: TrayOptions) {
  // The system of a Mac colours a picture whose name ends in Template; both have one of twice the size beside them.
  const tray = new Tray(join(icons, os === 'darwin' ? 'trayTemplate.png' : 'tray.png'))
  // A Mac opens the menu by the same click. On Linux it is the desktop's activation, which may never come.
  if (os !== 'darwin') tray.on('click', actions.open)
  return {
    show(status: DesktopStatus): void {
      tray.setToolTip(status.count === 0 ? app.name : `${app.name}: ${t`${status.count} waiting`}`)
      if (os === 'darwin') tray.setTitle(status.count === 0 ? '' : String(status.count))
      // A changed menu is shown on Linux only once it is set again.
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(status, actions)))
    },
    close: (): void => tray.destroy(),
  }
}

/** Rows of the digits 0 to 9 and of “+”, five pixels wide, the leftmost in the highest bit. */
const glyphs = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 2, 4, 8, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
  [0, 4, 4, 31, 4, 4, 0],
] as const
const plus = 10
const size = 16
/** Blue of what waits, and white, as BGRA. */
const ink = [0xb5, 0x45, 0x23, 0xff] as const
const white = [0xff, 0xff, 0xff, 0xff] as const

/** Draws a number on a disc of 16 by 16 pixels as BGRA; “9+” for more than nine. */
export function drawBadge(count: number): Buffer {
  const pixels = Buffer.alloc(size * size * 4)
  const put = (x: number, y: number, colour: readonly number[]): void => void pixels.set(colour, (y * size + x) * 4)
  const middle = (size - 1) / 2
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) if ((x - middle) ** 2 + (y - middle) ** 2 <= (size / 2) ** 2) put(x, y, ink)
  const signs = count > 9 ? [9, plus] : [count]
  const left = Math.floor((size - (signs.length * 6 - 1)) / 2)
  for (const [place, sign] of signs.entries())
    for (const [row, bits] of (glyphs[sign] ?? []).entries())
      for (let column = 0; column < 5; column += 1) if (bits & (16 >> column)) put(left + place * 6 + column, 4 + row, white)
  return pixels
}

/** Returns what shows a count. On Windows each window has an overlay of its own, which it loses while it is hidden. */
export function createBadge(os: NodeJS.Platform): (count: number) => void {
  if (os !== 'win32')
    // A Mac shows it only where notifications are allowed, Linux where a dock knows the desktop file.
    return (count) => void app.setBadgeCount(count)
  let shown = 0
  const mark = (window: BrowserWindow): void => {
    const image = shown === 0 ? null : nativeImage.createFromBitmap(drawBadge(shown), { width: size, height: size })
    if (window.isDestroyed()) return
    window.setOverlayIcon(image, shown === 0 ? '' : t`${shown} waiting`)
  }
  app.on('browser-window-created', (_event, window) => {
    window.on('show', () => mark(window))
  })
  return (count) => {
    shown = count
    for (const window of BrowserWindow.getAllWindows()) mark(window)
  }
}
