// The contract over Electron's IPC. A request is taken only from the top frame of a window of ours that shows our page, never from a frame
// that is detached, inside another, or `about:blank`.
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { channels } from '#app/contract/channels.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { type ErrorValue, HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Log } from '#main/base/host-log.ts'
import { appOrigin, isPage } from './navigation.ts'

export interface PageHost {
  request(name: string, params: unknown): Promise<unknown>
  onEvent(listener: (event: HostEvent) => void): () => void
}

interface IpcOptions {
  readonly host: PageHost
  readonly contents: () => readonly WebContents[]
  readonly log: Log
  readonly ready: Promise<void>
}

type Answer = { readonly result: unknown } | { readonly error: ErrorValue }

/** Returns its undo. */
export function connectPages({ host, contents, log, ready }: IpcOptions): () => void {
  ipcMain.handle(channels.request, async (event, name: unknown, params: unknown): Promise<Answer> => {
    if (!isTrustedSender(event, contents())) {
      log.warn('A request from a frame that is not the page was refused.')
      return { error: new HostError('contract.invalid', t`Only the page itself may ask the host.`).toValue() }
    }
    if (typeof name !== 'string') return { error: new HostError('contract.unknown-request', t`A request has no name.`).toValue() }
    await ready
    try {
      return { result: await host.request(name, params) }
    } catch (error) {
      return { error: toErrorValue(error) }
    }
  })
  const stopEvents = host.onEvent((event) => {
    for (const page of contents()) if (!page.isDestroyed()) page.send(channels.event, event)
  })
  return () => {
    stopEvents()
    ipcMain.removeHandler(channels.request)
  }
}

function isTrustedSender(event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>, ours: readonly WebContents[]): boolean {
  const frame = event.senderFrame
  if (!frame || frame.detached || frame.parent !== null) return false
  if (!ours.includes(event.sender) || event.sender.mainFrame !== frame) return false
  return frame.origin === appOrigin && isPage(frame.url)
}
