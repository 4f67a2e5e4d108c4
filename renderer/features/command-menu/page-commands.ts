// Where one can go, and what can be done from anywhere.
import type { Settings } from '#app/settings.ts'
import { t } from '#app/words/translate.ts'
import { nextZoom } from '#app/zoom.ts'
import { startAdding } from '#renderer/features/servers/adding.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { focusNextRequest, goToSearch } from '#renderer/shell/focus.ts'
import { openWindow } from '#renderer/shell/open-window.ts'
import type { Chords } from '#renderer/shell/shortcuts.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import type { IconName } from '#renderer/ui/icon.tsx'
import type { Command } from './command.ts'

const to = (id: string, words: string, icon: IconName, route: Route, rest: Partial<Command> = {}): Command => ({
  id,
  words,
  icon,
  act: () => navigate(route),
  ...rest,
})

const themes: Readonly<Record<Settings['theme'], string>> = {
  system: t`Theme as the system’s`,
  light: t`Light theme`,
  dark: t`Dark theme`,
}

/** A browser has its own. */
const zooms = [
  [1, t`Draw everything larger`],
  [-1, t`Draw everything smaller`],
  [0, t`Draw everything at its usual size`],
] as const

export function pageCommands(stores: Stores, chords: Chords): Command[] {
  const { actions, consent, settings, connection } = stores
  const { theme, zoom } = settings.getState().settings
  const inWindow = connection.getState().about?.shell.kind === 'electron'
  return [
    to('new-chat', t`New chat`, 'plus', { page: 'chat' }, { chord: chords.newChat }),
    { id: 'search', words: t`Search in all chats`, icon: 'search', chord: chords.search, act: goToSearch },
    to('requests', t`Requests, all waiting`, 'inbox', { page: 'requests' }, { chord: chords.requests }),
    to('servers', t`Servers`, 'servers', { page: 'servers' }),
    { id: 'add-server', words: t`Add a server…`, icon: 'plus', also: t`install connect`, act: () => startAdding() },
    to('library', t`Library`, 'library', { page: 'library' }, { also: t`resources prompts tools` }),
    to('record', t`Record, today`, 'clock', { page: 'record', tab: 'record' }, { chord: chords.record, also: t`audit log history` }),
    to('rules', t`Rules`, 'shield', { page: 'record' }, { also: t`permissions approvals` }),
    to('settings', t`Settings`, 'sliders', { page: 'settings' }, { chord: chords.settings, also: t`preferences options` }),
    {
      id: 'next-request',
      words: t`To the next request`,
      icon: 'inbox',
      chord: chords.nextRequest,
      act: () => focusNextRequest(consent.getState().requests),
    },
    to('all-chats', t`All chats`, 'chat', { page: 'chats' }, { also: t`history archive deleted` }),
    to('config', t`Edit servers.json`, 'edit', { page: 'servers', name: '', tab: 'config' }, { also: t`config text` }),
    to('models', t`Models and keys`, 'model', { page: 'settings', tab: 'models' }, { also: t`settings provider api key anthropic openai` }),
    to('usage', t`Usage and budget`, 'clock', { page: 'settings', tab: 'usage' }, { also: t`settings tokens cost` }),
    to('asking', t`How Assent asks`, 'shield', { page: 'settings', tab: 'asking' }, { also: t`settings limits timeout folders roots` }),
    to('data', t`Backup, import and export`, 'file', { page: 'settings', tab: 'data' }, { also: t`settings data restore` }),
    to('shortcuts', t`Keyboard shortcuts`, 'info', { page: 'settings', tab: 'shortcuts' }, { chord: chords.shortcuts, also: t`keys help` }),
    { id: 'new-window', words: t`New window`, icon: 'plus', chord: chords.newWindow, act: () => openWindow(stores) },
    {
      id: 'environment',
      words: t`Read the shell’s environment again`,
      icon: 'refresh',
      also: t`PATH variables`,
      act: () => actions.go('app.readEnvironment', {}),
    },
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map((one): Command => ({ id: `theme-${one}`, words: themes[one], icon: 'sliders', act: () => actions.set({ theme: one }) })),
    ...(inWindow ? zooms : []).map(
      ([by, words]): Command => ({
        id: `zoom ${by}`,
        words,
        icon: 'eye',
        also: t`zoom size bigger`,
        act: () => actions.set({ zoom: nextZoom(zoom, by) }),
      }),
    ),
  ]
}
