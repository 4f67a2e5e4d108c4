// Moves the focus: to the composer, the heading of a request, a call, a search. Never to a button that allows something.
import type { ConsentRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import { holdTyping } from '#renderer/ui/lib/hold-typing.ts'

export const composerId = 'composer'
export const searchFieldId = 'search-field'
export const requestHeadingId = (requestId: string): string => `request-${requestId}`

export const findComposer = (): HTMLElement | null => document.getElementById(composerId)

/** Focuses an element and scrolls it into view (by default not). False: it is missing, or a sheet over it keeps it from the focus. */
export function takeFocus(element: HTMLElement | null | undefined, block?: ScrollLogicalPosition): boolean {
  if (block) element?.scrollIntoView({ block })
  element?.focus({ preventScroll: true })
  return element != null && document.activeElement === element
}

export function focusComposer(): boolean {
  findComposer()?.focus()
  return takeFocus(findComposer())
}

const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector)

/** Focuses the heading of a request. One that stands behind another in the dock is brought to the front, for the next frame. */
export function focusRequest(id: string): boolean {
  const heading = find(`[data-request~="${CSS.escape(id)}"] h2`)
  if (!heading) find(`[data-opens~="${CSS.escape(id)}"]`)?.click()
  return takeFocus(heading, 'nearest')
}
export const focusCall = (id: string): boolean => takeFocus(find(`[data-call="${CSS.escape(id)}"] > button`), 'center')

/** Tries over a few frames: the element that takes the focus may appear later. */
export function focusSoon(focus: () => boolean, frames = 30): void {
  if (focus() || frames === 0) return
  requestAnimationFrame(() => focusSoon(focus, frames - 1))
}

export const focusRequestSoon = (id: string): void => focusSoon(() => focusRequest(id))

/** Goes to a request: on the page, else in its chat, else in the list of requests. */
export function goToRequest({ id, conversationId }: Pick<ConsentRequest, 'id' | 'conversationId'>): void {
  if (focusRequest(id)) return
  navigate(conversationId === undefined ? { page: 'requests', id } : { page: 'chat', id: conversationId })
  focusRequestSoon(id)
}

/** Goes to the request after the focused one, in the order of the queue. */
export function focusNextRequest({ consent, view }: Pick<Stores, 'consent' | 'view'>): void {
  const requests = [...consent.getState().requests, ...view.getState().mcpAppRequests]
  const focused = document.activeElement?.closest('[data-request]')?.getAttribute('data-request')?.split(' ') ?? []
  const at = requests.findLastIndex((request) => focused.includes(request.id))
  const next = [...requests.slice(at + 1), ...requests].find(({ id }) => !focused.includes(id))
  if (next) goToRequest(next)
}

/** Opens the search as it was left, with its text selected, so that typing replaces it. */
export function goToSearch(): void {
  const findField = (): HTMLInputElement | null => {
    const found = document.getElementById(searchFieldId)
    return found instanceof HTMLInputElement ? found : null
  }
  if (!findField()) navigate({ page: 'search' })
  holdTyping({
    field: findField,
    isWanted: () => parseRoute(window.location.hash).page === 'search',
    label: t`Search in all chats`,
    onField: (field) => field.select(),
    onEscape: () => {
      // There is nothing to close; what was typed stays for the field.
    },
  })
}
