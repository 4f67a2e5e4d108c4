// The menu: the system's own roles, and the few commands that are ours. What it offers is built here, purely; the page
// does what it says.
import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { ShellCommand } from '#app/contract/channels.ts'

export interface MenuOptions {
  readonly os: NodeJS.Platform
  readonly run: (command: ShellCommand) => void
  readonly openDataFolder: () => void
}

export const setMenu = (options: MenuOptions): void => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)))

export function menuTemplate({ os, run, openDataFolder }: MenuOptions): MenuItemConstructorOptions[] {
  const mac = os === 'darwin'
  const separator = { type: 'separator' } as const
  const settings = { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => run({ kind: 'settings' }) }
  const dataFolder = { label: 'Show data folder', click: openDataFolder }
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
      label: 'File',
      submenu: [
        { label: 'New chat', accelerator: 'CmdOrCtrl+N', click: () => run({ kind: 'new-chat' }) },
        ...(mac ? [] : [separator, settings]),
        separator,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [...(mac ? [] : [{ role: 'about' } as const]), dataFolder] },
  ]
}
