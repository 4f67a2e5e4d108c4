// The menu: the system's own roles, and the few commands that are ours. What it offers is built here, purely; the page
// does what it says.
import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { ShellCommand } from '#app/contract/channels.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { t } from '#app/i18n/translate.ts'
import type { Settings } from '#app/settings.ts'

interface MenuOptions {
  readonly os: NodeJS.Platform
  readonly run: (command: ShellCommand) => void
  readonly openWindow: () => void
  /** By one step; 0: to the usual size. */
  readonly zoom: (by: 1 | 0 | -1) => void
  readonly openDataFolder: () => void
}

interface MenuHost {
  snapshot(): { readonly settings: Pick<Settings, 'language'> }
  onEvent(listener: (event: HostEvent) => void): () => void
}

/** Made anew in another language. */
export function followMenu(host: MenuHost, options: MenuOptions): void {
  const set = (): void => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)))
  set()
  let { language } = host.snapshot().settings
  host.onEvent((event) => {
    if (event.name !== 'settings.changed' || event.payload.settings.language === language) return
    language = event.payload.settings.language
    set()
  })
}

export function menuTemplate({ os, run, openWindow, zoom, openDataFolder }: MenuOptions): MenuItemConstructorOptions[] {
  const mac = os === 'darwin'
  const separator = { type: 'separator' } as const
  const settings = { label: t`Settings…`, accelerator: 'CmdOrCtrl+,', click: () => run({ kind: 'settings' }) }
  const dataFolder = { label: t`Show data folder`, click: openDataFolder }
  const appMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
  return [
    ...(mac ? [appMenu] : []),
    {
      label: t`File`,
      submenu: [
        { label: t`New chat`, accelerator: 'CmdOrCtrl+N', click: () => run({ kind: 'new-chat' }) },
        { label: t`New window`, accelerator: 'CmdOrCtrl+Shift+N', click: openWindow },
        ...(mac ? [] : [separator, settings]),
        separator,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: t`View`,
      submenu: [
        { role: 'reload' },
        separator,
        { label: t`Commands…`, accelerator: 'CmdOrCtrl+K', click: () => run({ kind: 'commands' }) },
        separator,
        // Not the roles: the size is a setting, so that it is still there at the next start.
        { label: t`Actual size`, accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
        { label: t`Larger`, accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
        { label: t`Larger`, accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true, click: () => zoom(1) },
        { label: t`Smaller`, accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
        separator,
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [...(mac ? [] : [{ role: 'about' } as const]), dataFolder] },
  ]
}
