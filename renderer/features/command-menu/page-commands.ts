// Where one can go, and what can be done from anywhere.
import type { Settings } from '#app/settings.ts'
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
  system: 'Theme as the system’s',
  light: 'Light theme',
  dark: 'Dark theme',
}

/** A browser has its own. */
const zooms = [
  [1, 'Draw everything larger'],
  [-1, 'Draw everything smaller'],
  [0, 'Draw everything at its usual size'],
] as const

export function pageCommands(stores: Stores, chords: Chords): Command[] {
  const { actions, consent, settings, connection } = stores
  const { theme, zoom } = settings.getState().settings
  const inWindow = connection.getState().about?.shell.kind === 'electron'
  return [
    to('new-chat', 'New chat', 'plus', { page: 'chat' }, { chord: chords.newChat }),
    { id: 'search', words: 'Search in all chats', icon: 'search', chord: chords.search, act: goToSearch },
    to('requests', 'Requests, all waiting', 'inbox', { page: 'requests' }, { chord: chords.requests }),
    to('servers', 'Servers', 'servers', { page: 'servers' }),
    { id: 'add-server', words: 'Add a server…', icon: 'plus', also: 'install connect', act: () => startAdding() },
    to('library', 'Library', 'library', { page: 'library' }, { also: 'resources prompts tools' }),
    to('record', 'Record, today', 'clock', { page: 'record', tab: 'record' }, { chord: chords.record, also: 'audit log history' }),
    to('rules', 'Rules', 'shield', { page: 'record' }, { also: 'permissions approvals' }),
    to('settings', 'Settings', 'sliders', { page: 'settings' }, { chord: chords.settings, also: 'preferences options' }),
    {
      id: 'next-request',
      words: 'To the next request',
      icon: 'inbox',
      chord: chords.nextRequest,
      act: () => focusNextRequest(consent.getState().requests),
    },
    to('all-chats', 'All chats', 'chat', { page: 'chats' }, { also: 'history archive deleted' }),
    to('config', 'Edit servers.json', 'edit', { page: 'servers', name: '', tab: 'config' }, { also: 'config text' }),
    to('models', 'Models and keys', 'model', { page: 'settings', tab: 'models' }, { also: 'settings provider api key anthropic openai' }),
    to('usage', 'Usage and budget', 'clock', { page: 'settings', tab: 'usage' }, { also: 'settings tokens cost' }),
    to('asking', 'How Assent asks', 'shield', { page: 'settings', tab: 'asking' }, { also: 'settings limits timeout folders roots' }),
    to('data', 'Backup, import and export', 'file', { page: 'settings', tab: 'data' }, { also: 'settings data restore' }),
    to('shortcuts', 'Keyboard shortcuts', 'info', { page: 'settings', tab: 'shortcuts' }, { chord: chords.shortcuts, also: 'keys help' }),
    { id: 'new-window', words: 'New window', icon: 'plus', chord: chords.newWindow, act: () => openWindow(stores) },
    {
      id: 'environment',
      words: 'Read the shell’s environment again',
      icon: 'refresh',
      also: 'PATH variables',
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
        also: 'zoom size bigger',
        act: () => actions.set({ zoom: nextZoom(zoom, by) }),
      }),
    ),
  ]
}
