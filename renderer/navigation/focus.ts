// Where focus goes: to the composer, or to the heading of a request. Never to a button that allows something.
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import { holdTyping } from '#renderer/ui/lib/hold-typing.ts'

export const composerId = 'composer'
export const searchFieldId = 'search-field'
export const requestHeadingId = (requestId: string): string => `request-${requestId}`

export const findComposer = (): HTMLElement | null => document.getElementById(composerId)

/** Whether it could: where a sheet covers the chat, what lies under it takes no focus. */
export function focusComposer(): boolean {
  const composer = findComposer()
  composer?.focus()
  return composer !== null && document.activeElement === composer
}

/** Whether it is on the page, and not covered. */
export function focusRequest(id: string): boolean {
  const heading = document.getElementById(requestHeadingId(id))
  heading?.scrollIntoView({ block: 'nearest' })
  heading?.focus({ preventScroll: true })
  return heading !== null && document.activeElement === heading
}

/** The row of a call; whether it is on the page, and not covered. */
export function focusCall(id: string): boolean {
  const row = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(id)}"] > button`)
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
  return row !== null && document.activeElement === row
}

/** Tries over a few frames: the page that takes the focus may still have to appear. */
export function focusSoon(focus: () => boolean, frames = 30): void {
  if (focus() || frames === 0) return
  requestAnimationFrame(() => focusSoon(focus, frames - 1))
}

export const focusRequestSoon = (id: string): void => focusSoon(() => focusRequest(id))

/** Where it stands on the page, else in its chat, else among all that waits. */
export function goToRequest({ id, conversationId }: Pick<ConsentRequest, 'id' | 'conversationId'>): void {
  if (focusRequest(id)) return
  navigate(conversationId === undefined ? { page: 'requests', id } : { page: 'chat', id: conversationId })
  focusRequestSoon(id)
}

/** The request after the one that has focus, in the order of the queue; goes to its chat if it is elsewhere. */
export function focusNextRequest(requests: readonly ConsentRequest[]): void {
  const focused = document.activeElement?.closest('[data-request]')?.getAttribute('data-request')
  const at = requests.findIndex((request) => request.id === focused)
  const next = requests[(at + 1) % Math.max(1, requests.length)]
  if (next) goToRequest(next)
}

/** The search as it was left, with its words chosen, so that others can be typed over them. */
export function goToSearch(): void {
  const find = (): HTMLInputElement | null => {
    const found = document.getElementById(searchFieldId)
    return found instanceof HTMLInputElement ? found : null
  }
  if (!find()) navigate({ page: 'search' })
  holdTyping({
    field: find,
    isWanted: () => parseRoute(window.location.hash).page === 'search',
    label: t`Search in all chats`,
    onField: (field) => field.select(),
    onEscape: () => {
      // There is nothing to close; what was typed stays for the field.
    },
  })
}
