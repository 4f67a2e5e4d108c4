// The browser's own notifications, for the web shell: whether it may show any, and showing one. It asks the person only from
// within a press of theirs, and shows nothing while a page of ours has the focus, in this tab or in another.
import type { SystemNotice } from '#app/chat/system-notification.ts'

/** `off`: the browser would, and the person turned them off here. `default`: nobody has asked the person yet. */
type NoticeState = 'unsupported' | 'default' | 'denied' | 'off' | 'granted'

const storedAs = 'assent-notifications'
const changed = 'assent-notifications-changed'

export function noticeState(): NoticeState {
  if (!('Notification' in window)) return 'unsupported'
  const { permission } = Notification
  return permission === 'granted' && window.localStorage.getItem(storedAs) === 'off' ? 'off' : permission
}

/** A permission that is changed in the browser's settings is seen when the window comes back. Returns its undo. */
export function onNoticeState(listener: () => void): () => void {
  const names = [changed, 'focus', 'storage'] as const
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

/** From within a press: the browser may ask the person. */
export async function turnNotices(on: boolean): Promise<void> {
  if (on) window.localStorage.removeItem(storedAs)
  else window.localStorage.setItem(storedAs, 'off')
  if (on && Notification.permission === 'default') await Notification.requestPermission()
  window.dispatchEvent(new Event(changed))
}

const front = 'assent-in-front'

/** While this page has the focus, pages in other tabs can see that. Returns its undo. */
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
  window.addEventListener('focus', take)
  window.addEventListener('blur', leave)
  return () => {
    window.removeEventListener('focus', take)
    window.removeEventListener('blur', leave)
    leave()
  }
}

async function inFront(): Promise<boolean> {
  if (document.hasFocus()) return true
  const locks = await navigator.locks?.query()
  return locks?.held?.some(({ name }) => name === front) ?? false
}

interface ShownNotice {
  /** Pages of several tabs that show the same one show it once. */
  readonly tag: string
  readonly notice: SystemNotice
  readonly onClick: () => void
  /** Aborting takes it away, or keeps it from being shown. */
  readonly signal: AbortSignal
}

export async function showNotice({ tag, notice: { title, body }, onClick, signal }: ShownNotice): Promise<void> {
  if (noticeState() !== 'granted' || (await inFront()) || signal.aborted) return
  const shown = new Notification(title, { body, tag })
  shown.addEventListener('click', () => {
    shown.close()
    window.focus()
    onClick()
  })
  signal.addEventListener('abort', () => shown.close(), { once: true })
}
