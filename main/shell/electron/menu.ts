// The application menu: the system's roles and a few commands of ours, which the page carries out.
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { ShellCommand } from '#app/contract/channels.ts'
import { t } from '#app/i18n/translate.ts'
import { acceleratorOf, chordsFor, type OwnShortcuts } from '#app/shortcuts.ts'
import type { PathCommand } from './path-command.ts'
import { roleLabels } from './window/context-menu.ts'
import { followSetting, type SettingsHost } from './window/follow-settings.ts'

interface MenuOptions {
  readonly os: NodeJS.Platform
  readonly run: (command: ShellCommand) => void
  readonly openWindow: () => void
  readonly size: (by: 1 | 0 | -1) => void
  readonly openDataFolder: () => void
  /** Absent: this installation puts no command on the PATH. */
  readonly pathCommand?: PathCommand | undefined
}

/** Sets the menu, now and at each change of the language or the shortcuts. Returns what sets it anew. */
export function followMenu(host: SettingsHost<'language' | 'shortcuts'>, options: MenuOptions): () => void {
  let follows: boolean = false
  const show = (): void => {
    if (!follows) return
    const { shortcuts } = host.snapshot().settings
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options, shortcuts)))
  }
  followSetting(host, 'language', show)
  follows = true
  followSetting(host, 'shortcuts', show)
  return show
}

export function menuTemplate(
  { os, run, openWindow, size, openDataFolder, pathCommand }: MenuOptions,
  own: OwnShortcuts,
): MenuItemConstructorOptions[] {
  const keys = chordsFor(own, false)
  const mac = os === 'darwin'
  const settings = { label: t`Settings…`, ...acceleratorOf(keys.settings), click: () => run({ kind: 'go', hash: '#/settings' }) }
  const dataFolder = { label: t`Show data folder`, click: openDataFolder }
  const inTerminals = pathCommand && { label: pathCommand.label(), click: () => void pathCommand.toggle() }
  const appMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    label: app.name,
    submenu: [
      item('about'),
      separator,
      settings,
      separator,
      item('services'),
      separator,
      ...items('hide', 'hideOthers', 'unhide'),
      separator,
      item('quit'),
    ],
  }
  return [
    ...(mac ? [appMenu] : []),
    {
      label: t`File`,
      submenu: [
        { label: t`New chat`, ...acceleratorOf(keys.newChat), click: () => run({ kind: 'go', hash: '#/chat' }) },
        { label: t`New window`, ...acceleratorOf(keys.newWindow), click: openWindow },
        ...(mac ? [] : [separator, settings]),
        separator,
        item(mac ? 'close' : 'quit'),
      ],
    },
    {
      label: t`Edit`,
      submenu: [
        ...items('undo', 'redo'),
        separator,
        ...items('cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete'),
        separator,
        item('selectAll'),
      ],
    },
    {
      label: t`View`,
      submenu: [
        item('reload'),
        separator,
        { label: t`Commands`, ...acceleratorOf(keys.commands), click: () => run({ kind: 'commands' }) },
        separator,
        // The text size is a setting, which the system's zoom would not change.
        { label: t`Text in its usual size`, ...acceleratorOf(keys.zoomReset), click: () => size(0) },
        { label: t`Larger text`, ...acceleratorOf(keys.zoomIn), click: () => size(1) },
        ...(own.zoomIn === undefined
          ? [{ label: t`Larger text`, accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true, click: () => size(1) }]
          : []),
        { label: t`Smaller text`, ...acceleratorOf(keys.zoomOut), click: () => size(-1) },
        separator,
        ...items('togglefullscreen', 'toggleDevTools'),
      ],
    },
    {
      // Its role lists the open windows on a Mac.
      ...(mac ? { role: 'window' } : {}),
      label: t`Window`,
      submenu: mac ? [...items('minimize', 'zoom'), separator, item('front')] : items('minimize', 'close'),
    },
    { role: 'help', label: t`Help`, submenu: [...(mac ? [] : [item('about')]), dataFolder, ...(inTerminals ? [inTerminals] : [])] },
  ]
}

const separator = { type: 'separator' } as const
type Role = keyof ReturnType<typeof roleLabels>
const item = (role: Role): MenuItemConstructorOptions => ({ role, label: roleLabels()[role] })
const items = (...roles: readonly Role[]): MenuItemConstructorOptions[] => roles.map(item)
