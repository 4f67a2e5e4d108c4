// Light or dark as the settings say, for what the system draws: title bar, menus, dialogs, the window before its first paint.
import { BrowserWindow, nativeTheme } from 'electron'
import type { HostEvent } from '#app/contract/events.ts'
import type { Settings } from '#app/settings.ts'
import { backgroundColor } from './window.ts'

/** Returns its undo. */
export function followTheme(theme: Settings['theme'], host: { onEvent(listener: (event: HostEvent) => void): () => void }): () => void {
  const onUpdated = (): void => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(backgroundColor())
  }
  nativeTheme.themeSource = theme
  nativeTheme.on('updated', onUpdated)
  const stop = host.onEvent((event) => {
    if (event.name === 'settings.changed') nativeTheme.themeSource = event.payload.settings.theme
  })
  return () => {
    stop()
    nativeTheme.off('updated', onUpdated)
  }
}
