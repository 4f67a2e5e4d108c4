// What the app's pages may not do: permissions, other addresses, new windows, frames, downloads, the network. Also the switches of
// Chromium that would lift this, which anybody who writes a shortcut can add.
import { app, dialog, type OnBeforeRequestListenerDetails, type Session, type WebContents } from 'electron'
import { mcpAppIdOf } from '#app/contract/csp.ts'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import { appPath, isDiagramFrame, isMcpAppFrame, isPage } from './navigation.ts'

/**
 * Denies every page permissions, other addresses, new windows, webviews, and frames but those of diagrams and MCP Apps. Links are opened by
 * the host, which asks. Returns its undo.
 */
export function guardEveryContents(): () => void {
  const onCreated = (_: unknown, contents: WebContents): void => guardContents(contents)
  app.on('web-contents-created', onCreated)
  return () => void app.off('web-contents-created', onCreated)
}

export function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // UDP passes by every proxy and policy (docs/api/web-contents.md).
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('will-navigate', (details) => {
    if (!isPage(details.url)) details.preventDefault()
  })
  contents.on('will-frame-navigate', (details) => {
    if (!(details.isMainFrame ? isPage(details.url) : isDiagramFrame(details.url) || isMcpAppFrame(details.url))) details.preventDefault()
  })
  contents.on('will-redirect', (details) => details.preventDefault())
}

/** Shows no site a certificate of the person: Electron would choose the first one of the system's store by itself (docs/api/app.md). */
export function refuseClientCertificates(): void {
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault()
    choose()
  })
}

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null))
  session.on('will-download', (event) => event.preventDefault())
}

/** Addresses that a policy is asked about; our own scheme, `data:` and `blob:` are served without a network. */
const beyond = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file:///*']

/**
 * Refuses all requests of pages to the network, but those of an MCP App to the hosts that it declared. The page's security policy says the
 * same; this holds if a policy is missing. `connections`: allowlist of an open app (WICG, "Connection Allowlist").
 */
export function denyNetwork(session: Pick<Session, 'webRequest'>, connections: (appId: string) => string | undefined, log: Log): void {
  session.webRequest.onBeforeRequest({ urls: beyond }, (details, answer) => {
    const cancel = !mayRequest(details, connections)
    if (cancel) log.warn(`A request of a page was blocked: ${URL.parse(details.url)?.host ?? details.resourceType}`)
    answer({ cancel })
  })
}

type RequestDetails = Pick<OnBeforeRequestListenerDetails, 'url' | 'frame' | 'webContentsId'>

function mayRequest({ url, frame, webContentsId }: RequestDetails, connections: (appId: string) => string | undefined): boolean {
  const asked = URL.parse(url.replace(/^ws/, 'http'))
  if (!asked) return false
  // Chromium's own request for a dictionary, which has no page. There is none until the setting is on.
  if (webContentsId === undefined && !frame) return asked.protocol === 'https:' && /\.gvt1\.com$/.test(asked.hostname)
  const id = mcpAppIdOf(appPath(frame?.url) ?? '')
  const patterns = (id === undefined ? undefined : connections(id))?.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return patterns.some((pattern) => new URLPattern(JSON.parse(pattern)).test(asked))
}

/** Switches of Chromium that hand the page, its requests or its processes to others (docs/api/command-line-switches.md). */
const removed = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-allow-origins',
  'disable-web-security',
  'allow-running-insecure-content',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'disable-site-isolation-trials',
  'disable-features',
  'host-rules',
  'host-resolver-rules',
  'load-extension',
  'js-flags',
  'gpu-launcher',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'browser-subprocess-path',
  'single-process',
  'in-process-gpu',
  'disable-gpu-sandbox',
  'unsafely-treat-insecure-origin-as-secure',
  'auth-server-allowlist',
  'auth-negotiate-delegate-allowlist',
  'log-net-log',
  'net-log-capture-mode',
  'ssl-key-log-file',
]

/**
 * Removes such switches from the installed app; Chromium reads them after this module ran. `isNewProfile`: has nothing in it that a debugger
 * could read, so that a packaged app can be tested. Returns the names of those that were there.
 */
export function removeSwitches(isNewProfile: boolean): string[] {
  if (!app.isPackaged || isNewProfile) return []
  const given = removed.filter((name) => app.commandLine.hasSwitch(name))
  for (const name of given) app.commandLine.removeSwitch(name)
  return given
}

/** Whether the installed app was started without Chromium's sandbox, as some launchers of AppImages do. It is too late to change. */
export const lacksSandbox = (): boolean => app.isPackaged && app.commandLine.hasSwitch('no-sandbox')

/** Returns whether the person starts nevertheless. Escape quits. */
export async function askWithoutSandbox(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: t`Assent was started without Chromium’s sandbox.`,
    detail: t`A flaw in the page could then reach your files. Remove --no-sandbox from its launcher, or install the .deb package.`,
    buttons: [t`Quit`, t`Start anyway`],
    defaultId: 0,
    cancelId: 0,
  })
  return response === 1
}
