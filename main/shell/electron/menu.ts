// The menu: the system's own roles, and the few commands that are ours. What it offers is built here, purely; the page
// does what it says.
import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { ShellCommand } from '#app/contract/channels.ts'

export interface MenuOptions {
  readonly os: NodeJS.Platform
  readonly run: (command: ShellCommand) => void
  readonly openWindow: () => void
  /** By one step; 0: to the usual size. */
  readonly zoom: (by: 1 | 0 | -1) => void
  readonly openDataFolder: () => void
}

export const setMenu = (options: MenuOptions): void => Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)))

export function menuTemplate({ os, run, openWindow, zoom, openDataFolder }: MenuOptions): MenuItemConstructorOptions[] {
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
        { label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: openWindow },
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
        { label: 'Commands…', accelerator: 'CmdOrCtrl+K', click: () => run({ kind: 'commands' }) },
        separator,
        // Not the roles: the size is a setting, so that it is still there at the next start.
        { label: 'Actual size', accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
        { label: 'Larger', accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
        { label: 'Larger', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true, click: () => zoom(1) },
        { label: 'Smaller', accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
        separator,
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [...(mac ? [] : [{ role: 'about' } as const]), dataFolder] },
  ]
}
