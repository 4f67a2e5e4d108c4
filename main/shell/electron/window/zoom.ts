// How large the pages are drawn: a setting, so that it stays, and is the same in every window. A browser has its own.
import { BrowserWindow, type WebContents } from 'electron'
import type { HostEvent } from '#app/contract/events.ts'
import type { Settings } from '#app/settings.ts'
import { nextZoom } from '#app/settings.ts'
import type { Log } from '#main/base/host-log.ts'

interface ZoomHost {
  snapshot(): { readonly settings: Settings }
  onEvent(listener: (event: HostEvent) => void): () => void
  request(name: 'settings.set', params: Partial<Settings>): Promise<unknown>
}

interface Zoom {
  /** A page is drawn at its own size until it is told. */
  readonly apply: (contents: WebContents) => void
  /** By one step; 0: to the usual size. */
  readonly change: (by: 1 | 0 | -1) => void
}

export function followZoom(host: ZoomHost, log: Log): Zoom {
  let { zoom } = host.snapshot().settings
  const apply = (contents: WebContents): void => contents.setZoomFactor(zoom / 100)
  host.onEvent((event) => {
    if (event.name !== 'settings.changed' || event.payload.settings.zoom === zoom) return
    zoom = event.payload.settings.zoom
    for (const window of BrowserWindow.getAllWindows()) apply(window.webContents)
  })
  return {
    apply,
    change(by) {
      host.request('settings.set', { zoom: nextZoom(zoom, by) }).catch((error: unknown) => log.error('The zoom could not be kept', error))
    },
  }
}
