// Browser notifications for the web shell: the permission, and showing one. The permission is requested only from a click;
// nothing is shown while one of our pages has the focus, in this tab or in another.

import type { SystemNotice } from '#app/chat/system-notification.ts'
import { listen } from '#renderer/ui/lib/listen.ts'

/** `off`: permitted by the browser, turned off by the person. `default`: the permission was not requested yet. */
type NoticeState = 'unsupported' | 'default' | 'denied' | 'off' | 'granted'

const storedAs = 'assent-notifications'

export function noticeState(): NoticeState {
  if (!('Notification' in window)) return 'unsupported'
  const { permission } = Notification
  return permission === 'granted' && window.localStorage.getItem(storedAs) === 'off' ? 'off' : permission
}

/** Calls `listener` when the state may have changed; the browser's own settings are noticed at the next focus. Returns its undo. */
export const onNoticeState = (listener: () => void): (() => void) => listen(window, { focus: listener, storage: listener })

/** Turns notifications on or off. Call it from a click: the browser may ask for its permission. */
export async function turnNotices(on: boolean): Promise<void> {
  if (on) window.localStorage.removeItem(storedAs)
  else window.localStorage.setItem(storedAs, 'off')
  if (on && Notification.permission === 'default') await Notification.requestPermission()
  // As another tab's change is told.
  window.dispatchEvent(new Event('storage'))
}

const front = 'assent-in-front'

/** Holds a shared lock while this page has the focus, which pages in other tabs can see. Returns its undo. */
export function tellFront(): () => void {
  let release: (() => void) | undefined
  const leave = (): void => {
    release?.()
    release = undefined
  }
  const take = (): void => {
    if (release || !navigator.locks) return
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    void navigator.locks.request(front, { mode: 'shared' }, () => promise)
  }
  if (document.hasFocus()) take()
  const ignore = listen(window, { focus: take, blur: leave })
  return () => {
    ignore()
    leave()
  }
}

async function inFront(): Promise<boolean> {
  if (document.hasFocus()) return true
  const locks = await navigator.locks?.query()
  return locks?.held?.some(({ name }) => name === front) ?? false
}

interface NotificationOptions {
  /** Notifications of several tabs with the same tag are shown once. */
  readonly tag: string
  readonly notice: SystemNotice
  readonly onClick: () => void
  /** Aborting closes the notification, or keeps it from being shown. */
  readonly signal: AbortSignal
}

export async function showNotice({ tag, notice: { title, body }, onClick, signal }: NotificationOptions): Promise<void> {
  if (noticeState() !== 'granted' || (await inFront()) || signal.aborted) return
  const shown = new Notification(title, { body, tag })
  shown.addEventListener('click', () => {
    shown.close()
    window.focus()
    onClick()
  })
  signal.addEventListener('abort', () => shown.close(), { once: true })
}
