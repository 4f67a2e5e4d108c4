// Where focus goes: to the composer, or to the heading of a request. Never to a button that allows something.
import type { ConsentRequest } from '#app/consent/request.ts'
import { navigate } from '#renderer/router.ts'

export const composerId = 'composer'
export const searchFieldId = 'search-field'
export const requestHeadingId = (requestId: string): string => `request-${requestId}`

/** Whether it could: where a sheet covers the chat, what lies under it takes no focus. */
export function focusComposer(): boolean {
  const composer = document.getElementById(composerId)
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
  const field = (): HTMLElement | null => document.getElementById(searchFieldId)
  if (!field()) navigate({ page: 'search' })
  focusSoon(() => {
    const input = field()
    input?.focus()
    if (input instanceof HTMLInputElement) input.select()
    return input !== null
  })
}
